// The built command line: what it says when nobody says what, in which language, and what it loads to say so.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
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

function galley(folder: string, args: readonly string[], env: NodeJS.ProcessEnv = {}, input = '{}') {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], {
    cwd: folder,
    input,
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
    expect(stdout.match(/^ {2}galley /gm)).toHaveLength(4);
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
    expect(english.stderr.split('\n')[1]).toMatch(/^ {2}next: galley /);
    expect(chinese.stderr.split('\n')[0]).toContain(meant);
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

describe('Chinese', () => {
  const told = (args: readonly string[]) => {
    const { stdout, stderr } = galley(repository.folder, ['--lang', 'zh', ...args]);
    return stdout + stderr;
  };

  it.each([
    [['doctor'], '仓库         带工作区的仓库\n', /work tree/],
    [
      ['review', '--explain'],
      /由规则决定，置信度 [\d.]+：只有规则的意见\n/,
      /by rule|_rule_alone|^ {2}(?:title|diff) /m,
    ],
    [
      ['review', '--model', 'openai/gpt-5.2', '--dry-run'],
      /^----- 第 1 页，连同系统提示 \d+ 个 token -----$/m,
      /----- (?:page|system)/,
    ],
    [['write', 'skills'], /^polish +润色文本 +内置 /m, /built-in/],
    [['report', '--help'], /github；\s*默认：markdown/, /; 默认/],
  ] as const)('is what %j speaks, to the last word', (args, wanted, remains) => {
    const text = told(args);
    expect(text).toMatch(wanted);
    expect(text).not.toMatch(remains);
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

  it('prints the version and help by little, and starts a command with the parser alone', () => {
    expect(galley(nowhere, ['--version']).stdout).toBe(`${galleyVersion}\n`);
    expect([...closure(entry).packages]).toEqual([]);
    expect(closure(entry).bytes).toBeLessThan(10_000);
    const program = closure(runProgram());
    expect([...program.packages]).toEqual([]);
    expect(program.files).toBeLessThan(25);
    // The words of the help are half of it, the parser most of the rest.
    expect(program.bytes).toBeLessThan(275_000);
  });

  it('is judged by a look that sees packages where there are some', () => {
    const store = readdirSync('dist').find((name) => name.startsWith('open-store-')) ?? 'absent';
    expect([...closure(join('dist', store)).packages]).toContain('kysely');
  });

  it('holds of zod only what is used, and none of its languages but one', () => {
    const pure = 'pure.js';
    const program = readdirSync('dist').filter((name) => name.endsWith('.js') && name !== pure);
    for (const names of [program, [pure]]) {
      const text = names.map((name) => readFileSync(join('dist', name), 'utf8')).join('');
      expect(text).not.toMatch(/^(?:import|export)\b[^;'"]*?["']zod/m);
      expect(text.match(/zod\/v4\/locales\/\S+/g)).toEqual(['zod/v4/locales/en.js']);
    }
  });
});

describe('galley review on the command line', () => {
  const flagsOfARun = [['--fail-level', 'high'], ['--format', 'sarif'], ['--max-cost', '1'], ['--fresh']];
  it.each(flagsOfARun)('refuses %s without a model, for nobody would look', (...flags) => {
    const { status, stdout, stderr } = galley(repository.folder, ['review', ...flags]);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toContain(`${flags[0]} is for a review by a model; add --model`);
  });

  it.each([
    [['review', 'main'], 'review takes a range, base..head; name one revision with --base'],
    [['agent', 'rnu'], 'did you mean "run"?'],
    [['mcp', 'instal'], 'did you mean "install"?'],
    [['review', '--base', 'mian'], '--base: names no commit here; did you mean "main"?'],
    [['review', '--commit', 'v9.9.9'], '--commit: names no commit here; check its spelling'],
    [['review', '--max-pages', 'x'], '--max-pages: must be a whole number, 1 or more'],
    [['review', '--budget', '1'], '--budget allows 1'],
    [['review', '--model', 'openai/x', '--timeout', '0'], '--timeout: must be a whole number, 1 or more'],
  ])('says what to write instead of %j', (args, words) => {
    const { status, stderr } = galley(repository.folder, args);
    expect(stderr).toContain(words);
    expect(status).toBe(args.includes('--budget') ? 6 : 2);
  });

  it('reviews in a real pre-commit hook what the commit will hold', () => {
    const hooked = scratchRepository();
    try {
      hooked.write('a.txt', 'one\n');
      hooked.write('b.txt', 'one\n');
      hooked.commit('start');
      const seen = join(nowhere, 'seen.json');
      hooked.write(
        '.git/hooks/pre-commit',
        `#!/bin/sh\n'${process.execPath}' '${bin}' review --staged --json > '${seen}'\n`,
      );
      hooked.executable('.git/hooks/pre-commit', true);
      const files = () =>
        JSON.parse(readFileSync(seen, 'utf8')).chunks.flatMap((chunk: { files: string[] }) => chunk.files);
      hooked.write('a.txt', 'two\n');
      hooked.git('commit', '-q', '-a', '-m', 'all');
      expect(files()).toEqual(['a.txt']);
      hooked.write('a.txt', 'three\n');
      hooked.write('b.txt', 'three\n');
      hooked.git('add', 'b.txt');
      hooked.git('commit', '-q', '-m', 'only', '-o', 'a.txt');
      expect(files()).toEqual(['a.txt']);
    } finally {
      hooked.dispose();
    }
  });
});

describe('galley report', () => {
  const answers = JSON.stringify({
    findings: [
      {
        path: 'a.ts',
        side: 'new',
        startLine: 1,
        endLine: 1,
        severity: 'high',
        category: 'style',
        confidence: 1,
        title: 'T',
        message: 'M',
        evidence: '',
      },
    ],
  });

  it('reads answers from standard input', () => {
    const { status, stdout } = galley(
      repository.folder,
      ['report', '-', '--fail-level', 'high'],
      {},
      answers,
    );
    expect(status).toBe(1);
    expect(stdout).toContain('**T**');
  });

  it('writes the report in the language people chose, and in JSON always the same', () => {
    const english = galley(repository.folder, ['report', '-'], {}, answers);
    expect(english.stdout).toContain('### Review by galley');
    for (const [args, env] of [
      [['--lang', 'zh'], {}],
      [[], { LC_ALL: 'zh_CN.UTF-8' }],
    ] as const)
      expect(galley(repository.folder, [...args, 'report', '-'], env, answers).stdout).toContain(
        '### 代码审查',
      );
    const json = (env: NodeJS.ProcessEnv) =>
      galley(repository.folder, ['report', '-', '--json'], env, answers).stdout;
    expect(json({ LC_ALL: 'zh_CN.UTF-8' })).toBe(json({}));
  });

  it('calls a review incomplete when an answer ends in the middle, and says so only once', () => {
    const { status, stdout, stderr } = galley(repository.folder, ['report', '-'], {}, answers.slice(0, -3));
    expect(status).toBe(3);
    expect(stdout).toContain('Of 1 answer, 1 could not be read in full.');
    expect(stdout).not.toContain('Complete:');
    expect(stderr).toContain('(ANSWER_REPAIRED)');
  });

  it('does not claim to have used what it could not read', () => {
    const told = galley(repository.folder, ['--lang', 'zh', 'report', '-'], {}, 'Looks good to me.');
    expect(told.status).toBe(3);
    expect(told.stderr).toContain('视为未审查');
    expect(told.stderr).not.toContain('修正后采用');
  });
});
