import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ScratchRepository, scratchRepository } from '../../src/git/testing/scratch-repository.js';
import { packedProject, runPacked } from './packed-program.js';

let repository: ScratchRepository;

beforeAll(() => {
  repository = scratchRepository();
  repository.write('a.txt', 'one\n');
  repository.commit('start');
});
afterAll(() => repository?.dispose());

const galley = (args: readonly string[], input = '') => runPacked(args, { cwd: repository.folder, input });

describe('a configuration in YAML', () => {
  it('is written by init and read by review, doctor and the operations of the packed program [R1]', async () => {
    expect((await galley(['init', '--yes'])).exit).toBe(0);
    repository.git('add', '-A');
    repository.git('commit', '-q', '-m', 'configured');
    repository.write('a.txt', 'two\n');
    expect(await galley(['review', '--working'])).toMatchObject({ exit: 0, stderr: '' });
    expect((await galley(['doctor', '--json'])).stdout).toContain('"config"');
    for (const operation of ['review:changes', 'review:plan', 'review:chunks', 'review:bundles']) {
      const request = JSON.stringify({ mode: 'working' });
      const answer = await galley(['call', operation], request);
      expect([operation, answer.exit, answer.stdout.slice(0, 200)]).toMatchObject([operation, 0, {}]);
    }
  });

  it.each([
    ['version: 7\n', '"version" is not a known key.', 'version'],
    ['maxPage: 3\n', '"maxPage" is not a known key; did you mean "maxPages"?', 'maxPage'],
    ['maxPages: many\n', 'maxPages is not valid, expected number.', 'maxPages'],
    ['ignore: [\n', 'it is not valid YAML.', undefined],
    [`ignore: ${'['.repeat(100_000)}${']'.repeat(100_000)}\n`, 'it is nested too deeply.', undefined],
    [`ignore:\n${'- '.repeat(100_000)}x\n`, 'it is nested too deeply.', undefined],
  ])(
    'that Galley does not know is refused in one line that names the field [R1]',
    async (text, problem, field) => {
      repository.write('galley.config.yaml', text);
      repository.git('commit', '-q', '-a', '-m', 'odd');
      const shown = await galley(['review', '--working']);
      expect([shown.exit, shown.stdout]).toEqual([2, '']);
      expect(shown.stderr.split('\n')[0]).toBe(`galley: galley.config.yaml: ${problem} (CONFIG_INVALID)`);
      expect(shown.stderr).toContain('galley schema config');
      const called = await galley(['call', 'review:plan'], '{"mode":"working"}');
      expect(called.exit).toBe(2);
      const details = { file: 'galley.config.yaml', ...(field === undefined ? {} : { field }) };
      expect(JSON.parse(called.stdout)).toMatchObject({ error: { code: 'CONFIG_INVALID', details } });
      const doctor = await galley(['doctor']);
      expect([doctor.exit, doctor.stderr]).toEqual([5, '']);
    },
  );
});

describe('every part of the packed program that is loaded late', () => {
  it('has exports by name, as the sources expect them [R1]', () => {
    const folder = join(packedProject(), 'node_modules', 'galley', 'dist');
    const files = readdirSync(folder).filter((name) => name.endsWith('.js'));
    const late = new Set(
      files.flatMap((name) =>
        [...readFileSync(join(folder, name), 'utf8').matchAll(/import\("\.\/([^"]+)"\)/g)].map(
          (found) => found[1]!,
        ),
      ),
    );
    expect(late.size).toBeGreaterThan(50);
    const list = `for (const name of ${JSON.stringify([...late])}) {
      const { default: _, ...named } = await import(${JSON.stringify(folder)} + '/' + name);
      if (Object.keys(named).length === 0) console.log(name);
    }`;
    const run = ['--input-type=module', '--eval', list];
    expect(execFileSync(process.execPath, run, { encoding: 'utf8' })).toBe('');
  });
});
