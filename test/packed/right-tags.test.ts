// What the packed program says of small changes whose tags, levels and callers were once wrong.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scratchRepository } from '../../src/git/testing/scratch-repository.js';
import { runPacked } from './packed-program.js';

interface Bundle {
  readonly meta: { readonly file_path: string; readonly location: string; readonly tags: readonly string[] };
  readonly final_context_level: string;
  readonly function_context: string | null;
  readonly callers: readonly { readonly subject: string; readonly path: string }[];
  readonly search_results: readonly { readonly type: string; readonly within?: string }[];
}

const kept = 'export function keep(a: string): string {\n  const b = a;\n  return b + remove(a);\n}\n';
const library = (sign: string, limit: number, said: string, moved: string) =>
  `export function remove(a: string${sign}): string {\n  return a;\n}\n\n${moved}\nexport const limit = ${limit};\n\n` +
  `export function noisy(a: string): string {\n  console.log(${said});\n  return a;\n}\n`;
const shape = (method: string) =>
  `package shape\n\ntype Render interface {\n\tDraw(${method}) error\n}\n\ntype Square struct{}\n\nfunc (s Square) Draw(a int) error { return nil }\n`;

describe('small changes', () => {
  const repository = scratchRepository();
  afterAll(() => repository.dispose());
  let bundles: readonly Bundle[] = [];
  const of = (path: string) => bundles.filter(({ meta }) => meta.file_path === path);
  const tagsOf = (path: string) => of(path).flatMap(({ meta }) => meta.tags);

  beforeAll(async () => {
    const write = (files: Readonly<Record<string, string>>, message: string) => {
      for (const [path, text] of Object.entries(files)) repository.write(path, text);
      repository.commit(message);
    };
    write(
      {
        'src/lib.ts': library('', 10, "'one'", kept),
        'src/use.ts': "import { limit, remove } from './lib';\nexport const used = remove('a') + limit;\n",
        'Pay.cs': 'public class Pay {\n  public int Sum(int a) {\n    return a;\n  }\n}\n',
        'shape.go': shape('a int'),
        'steer.ts': 'export function steer(a: any) {\n  return a.b;\n}\n',
        'start.ts': 'export const start = 1;\n',
      },
      'before',
    );
    write(
      {
        'src/lib.ts': library(', b = 1', 20, 'remove(a)', ''),
        'src/kept.ts': `import { remove } from './lib';\n\n${kept}`,
        'src/lib.test.ts':
          "import { remove } from './lib';\nit('removes', () => expect(remove('a')).toBe('a'));\n",
        'Pay.cs': 'public class Pay {\n  public int Sum(int a, int b) {\n    return a;\n  }\n}\n',
        'shape.go': shape('a int, b int'),
        'steer.ts': 'export function steer(a: any) {\n  // @ts-ignore\n  return a.b;\n}\n',
        'start.ts': "import './polyfill';\nexport const start = 1;\n",
      },
      'after',
    );
    const input = JSON.stringify({ repo: '.', mode: 'commit' });
    const run = await runPacked(['call', 'review:bundles'], { cwd: repository.folder, input });
    expect([run.exit, run.stderr]).toEqual([0, '']);
    ({ bundles } = JSON.parse(run.stdout) as { bundles: readonly Bundle[] });
  });

  it('a new file of tests, or of what stood elsewhere, needs nothing beside its diff [R7]', () => {
    for (const path of ['src/lib.test.ts', 'src/kept.ts'])
      expect(of(path).map((one) => [one.final_context_level, one.function_context])).toEqual([
        ['diff_only', null],
        ['diff_only', null],
      ]);
  });

  it('what others may use is public, and who implements an interface is found [R8]', () => {
    expect(tagsOf('Pay.cs')).toContain('public_api');
    expect(tagsOf('src/lib.ts')).toContain('public_api');
    expect(of('src/lib.ts').flatMap(({ callers }) => callers)).toContainEqual(
      expect.objectContaining({ subject: 'limit', path: 'src/use.ts' }),
    );
    expect(of('shape.go').flatMap(({ search_results }) => search_results)).toContainEqual(
      expect.objectContaining({ type: 'search_implementations', within: 'Square' }),
    );
  });

  it('what tools obey, logs that do something and imports for their effect are no small matters [R9]', () => {
    expect(tagsOf('steer.ts')).toEqual(['directive_comment']);
    expect(tagsOf('start.ts')).toEqual(['module_code']);
    expect(bundles.flatMap(({ meta }) => meta.tags)).not.toContain('logging_only');
  });

  it('callers in other files come first [R10]', () => {
    const callers =
      of('src/lib.ts').find(({ meta }) => meta.tags.includes('signature_change'))?.callers ?? [];
    expect(callers.map(({ path }) => path)).toEqual([
      'src/kept.ts',
      'src/use.ts',
      'src/lib.test.ts',
      'src/lib.ts',
    ]);
  });

  it('what only changed its file is moved, not deleted and added [R20]', () => {
    expect(tagsOf('src/kept.ts')).toContain('moved_code');
    expect(tagsOf('src/lib.ts')).toContain('moved_code');
    expect(bundles.flatMap(({ meta }) => meta.tags)).not.toContain('deleted_symbol');
  });
});
