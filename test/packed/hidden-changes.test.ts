// What a change does to keep itself from being read, through the packed program: a warning above everything, and an exit code.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ScratchRepository, scratchRepository } from '../../src/git/testing/scratch-repository.js';
import { runPacked } from './packed-program.js';

let repository: ScratchRepository;

const code = 'export function pay(amount: number): number {\n  return amount;\n}\n';

beforeAll(() => {
  repository = scratchRepository();
  for (const path of ['src/header.ts', 'src/nul.ts', 'src/old.ts', 'src/attribute.ts', 'src/plain.ts'])
    repository.write(path, path === 'src/old.ts' ? `// @generated\n${code}` : code);
  repository.commit('before');
});
afterAll(() => repository?.dispose());

const worse = code.replace('amount;', 'amount * 0;');
const hiding: [string, Record<string, string>, RegExp][] = [
  [
    'a new header',
    { 'src/header.ts': `// @generated\n${worse}` },
    /header calls them generated: src\/header\.ts; this change added the header to 1 of them/,
  ],
  [
    'a new file that calls itself generated',
    { 'src/fresh.ts': `// @generated\n${code}` },
    /: src\/fresh\.ts; this change added the header to 1 of them/,
  ],
  [
    'a header that was there',
    { 'src/old.ts': `// @generated\n${worse}` },
    /header calls them generated: src\/old\.ts/,
  ],
  ['a NUL byte', { 'src/nul.ts': `${worse}// \0\n` }, /NUL byte makes them binary: src\/nul\.ts/],
  [
    'a folder of build output',
    { 'dist/pay.js': worse },
    /because of their folder, name or size: dist\/pay\.js/,
  ],
  [
    'attributes of its own',
    { '.gitattributes': 'src/attribute.ts linguist-generated\n', 'src/attribute.ts': worse },
    /because \.gitattributes says so: src\/attribute\.ts; this change edits \.gitattributes/,
  ],
  [
    'a list of what to ignore',
    { '.galleyignore': 'src/plain.ts\n', 'src/plain.ts': worse },
    /edits what steers a review \(\.galleyignore\)/,
  ],
  [
    'a configuration of the review',
    { 'galley.config.yaml': 'ignore: [src/plain.ts]\n', 'src/plain.ts': worse },
    /edits what steers a review \(galley\.config\.yaml\)/,
  ],
];

describe.each(hiding)('a change with %s', (_, files, said) => {
  beforeAll(() => {
    for (const [path, text] of Object.entries(files)) repository.write(path, text);
    repository.commit('hides');
  });
  afterAll(() => {
    repository.git('reset', '-q', '--hard', 'HEAD~1');
  });

  it('is named above the table, in every answer, and fails the build that asks for it [R12]', async () => {
    const galley = (args: readonly string[], input = '') =>
      runPacked(args, { cwd: repository.folder, input });
    const shown = await galley(['review', '--commit', 'HEAD']);
    expect(shown.exit).toBe(0);
    const [top = ''] = shown.stdout.replaceAll(/\s+/g, ' ').split(/\bTokens\b|Left out/i);
    expect(top).toMatch(said);
    for (const operation of ['review:changes', 'review:plan', 'review:chunks', 'review:bundles']) {
      const { stdout } = await galley(['call', operation], '{"mode":"commit"}');
      const { warnings } = JSON.parse(stdout) as { warnings: { code: string; message: string }[] };
      const hidden = warnings.filter((warning) => warning.code === 'CHANGE_HIDES_ITSELF');
      expect(hidden.map(({ message }) => message).join('\n')).toMatch(said);
    }
    const isLeftOut = !/steers/.test(String(said)) || 'src/plain.ts' in files;
    const strict = await galley(['review', '--commit', 'HEAD', '--fail-on-partial']);
    expect(strict.exit).toBe(isLeftOut ? 3 : 0);
  });
});

describe('a change that hides nothing', () => {
  it('has no such warning and passes a strict build [R12]', async () => {
    repository.write('src/plain.ts', worse);
    repository.commit('plain');
    const run = await runPacked(['review', '--commit', 'HEAD', '--fail-on-partial'], {
      cwd: repository.folder,
    });
    expect([run.exit, run.stderr]).toEqual([0, '']);
    expect(run.stdout).not.toContain('not read');
  });
});
