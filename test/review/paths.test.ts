// A part of a change: the paths that are asked for are reviewed, the others are counted, at every door.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ScratchRepository, scratchRepository } from '../../src/git/testing/scratch-repository.js';
import { call } from '../../src/operations/call.js';
import { bareContext } from '../review-run/review-ground.js';

const bin = join(process.cwd(), 'bin/galley.js');
let repository: ScratchRepository;

beforeAll(() => {
  repository = scratchRepository();
  repository.write('src/old.ts', 'export function stay() {\n  return 1;\n}\n'.repeat(3));
  repository.write('docs/one.md', 'one\n');
  repository.commit('before');
  repository.git('checkout', '-q', '-b', 'topic');
  repository.git('mv', 'src/old.ts', 'moved.ts');
  repository.write('src/new.ts', 'export const added = 1;\n');
  repository.write('docs/one.md', 'two\n');
  repository.write('package-lock.json', '{}\n');
  repository.commit('after');
});
afterAll(() => repository.dispose());

// biome-ignore lint/suspicious/noExplicitAny: answers of several operations.
const asked = (id: string, request: object): Promise<any> =>
  call(id, { mode: 'pr', base: 'main', ...request }, bareContext(repository.folder));
const galley = (...args: readonly string[]) =>
  spawnSync(process.execPath, [bin, ...args], {
    cwd: repository.folder,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: '/nonexistent', LC_ALL: 'C' },
  });

const outside = [
  { path: 'docs/one.md', rule: 'not-asked', added: 1, removed: 1 },
  { path: 'package-lock.json', rule: 'not-asked', added: 1, removed: 0 },
];
const coverage = 'Partial: 2 files (+1 -0); left out 2 files: 2 outside the paths asked for (+2 -1).';

describe('the paths of a review', () => {
  it('bound its pages, and what lies outside is accounted for; a moved file is known by either name [R25]', async () => {
    const chunks = await asked('review:chunks', { paths: ['src'] });
    expect(chunks.chunks[0].files.toSorted()).toEqual(['moved.ts', 'src/new.ts']);
    expect(chunks.omitted).toMatchObject(outside);
    expect(chunks.receipt.coverage).toBe(coverage);
    const dry = await asked('review:run', { paths: ['src'], dryRun: true });
    expect(dry).toMatchObject({ coverage, omitted: outside });
    expect(dry.pages).toHaveLength(1);
    expect(dry.pages[0].prompt).not.toContain('+two');
  });

  it('bound its plan, its changes and its context [R25]', async () => {
    const paths = ['docs', ':!*.json'];
    const plan = await asked('review:plan', { paths });
    expect(plan.planner_index.units.map((unit: { file_path: string }) => unit.file_path)).toEqual([
      'docs/one.md',
    ]);
    expect(plan.omitted.map(({ rule }: { rule: string }) => rule)).toEqual([
      'not-asked',
      'not-asked',
      'not-asked',
    ]);
    expect((await asked('review:changes', { paths })).coverage).toMatch(
      /^Partial: 1 file .*3 outside the paths/,
    );
  });

  it('that are none of the change leave nothing, and it says so [R25]', async () => {
    const none = await asked('review:chunks', { paths: ['nowhere'] });
    expect(none.chunks).toEqual([]);
    expect(none.warnings).toMatchObject([{ code: 'PATHS_MATCH_NOTHING', details: { files: 4 } }]);
    expect(none.coverage).toMatch(/^Partial: 0 files .*left out 4 files: 4 outside the paths asked for/);
  });

  it('stand behind -- on the command line, with a range before it [R25]', () => {
    const { status, stdout, stderr } = galley('review', 'main..topic', '--', 'src', ':!docs');
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toContain(coverage);
    expect(galley('review', 'main...topic', '--json', '--', 'docs').stdout).toContain(
      '"files":["docs/one.md"]',
    );
    expect(galley('review', '--').stdout).toBe(galley('review').stdout);
  });

  it.each([
    [['review', 'main..topic', '--base', 'main'], 'A range and --base exclude each other'],
    [['review', 'src/'], 'files after --'],
    [['review', 'main..topic', 'src/'], 'files after --'],
    [['review', '--', '../elsewhere'], 'paths: git does not understand one of them'],
  ])('are refused with a next step where they are wrong: %j [R25]', (args, words) => {
    const { status, stdout, stderr } = galley(...args);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toContain(words);
  });
});
