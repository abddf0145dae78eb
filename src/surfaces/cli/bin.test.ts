// The built command line: what it says when nobody says what, in which language, and what it loads to say so.
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { galleyVersion } from '../../core/model/version.js';
import {
  type ScratchRepository,
  scratchFolder,
  scratchRepository,
} from '../../git/testing/scratch-repository.js';

const bin = join(process.cwd(), 'bin/galley.js');
const nowhere = scratchFolder();
let repository: ScratchRepository;

beforeAll(() => {
  repository = scratchRepository();
  repository.write('a.ts', 'export const a = 1;\n');
  repository.commit('before');
  repository.write('a.ts', 'export const a = 2;\n');
});
afterAll(() => {
  repository.dispose();
  rmSync(nowhere, { recursive: true, force: true });
});

function galley(folder: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], {
    cwd: folder,
    input: '{}',
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: nowhere, LC_ALL: 'C', ...env },
  });
  return { status, stdout, stderr };
}

describe('galley alone', () => {
  it('in a repository is galley review', () => {
    const alone = galley(repository.folder, []);
    expect(alone.stdout).toContain('a.ts');
    expect(alone).toEqual(galley(repository.folder, ['review']));
    expect(alone.status).toBe(0);
  });

  it('elsewhere says what it is and what to try', () => {
    const { status, stdout, stderr } = galley(nowhere, []);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout.match(/^ {2}galley /gm)).toHaveLength(3);
    expect(galley(nowhere, [], { LC_ALL: 'zh_CN.UTF-8' }).stdout).toContain('可以先试试');
  });
});

describe('galley --help', () => {
  it.each(['en', 'zh'])('is ready, and is what "galley help" sets (%s)', (language) => {
    const ready = readFileSync(join(process.cwd(), `dist/help.${language}.txt`), 'utf8');
    const shown = galley(nowhere, ['--lang', language, '--help']);
    expect(shown).toEqual({ status: 0, stdout: ready, stderr: '' });
    expect(galley(nowhere, ['--lang', language, 'help'])).toEqual(shown);
    expect(galley(nowhere, ['-h', '--lang', language])).toEqual(shown);
  });
});

describe('a refusal', () => {
  it.each([
    [['revew'], 'review'],
    [['review', '--stagd'], '--staged'],
    [['report', 'x', '--format', 'sariff'], '"sarif"'],
    [['review', '--meter', 'o200k'], '"o200k_base"'],
    [['review', '--linter', 'sari:x'], '"sarif"'],
    [['schema', 'review:chunk'], '"review:chunks"'],
    [['write', 'statu'], 'status'],
  ])('of %j knows what was meant, and names the next step in both languages', (args, meant) => {
    const english = galley(repository.folder, args);
    const chinese = galley(repository.folder, ['--lang', 'zh', ...args]);
    expect([english.status, english.stdout]).toEqual([2, '']);
    expect(english.stderr).toMatch(/[Dd]id you mean/);
    expect(english.stderr).toContain(meant);
    const [sentence, next] = english.stderr.split('\n');
    expect(next).toMatch(/^ {2}next: galley /);
    expect(chinese.stderr.split('\n')[0]).toBe(sentence);
    expect(chinese.stderr).toMatch(/\n {2}下一步：\P{L}*\p{sc=Han}/u);
  });

  it.each([
    [['call', 'no:such']],
    [['review', '--json', '--nonsense']],
    [['review', '--json', '--base', 'nowhere']],
    [['review', '--json']],
    [['schema', '--json']],
    [['init', '--json', '--dry-run']],
    [['write', 'status', '--json']],
  ])('and an answer of %j is the same JSON in every language', (args) => {
    const english = galley(repository.folder, args);
    const chinese = galley(repository.folder, args, { LC_ALL: 'zh_CN.UTF-8' });
    JSON.parse(english.stdout);
    expect(chinese.stdout).toBe(english.stdout);
    expect(chinese.status).toBe(english.status);
  });
});

describe('colour', () => {
  it('is not used on a pipe, nor with NO_COLOR whatever else is wished', () => {
    const page = (env: NodeJS.ProcessEnv) => galley(nowhere, [], env).stdout;
    expect(page({})).not.toContain('\u001b[');
    expect(page({ FORCE_COLOR: '1' })).toContain('\u001b[');
    expect(page({ FORCE_COLOR: '1', NO_COLOR: '1' })).toBe(page({}));
  });
});

describe('starting', () => {
  /** Everything a built file imports before it runs. */
  function closure(start: string): { packages: Set<string>; bytes: number; files: number } {
    const packages = new Set<string>();
    const seen = new Set<string>();
    let bytes = 0;
    const visit = (path: string) => {
      if (seen.has(path)) return;
      seen.add(path);
      const text = readFileSync(path, 'utf8');
      bytes += text.length;
      for (const [, name = ''] of text.matchAll(/^(?:import|export)\b[^;'"]*?["']([^"']+)["'];?$/gm)) {
        if (name.startsWith('.')) visit(join(path, '..', name));
        else if (!isBuiltin(name)) packages.add(name);
      }
    };
    visit(start);
    return { packages, bytes, files: seen.size };
  }
  const entry = 'dist/cli.js';
  const runProgram = () => {
    const [, name] = /import\(["']\.\/(run-program-[^"']+)["']\)/.exec(readFileSync(entry, 'utf8')) ?? [];
    return join('dist', name ?? 'absent');
  };

  it('prints the version and help without a package, and starts a command with the parser alone', () => {
    expect(galley(nowhere, ['--version']).stdout).toBe(`${galleyVersion}\n`);
    expect([...closure(entry).packages]).toEqual([]);
    const program = closure(runProgram());
    expect([...program.packages]).toEqual(['commander']);
    expect(program.files).toBeLessThan(25);
    expect(program.bytes).toBeLessThan(80_000);
  });

  it('is judged by a look that sees packages where there are some', () => {
    expect([...closure('dist/index.js').packages]).toContain('zod');
  });
});
