// What the packed program keeps of a change that is larger than its pages.
import { afterAll, describe, expect, it } from 'vitest';
import { type ScratchRepository, scratchRepository } from '../../src/git/testing/scratch-repository.js';
import { runPacked } from './packed-program.js';

const made: ScratchRepository[] = [];
afterAll(() => {
  for (const repository of made) repository.dispose();
});

type Files = Readonly<Record<string, string>>;

function changed(before: Files, after: Files): ScratchRepository {
  const repository = scratchRepository();
  made.push(repository);
  for (const [path, text] of Object.entries(before)) repository.write(path, text);
  repository.commit('before');
  for (const [path, text] of Object.entries(after)) repository.write(path, text);
  repository.commit('after');
  return repository;
}

interface Answer {
  readonly chunks: readonly { readonly text: string; readonly tokens: number; readonly files: string[] }[];
  readonly omitted: readonly { readonly path: string; readonly partial?: boolean }[];
}

async function chunks(repository: ScratchRepository, request: object): Promise<Answer> {
  const asked = { mode: 'commit', maxPages: 1, meter: 'chars/4', ...request };
  const run = await runPacked(['call', 'review:chunks'], {
    cwd: repository.folder,
    input: JSON.stringify(asked),
  });
  expect([run.exit, run.stderr]).toEqual([0, '']);
  return JSON.parse(run.stdout) as Answer;
}

const sentences = (name: string, count: number) =>
  Array.from({ length: count }, (_, at) => `The ${name} has a part ${at}, which is told here.\n`).join('');
const tests = (name: string, count: number) =>
  Array.from(
    { length: count },
    (_, at) => `it('${name} ${at}', () => expect(${name}(${at})).toBe(${at}));\n`,
  ).join('');
const library = (signature: string, gone: string) =>
  [
    'const first = 1;\nconst second = 2;\nconst third = 3;\n\n',
    `export function load(${signature}): number {\n  const size = first + second;\n  return size + third;\n}\n\n`,
    'const fourth = 4;\nconst fifth = 5;\nconst sixth = 6;\nconst seventh = 7;\nconst eighth = 8;\n\n',
    gone,
    'export function store(): number {\n  return fourth + fifth + sixth + seventh + eighth;\n}\n',
  ].join('');

describe('one page of a larger change', () => {
  it('holds changed signatures and deleted symbols before tests, and tests before prose [R5]', async () => {
    const gone = 'export function drop(): number {\n  return fourth;\n}\n\n';
    const repository = changed(
      {
        'src/library.ts': library('name: string', gone),
        'docs/guide.md': 'Guide\n',
        'test/load.test.ts': '',
      },
      {
        'src/library.ts': library('name: string, limit: number', ''),
        'docs/guide.md': sentences('guide', 60),
        'test/load.test.ts': tests('load', 60),
      },
    );
    const { chunks: few } = await chunks(repository, { maxPromptTokens: 520 });
    expect(few[0]?.text).toContain('+export function load(name: string, limit: number): number {');
    expect(few[0]?.text).toContain('-export function drop(): number {');
    expect(few[0]?.files).not.toContain('docs/guide.md');
    const { chunks: more } = await chunks(repository, { maxPromptTokens: 1100 });
    expect(more[0]?.files).toEqual(expect.arrayContaining(['src/library.ts', 'test/load.test.ts']));
    // Prose gets no more than what no further part of the tests fits into.
    const shown = (sign: RegExp) => more[0]?.text.match(sign)?.length ?? 0;
    expect(shown(/^\+it\(/gm)).toBeGreaterThan(2 * shown(/^\+The guide/gm));
  });

  it('holds a few lines of code before a test that says more, and says what is not shown of it [R24]', async () => {
    const fresh = (methods: string) =>
      `function fresh(request) {\n  var method = request.method;\n\n  if (${methods}) return false;\n\n  return compare(request);\n}\n`;
    const repository = changed(
      {
        'lib/request.js': fresh("method !== 'GET'"),
        'test/fresh.js': "describe('fresh', function () {\n});\n",
      },
      {
        'lib/request.js': fresh("method !== 'GET' && method !== 'QUERY'"),
        'test/fresh.js': `describe('fresh', function () {\n${tests('fresh', 60)}});\n`,
      },
    );
    const promptOf = async (maxPromptTokens: number) => {
      const run = await runPacked(['call', 'review:run'], {
        cwd: repository.folder,
        input: JSON.stringify({ mode: 'commit', maxPages: 1, dryRun: true, maxPromptTokens }),
      });
      expect(run.exit).toBe(0);
      return (JSON.parse(run.stdout) as { pages: { prompt: string }[] }).pages[0]?.prompt ?? '';
    };
    const code = "+  if (method !== 'GET' && method !== 'QUERY') return false;";
    expect(await promptOf(1800)).toContain(code);
    const more = await promptOf(2600);
    expect(more).toContain(code);
    const shown = more.match(/^\+it\(/gm)?.length ?? 0;
    expect(shown).toBeGreaterThan(5);
    expect(more).toContain(
      `## test/fresh.js\nmodified +${shown} -0; in part: ${60 - shown} added and 0 removed lines more are not shown\n`,
    );
  });

  it('holds a small change of high risk beside one large file [R24]', async () => {
    const check = (body: string) => `export function permits(user: User): boolean {\n  return ${body};\n}\n`;
    const repository = changed(
      {
        'src/auth/permits.ts': check('user.isAdmin && user.isActive'),
        'src/area.ts': 'export const one = 1;\n',
      },
      {
        'src/auth/permits.ts': check('user.isActive'),
        'src/area.ts': Array.from(
          { length: 300 },
          (_, at) => `export const area${at} = compute(${at});\n`,
        ).join(''),
        'src/colour.ts': Array.from(
          { length: 6 },
          (_, at) => `export const colour${at} = mix(${at});\n`,
        ).join(''),
      },
    );
    const { chunks: few } = await chunks(repository, { maxPromptTokens: 1200 });
    expect(few[0]?.files).toEqual(expect.arrayContaining(['src/area.ts', 'src/auth/permits.ts']));
  });

  it('leaves nothing unspent that a part of the code would fit into [R24]', async () => {
    const module = (name: string, count: number, word: string) =>
      Array.from({ length: count }, (_, at) => `export const ${name}${at} = ${word}(${at});\n`).join('');
    const paths = Array.from({ length: 140 }, (_, at) => `src/part${at}.ts`);
    const of = (word: string) =>
      Object.fromEntries(paths.map((path, at) => [path, module(`part${at}x`, 3 + (at % 5), word)]));
    const repository = changed(of('before'), of('after'));
    for (const maxPromptTokens of [7000, 8000]) {
      const asked = { maxPromptTokens, meter: 'o200k_base' };
      const { chunks: few, omitted } = await chunks(repository, asked);
      const whole = omitted.filter(({ partial }) => !partial);
      expect(whole.length).toBeGreaterThan(10);
      // The smallest of the files takes 130 tokens.
      expect(maxPromptTokens - few[0]!.tokens).toBeLessThan(130);
    }
  });

  it('shows every line again with more room, but for a twentieth that filled leftover room [R23]', async () => {
    const paths = Array.from({ length: 30 }, (_, at) => `src/part${at}.ts`);
    const of = (word: string) =>
      Object.fromEntries(
        paths.map((path, at) => [
          path,
          Array.from(
            { length: 4 + ((at * 7) % 11) },
            (_, line) => `export const p${at}x${line} = ${word};\n`,
          ).join(''),
        ]),
      );
    const repository = changed(of('before'), of('after'));
    const shown = async (maxPromptTokens: number) => {
      const { chunks: few } = await chunks(repository, { maxPromptTokens });
      return few[0]!.text.split('\n').filter((line) => /^[-+]export/.test(line));
    };
    const less = await shown(1500);
    const more = new Set(await shown(3000));
    expect(less.length).toBeGreaterThan(20);
    const lost = less.filter((line) => !more.has(line)).join('\n').length / 4;
    expect(lost).toBeLessThanOrEqual(0.05 * 3000);
    expect(more.size).toBeGreaterThan(less.length);
  });
});
