import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sweepSize } from '../../test/sweep-size.js';
import { outline } from './outline.js';
import { lineKind, type Outline } from './syntax/outline-model.js';

const folder = new URL('./fixtures/', import.meta.url);
const fixtures = readdirSync(folder)
  .filter((name) => name.endsWith('.txt'))
  .map((name) => ({ path: name.replace(/\.txt$/, ''), text: readFileSync(new URL(name, folder), 'utf8') }));
const paths = [
  ...fixtures.map(({ path }) => path),
  'a.md',
  'a.yaml',
  'a.json',
  'a.toml',
  'a.vue',
  'a.css',
  'Makefile',
  'notes',
];
const stretch = fc.constantFrom(...fixtures).chain(({ text }) => {
  const lines = text.split('\n');
  return fc
    .tuple(fc.nat({ max: lines.length - 1 }), fc.integer({ min: 1, max: 25 }))
    .map(([from, count]) => lines.slice(from, from + count).join('\n'));
});

const oddities = fc.constantFrom(
  '\u2028',
  '\u0000',
  '\r',
  '\ufeff',
  '"""',
  '`',
  '/*',
  '*/',
  '{{',
  '}',
  '((((',
  '<<<<<<< ours',
  '=======',
  '>>>>>>> theirs',
  '😀',
  '\ud800',
  '\t',
);
const messyText = fc
  .array(fc.oneof(stretch, oddities, fc.string({ unit: 'binary', maxLength: 20 })), {
    maxLength: 40,
  })
  .chain((parts) => fc.constantFrom('\n', '\r\n', '').map((end) => parts.join(end)));

function expectSound(found: Outline, text: string): void {
  const lineCount = text === '' ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  expect(found.lineCount).toBe(lineCount);
  expect(found.lineKinds.length).toBe(lineCount);
  for (const [at, symbol] of found.symbols.entries()) {
    const previous = found.symbols[at - 1] ?? symbol;
    expect(previous.startLine).toBeLessThanOrEqual(symbol.startLine);
    // Neighbours share at most the line where one ends and the other begins.
    const crossing =
      previous.startLine < symbol.startLine &&
      symbol.startLine < previous.endLine &&
      previous.endLine < symbol.endLine;
    expect(crossing).toBe(false);
    expect(symbol.startLine).toBeGreaterThanOrEqual(1);
    expect(symbol.endLine).toBeLessThanOrEqual(lineCount);
    expect(symbol.signatureEndLine).toBeGreaterThanOrEqual(symbol.startLine);
    expect(symbol.signatureEndLine).toBeLessThanOrEqual(symbol.endLine);
    if (symbol.parent === undefined) continue;
    expect(symbol.parent).toBeLessThan(at);
    const parent = found.symbols[symbol.parent]!;
    expect(parent.startLine).toBeLessThanOrEqual(symbol.startLine);
    expect(parent.endLine).toBeGreaterThanOrEqual(symbol.endLine);
  }
  for (const { startLine, endLine } of [...found.imports, ...found.roles]) {
    expect(startLine).toBeGreaterThanOrEqual(1);
    expect(endLine).toBeGreaterThanOrEqual(startLine);
    expect(endLine).toBeLessThanOrEqual(lineCount);
  }
  for (const { line } of found.uses) expect(line).toBeLessThanOrEqual(lineCount);
}

describe('laws of outlines', () => {
  it('answers any text in any language with ranges inside the file and symbols that nest', async () => {
    const numRuns = sweepSize('outlines of broken files', { everyRun: 120, nightly: 5000 });
    const reached = { parsed: 0, plain: 0, damaged: 0, nested: 0 };
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), messyText, async (path, text) => {
        const found = await outline(path, text, { uses: true, roles: true });
        reached[found.parsed ? 'parsed' : 'plain'] += 1;
        if (found.damaged) reached.damaged += 1;
        if (found.symbols.some(({ parent }) => parent !== undefined)) reached.nested += 1;
        expectSound(found, text);
      }),
      { numRuns },
    );
    expect(Math.min(...Object.values(reached))).toBeGreaterThan(numRuns / 15);
  });

  it('keeps every symbol when a comment is appended', async () => {
    const numRuns = sweepSize('outlines of cut files', { everyRun: 60, nightly: 2000 });
    let reached = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...fixtures),
        fc.double({ min: 0, max: 1, noNaN: true }),
        async ({ path, text }, share) => {
          const lines = text.split('\n');
          const head = lines.slice(0, Math.ceil(lines.length * share)).join('\n');
          // An open statement reaches to the end of the file, whatever stands there.
          if (path.endsWith('.sql') && head.trimEnd() !== text.trimEnd()) return;
          const found = await outline(path, head);
          if (found.damaged) return;
          const comment = /\.(?:py|rb|sh)$/.test(path)
            ? '# the end'
            : path.endsWith('.sql')
              ? '-- the end'
              : '// the end';
          const longer = await outline(path, `${head}\n${comment}\n`);
          if (longer.damaged) return;
          reached += 1;
          const shape = ({ symbols }: Outline) =>
            symbols.map(({ name, kind, startLine, endLine }) => ({ name, kind, startLine, endLine }));
          expect(shape(longer)).toEqual(shape(found));
        },
      ),
      { numRuns },
    );
    expect(reached).toBeGreaterThan(numRuns / 5);
  });

  it('holds on every fixture as it stands', async () => {
    for (const { path, text } of fixtures)
      expectSound(await outline(path, text, { uses: true, roles: true }), text);
  });

  it('gives the same answer twice', async () => {
    for (const { path, text } of fixtures) {
      expect(await outline(path, text, { uses: true, roles: true })).toEqual(
        await outline(path, text, { uses: true, roles: true }),
      );
    }
  });

  it('calls a line blank exactly when nothing but whitespace stands on it', async () => {
    for (const { path, text } of fixtures) {
      const { lineKinds } = await outline(path, text);
      for (const [at, kind] of lineKinds.entries()) {
        expect([path, at + 1, kind === lineKind.blank]).toEqual([
          path,
          at + 1,
          text.split('\n')[at]!.trim() === '',
        ]);
      }
    }
  });

  it('holds no more memory after many outlines than after twenty', async () => {
    const text = Array.from({ length: 4 }, () => fixtures.find(({ path }) => path === 'box.ts')!.text).join(
      '\n',
    );
    for (let run = 0; run < 20; run += 1) await outline('box.ts', text);
    const before = process.memoryUsage().external;
    const many = sweepSize('outlines after which no memory is held', { everyRun: 80, nightly: 2000 });
    for (let run = 0; run < many; run += 1) await outline('box.ts', text);
    // The parser's memory counts as external; eighty undeleted trees of this size add twenty megabytes.
    expect(process.memoryUsage().external - before).toBeLessThan(10_000_000);
  });
});
