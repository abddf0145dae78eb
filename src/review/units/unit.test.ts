import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readChangeSet } from '../../git/changes/read-change-set.js';
import { openRepository } from '../../git/repository/open-repository.js';
import { type ScratchRepository, scratchRepository } from '../../git/testing/scratch-repository.js';
import { tortureRepository } from '../../git/testing/torture-repository.js';
import { readChangedFiles } from './changed-file.js';
import { changedLines, compactLines } from './changed-lines.js';
import { makeUnits, type ReviewUnit } from './unit.js';

async function unitsOf(folder: string, commit = 'HEAD') {
  const repository = await openRepository(folder);
  try {
    const change = await readChangeSet(repository, { mode: 'commit', commit });
    const files = await readChangedFiles(repository, change.entries);
    return { files, units: makeUnits(files) };
  } finally {
    await repository.close();
  }
}

const key = (unit: ReviewUnit) => unit.lines.map(({ hunk, place }) => `${hunk}:${place}`);

function checkLaw({ files, units }: Awaited<ReturnType<typeof unitsOf>>): number {
  let lines = 0;
  for (const file of files) {
    const own = units.filter((unit) => unit.file === file);
    const held = own.flatMap(key).sort();
    expect(held).toEqual(
      changedLines(file.patch)
        .map(({ hunk, place }) => `${hunk}:${place}`)
        .sort(),
    );
    expect(new Set(held).size).toBe(held.length);
    expect(own.length).toBeGreaterThan(0);
    lines += held.length;
  }
  expect(new Set(units.map(({ id }) => id)).size).toBe(units.length);
  return lines;
}

/** A source file as a list of blocks, each a symbol or loose lines in one language. */
const writers: Record<string, (name: string, body: readonly string[]) => string> = {
  ts: (name, body) =>
    `export function ${name}(a: number) {\n${body.map((one) => `  use('${one}');\n`).join('')}}\n\n`,
  py: (name, body) => `def ${name}(a):\n${body.map((one) => `    use("${one}")\n`).join('')}    return a\n\n`,
  go: (name, body) =>
    `// ${name} does.\nfunc ${name}(a int) {\n${body.map((one) => `\tuse("${one}")\n`).join('')}}\n\n`,
  yaml: (name, body) => `${name}:\n${body.map((one) => `  - ${one}\n`).join('')}`,
};
const block = fc.record({
  name: fc.constantFrom('alpha', 'beta', 'gamma', 'delta', 'epsilon'),
  body: fc.array(fc.constantFrom('one', 'two', 'three', 'four'), { maxLength: 5 }),
});
const version = fc.uniqueArray(block, { selector: ({ name }) => name, maxLength: 5 });

describe('units', () => {
  let repository: ScratchRepository;
  beforeAll(() => {
    repository = scratchRepository();
  });
  afterAll(() => repository.dispose());

  it('hold every changed line exactly once [unit.shape]', async () => {
    const pairs = fc.sample(fc.tuple(fc.constantFrom(...Object.keys(writers)), version, version), {
      numRuns: 150,
      seed: 7,
    });
    const text = (language: string, blocks: readonly { name: string; body: readonly string[] }[]) =>
      blocks.map(({ name, body }) => writers[language]!(name, body)).join('');
    for (const [at, [language, before]] of pairs.entries())
      if (before.length > 0) repository.write(`many/f${at}.${language}`, text(language, before));
    repository.commit('before');
    for (const [at, [language, , after]] of pairs.entries())
      if (after.length > 0) repository.write(`many/f${at}.${language}`, text(language, after));
      else repository.remove(`many/f${at}.${language}`);
    repository.commit('after');
    const found = await unitsOf(repository.folder);
    expect(checkLaw(found)).toBeGreaterThan(500);
    expect(new Set(found.units.map(({ patchType }) => patchType))).toEqual(
      new Set(['add', 'modify', 'delete', 'rename']),
    );
    expect(
      found.units.filter(({ lines, place }) => lines.length > 0 && place === 'symbol').length,
    ).toBeGreaterThan(100);
  });

  it('hold the lines of every kind of entry git knows [unit.shape]', async () => {
    const { repository: torture } = tortureRepository();
    try {
      const found = await unitsOf(torture.folder);
      checkLaw(found);
      expect(found.units.find(({ path }) => path === 'moved/rename-pure.txt')).toMatchObject({
        patchType: 'rename',
        lines: [],
      });
    } finally {
      torture.dispose();
    }
  });

  it('group hunks by symbol, a deletion by the symbol it stood in [unit.shape]', async () => {
    const source = (first: string, middle: string, last: string) =>
      `import { a } from './a';\n${middle}\nexport class Box {\n  size = ${first};\n\n  open(key: string) {\n    const lid = ${first};\n${'    step();\n'.repeat(12)}    return lid + ${last};\n  }\n}\n`;
    repository.write('box.ts', source('1', '\nfunction gone() {\n  return 1;\n}\n', '1'));
    repository.commit('before');
    repository.write('box.ts', source('2', '', '2'));
    repository.commit('after');
    const { units } = await unitsOf(repository.folder);
    expect(
      units.map(({ chain, patchType, added, removed, hunkCount }) => [
        chain.join('.'),
        patchType,
        compactLines(added),
        compactLines(removed),
        hunkCount,
      ]),
    ).toEqual([
      ['gone', 'delete', null, 'L3-L6', 1],
      ['Box', 'modify', 'L4', 'L8', 1],
      ['Box.open', 'modify', 'L7,L20', 'L11,L24', 2],
    ]);
  });

  it('keep their ids when other files or earlier lines change, and change them with their own lines [unit.shape]', async () => {
    const source = (top: string, value: number) =>
      `${top}export function pay(sum: number) {\n  return sum * ${value};\n}\n`;
    const idAfter = async (top: string, value: number, other: string) => {
      repository.write('pay.ts', source(top, 1));
      repository.write('other.ts', 'export const x = 0;\n');
      repository.commit('before');
      repository.write('pay.ts', source(top, value));
      repository.write('other.ts', other);
      repository.commit('after');
      const { units } = await unitsOf(repository.folder);
      return units.find(({ path }) => path === 'pay.ts')?.id;
    };
    const first = await idAfter('', 2, 'export const x = 1;\n');
    expect(first).toMatch(/^unit_[0-9a-f]{12}$/);
    expect(await idAfter('// note\nconst a = 1;\n\n', 2, 'export const y = 1;\n')).toBe(first);
    expect(await idAfter('', 3, 'export const x = 1;\n')).not.toBe(first);
  });
});
