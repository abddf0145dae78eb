import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HostileRepository, hostileRepository, trappedFiles } from './hostile-repository.js';
import { packedEnvironment, runPacked } from './packed-program.js';

let hostile: HostileRepository;

beforeAll(() => {
  hostile = hostileRepository();
});
afterAll(() => hostile?.dispose());

const galley = (args: readonly string[], request: unknown = {}) =>
  runPacked(args, {
    cwd: hostile.repository.folder,
    env: hostile.environment,
    input: JSON.stringify(request),
  });

const missing = '0123456789'.repeat(4);
const changes = [
  { mode: 'pr', base: 'main', head: 'feature' },
  { mode: 'commit', commit: 'feature' },
  { mode: 'staged' },
  { mode: 'working' },
];
const operations = [
  'review:changes',
  'review:plan',
  'review:chunks',
  'review:bundles',
  'review:report',
  'review:run',
];
const more: Readonly<Record<string, object>> = {
  'review:report': { answers: [], format: 'json' },
  'review:run': { dryRun: true, model: 'cli/nobody' },
};

describe('a repository full of traps', () => {
  it.each(changes)(
    'shows the true bytes in mode $mode and starts none of its programs [R2]',
    async (change) => {
      for (const operation of operations) {
        const answer = await galley(['call', operation], { ...change, ...more[operation] });
        expect([operation, answer.exit, answer.exit === 0 ? '' : answer.stdout]).toEqual([operation, 0, '']);
        if (operation !== 'review:chunks') continue;
        for (const name of trappedFiles) expect(answer.stdout).toContain(name);
        expect(answer.stdout).toContain('+b ');
        expect(answer.stdout).not.toContain('Z');
        expect(answer.stdout.includes('b new')).toBe(change.mode === 'working');
        if (change.mode === 'working')
          expect(answer.stdout.match(/\+b working/g)).toHaveLength(trappedFiles.length);
      }
      expect(hostile.marks()).toEqual([]);
    },
  );

  it.each(['review', 'review --working', 'review --staged --json', 'doctor', 'doctor --json'])(
    'starts none of its programs for galley %s [R2]',
    async (line) => {
      expect((await galley(line.split(' '))).stderr).not.toContain('INTERNAL');
      expect(hostile.marks()).toEqual([]);
    },
  );

  it('starts none of its programs for what is not in the clone, nor for related files [R2]', async () => {
    const answer = await galley(['call', 'review:changes'], { mode: 'commit', commit: missing });
    expect(answer.stdout).toContain('REVISION_NOT_FOUND');
    expect((await galley(['call', 'review:related'], { paths: ['file.txt'] })).exit).toBe(0);
    expect(hostile.marks()).toEqual([]);
  });

  it('has traps that do go off when git itself looks at it', () => {
    const env = packedEnvironment(hostile.environment);
    const run = (...args: string[]) => {
      try {
        execFileSync('git', args, { cwd: hostile.repository.folder, env, stdio: 'pipe' });
      } catch {}
    };
    for (const name of trappedFiles) run('add', '--', name);
    for (const name of ['file.txt', 'file.need']) run('--no-pager', 'diff', 'main', '--', name);
    run('--no-pager', 'log', '-p', '--no-ext-diff', '-1', '--', 'file.txt');
    run('cat-file', '-e', missing);
    run('status');
    expect(hostile.marks()).toEqual(
      expect.arrayContaining([
        ...[
          'a-b-c----',
          'exported',
          'global',
          'included',
          'info',
          'inner',
          'needed',
          'own',
          'parameters',
        ].map((name) => `clean-${name}`),
        ...['clean-plain', 'clean-worktree', 'core.fsmonitor', 'GIT_EXTERNAL_DIFF', 'hook-post-index-change'],
        ...['lazy-fetch', 'module-fsmonitor', 'process', 'process-both', 'textconv', 'diff-command'],
      ]),
    );
  });
});
