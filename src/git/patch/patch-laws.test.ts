import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readChangeSet } from '../changes/read-change-set.js';
import { openRepository } from '../repository/open-repository.js';
import { type ScratchRepository, scratchFolder, scratchRepository } from '../testing/scratch-repository.js';
import { type FilePatch, hunkLines } from './patch.js';
import { asEdit, projectHunks, selectLines, withHunks, withoutIds } from './select-lines.js';
import { streamPatches } from './stream-patches.js';
import { writePatch } from './write-patch.js';

interface Pair {
  readonly before: Buffer | undefined;
  readonly after: Buffer | undefined;
  readonly renamed: boolean;
  readonly executable: boolean;
}

// Few different lines, so that hunks repeat each other and wrong offsets are not hidden by luck.
const line = fc.constantFrom(
  'a',
  'b',
  '',
  'c d',
  '-- x',
  '++ y',
  '@@ -1 +1 @@',
  '\\ No newline at end of file',
  'e\r',
  'é\u2028',
);
// Lines of their own, or git would pair creations with deletions.
const unique = fc.tuple(line, fc.nat(1e9)).map(([text, number]) => `${number}${text}`);
const body = fc
  .tuple(fc.array(unique, { maxLength: 40 }), fc.constantFrom('\n', '\n', ''))
  .map(([lines, end]) => (lines.length === 0 ? '' : lines.join('\n') + end));
const edited = fc
  .tuple(
    fc.array(fc.tuple(line, line, fc.nat(39)), { minLength: 10, maxLength: 80, size: 'max' }),
    fc.constantFrom('\n', ''),
    fc.constantFrom('\n', ''),
  )
  .map(([rows, oldEnd, newEnd]): [string, string] => {
    const before = rows.flatMap(([old, , dice]) => (dice === 0 ? [] : [old]));
    const after = rows.flatMap(([old, fresh, dice]) => (dice === 1 ? [] : [dice < 3 ? fresh : old]));
    return [
      before.length === 0 ? '' : before.join('\n') + oldEnd,
      after.length === 0 ? '' : after.join('\n') + newEnd,
    ];
  });
const pair: fc.Arbitrary<Pair> = fc
  .oneof(
    { weight: 4, arbitrary: fc.record({ texts: edited, renamed: fc.boolean(), executable: fc.boolean() }) },
    {
      weight: 2,
      arbitrary: fc.record({
        texts: fc.oneof(
          body.map((text): [undefined, string] => [undefined, text]),
          body.map((text): [string, undefined] => [text, undefined]),
          fc.tuple(body, body),
        ),
        renamed: fc.constant(false),
        executable: fc.boolean(),
      }),
    },
  )
  .filter(({ texts: [before, after] }) => before !== after)
  .map(({ texts: [before, after], renamed, executable }) => ({
    before: before === undefined ? undefined : Buffer.from(before),
    after: after === undefined ? undefined : Buffer.from(after),
    renamed,
    executable,
  }));

const cases = 150;
let source: ScratchRepository;
let pairs: Pair[];
let patches: FilePatch[];
let scratch: string;

beforeAll(async () => {
  source = scratchRepository();
  scratch = scratchFolder();
  pairs = fc.sample(pair, { numRuns: cases, seed: 20240506 });
  write(source.folder, 'before');
  source.commit('before');
  rmSync(join(source.folder, 'old'), { recursive: true, force: true });
  rmSync(join(source.folder, 'new'), { recursive: true, force: true });
  write(source.folder, 'after');
  source.commit('after');
  const repository = await openRepository(source.folder);
  const { entries } = await readChangeSet(repository, { mode: 'commit' });
  patches = [];
  for await (const patch of streamPatches(repository, entries)) patches.push(patch);
  await repository.close();
});

afterAll(() => {
  source?.dispose();
  rmSync(scratch, { recursive: true, force: true });
});

function write(folder: string, side: 'before' | 'after'): void {
  mkdirSync(join(folder, 'old'), { recursive: true });
  mkdirSync(join(folder, 'new'), { recursive: true });
  pairs.forEach((each, index) => {
    const content = each[side];
    if (content === undefined) return;
    const place = side === 'after' && each.renamed ? 'new' : 'old';
    const mode = side === 'after' && each.executable ? 0o755 : 0o644;
    writeFileSync(join(folder, place, `${index}.txt`), content, { mode });
  });
}

function sideOf(path: string, side: 'before' | 'after'): Buffer {
  return pairs[Number(/(\d+)\.txt$/.exec(path)?.[1])]?.[side] ?? Buffer.alloc(0);
}

/** A folder with the old sides of the given patches; git apply works in it without a repository. */
function oldSides(name: string): string {
  const folder = join(scratch, name);
  mkdirSync(folder);
  for (const { entry } of patches) {
    const path = entry.oldPath ?? entry.path;
    if (entry.oldMode === undefined) continue;
    const content = sideOf(path, 'before');
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), content, { mode: entry.oldMode === '100755' ? 0o755 : 0o644 });
  }
  return folder;
}

/** Git forgives wrong line numbers when the text is found elsewhere; here they must be right. */
function apply(folder: string, patch: Buffer, ...options: string[]): void {
  const result = spawnSync('git', ['apply', '-v', '--whitespace=nowarn', ...options, '-'], {
    cwd: folder,
    input: patch,
    env: { PATH: process.env.PATH ?? '', GIT_CEILING_DIRECTORIES: scratch, GIT_CONFIG_GLOBAL: '/dev/null' },
  });
  const said = result.stderr.toString();
  expect(said.split('\n').filter((line) => /offset|fuzz|error/.test(line))).toEqual([]);
  expect(result.status).toBe(0);
}

function expectNewSides(folder: string): void {
  for (const { entry } of patches) {
    if (entry.newBlob === undefined) {
      expect(() => readFileSync(join(folder, entry.path))).toThrow();
      continue;
    }
    const wanted = sideOf(entry.path, 'after');
    expect(readFileSync(join(folder, entry.path)).equals(wanted), entry.path).toBe(true);
  }
}

/** Each piece applies on the result of the one before; facts about the file stand on the first, a deletion on the last. */
function inPieces(
  patch: FilePatch,
  count: number,
  pieceOf: (hunk: number, line: number) => number,
): FilePatch[] {
  if (patch.hunks.length === 0 || count === 1) return [patch];
  return Array.from({ length: count }, (_, piece) => {
    const hunks = projectHunks(patch, (hunk, line) => {
      const own = pieceOf(hunk, line);
      return own < piece ? 'before' : own === piece ? 'now' : 'later';
    });
    const { header } = patch;
    const isDeletion = header.change === 'delete';
    if (piece === (isDeletion ? count - 1 : 0)) return withHunks(patch, withoutIds(header), hunks);
    return withHunks(patch, asEdit(header, isDeletion ? 'old' : 'new'), hunks);
  });
}

describe('laws of patches', () => {
  it('reaches the interesting cases', () => {
    const count = (test: (patch: FilePatch) => boolean) => patches.filter(test).length;
    expect(patches.length).toBeGreaterThan(cases * 0.9);
    expect(count(({ hunks }) => hunks.length > 1)).toBeGreaterThan(5);
    expect(count(({ header }) => header.change === 'create')).toBeGreaterThan(5);
    expect(count(({ header }) => header.change === 'delete')).toBeGreaterThan(5);
    expect(count(({ header, hunks }) => header.change === 'rename' && hunks.length > 0)).toBeGreaterThan(3);
    expect(count(({ header }) => header.oldMode === '100644' && header.newMode === '100755')).toBeGreaterThan(
      5,
    );
    expect(
      count(({ hunks }) => hunks.some((hunk) => hunkLines(hunk).some(({ noNewline }) => noNewline))),
    ).toBeGreaterThan(20);
  });

  it('writing back is byte-exact', () => {
    const flags = ['-r', '-p', '--full-index', '-C50%', '-l1000', '--diff-algorithm=histogram'];
    const theirs = source.raw(['diff-tree', ...flags, 'HEAD~1', 'HEAD']);
    expect(Buffer.concat(patches.map(writePatch)).equals(theirs)).toBe(true);
  });

  it('selecting every line gives the patch itself through the projection', () => {
    for (const patch of patches) {
      const projected = { ...patch, hunks: projectHunks(patch, () => 'now') };
      expect(writePatch(projected).equals(writePatch(patch))).toBe(true);
    }
  });

  it('the whole patch turns the old side into the new side', () => {
    const folder = oldSides('whole');
    apply(folder, Buffer.concat(patches.map(writePatch)));
    expectNewSides(folder);
  });

  it('any subset of hunks or changed lines is accepted by git apply', () => {
    const folder = oldSides('subsets');
    const dice = fc.sample(fc.infiniteStream(fc.nat(99)), { numRuns: 4, seed: 7 });
    for (const stream of dice) {
      const numbers = stream[Symbol.iterator]();
      const roll = () => numbers.next().value as number;
      const threshold = 20 + (roll() % 60);
      const byLine = patches.map((patch) => {
        const answers = new Map<string, boolean>();
        return selectLines(patch, (hunk, at) => {
          const key = `${hunk}:${at}`;
          if (!answers.has(key)) answers.set(key, roll() < threshold);
          return answers.get(key)!;
        });
      });
      const byHunk = patches.map((patch) => {
        const wanted = new Set([...patch.hunks.keys()].filter(() => roll() < 50));
        return selectLines(patch, (hunk) => wanted.has(hunk));
      });
      const narrow = patches.map((patch) => {
        const answers = patch.hunks.map(() => [roll() < threshold, roll() % 4] as const);
        return selectLines(
          patch,
          (hunk) => answers[hunk]![0],
          (hunk) => Math.max(1, answers[hunk]![1]),
        );
      });
      for (const chosen of [byLine, byHunk, narrow]) {
        const useful = chosen.filter(({ hunks }) => hunks.length > 0);
        expect(useful.length).toBeGreaterThan(20);
        for (const part of useful) expect(part.added + part.removed).toBeGreaterThan(0);
        // Copies and renames of one source cannot be checked in one call.
        apply(
          folder,
          Buffer.concat(useful.filter(({ header }) => header.change !== 'copy').map(writePatch)),
          '--check',
        );
      }
    }
  });

  it('fewer unchanged lines around every hunk turn the old side into the new side all the same', () => {
    const folder = oldSides('narrow');
    const narrow = patches.map((patch) =>
      selectLines(
        patch,
        () => true,
        () => 1,
      ),
    );
    const lines = (list: readonly FilePatch[]) =>
      list.flatMap(({ hunks }) => hunks.flatMap(hunkLines)).length;
    expect(lines(narrow)).toBeLessThan(lines(patches) * 0.9);
    for (const [at, patch] of narrow.entries())
      expect([patch.added, patch.removed]).toEqual([patches[at]?.added, patches[at]?.removed]);
    apply(folder, Buffer.concat(narrow.map(writePatch)));
    expectNewSides(folder);
  });

  it('sequential pieces rebuild the new side and hold every changed line once', () => {
    const folder = oldSides('pieces');
    const numbers = fc.sample(fc.infiniteStream(fc.nat(3)), { numRuns: 1, seed: 11 })[0]![Symbol.iterator]();
    const rounds: FilePatch[][] = [];
    for (const patch of patches) {
      const drawn = patch.hunks.map((hunk) =>
        hunkLines(hunk).map(({ kind }) => (kind === 'context' ? -1 : (numbers.next().value as number))),
      );
      const used = [...new Set(drawn.flat())].filter((piece) => piece >= 0).sort();
      const pieces = inPieces(patch, Math.max(1, used.length), (hunk, line) =>
        used.indexOf(drawn[hunk]![line]!),
      );
      expect(pieces.reduce((total, { added }) => total + added, 0)).toBe(patch.added);
      expect(pieces.reduce((total, { removed }) => total + removed, 0)).toBe(patch.removed);
      pieces.forEach((piece, round) => {
        rounds[round] ??= [];
        rounds[round].push(piece);
      });
    }
    for (const round of rounds) {
      apply(folder, Buffer.concat(round.map(writePatch)));
      // Undoing checks the line numbers of the new side; a copy cannot be undone beside its source.
      const undoable = round.filter(({ header }) => header.change !== 'copy');
      apply(folder, Buffer.concat(undoable.map(writePatch)), '--check', '--reverse');
    }
    expectNewSides(folder);
  });

  it('pieces of a large addition carry three lines of context, not the whole file', async () => {
    const repository = scratchRepository();
    repository.commit('empty');
    repository.write('big.txt', Array.from({ length: 1000 }, (_, index) => `line ${index}\n`).join(''));
    repository.commit('big');
    const handle = await openRepository(repository.folder);
    const { entries } = await readChangeSet(handle, { mode: 'commit' });
    for await (const patch of streamPatches(handle, entries)) {
      const pieces = inPieces(patch, 2, (_, line) => (line < 500 ? 0 : 1));
      expect(writePatch(pieces[1]!).toString()).toMatch(
        /^diff --git a\/big.txt b\/big.txt\n--- a\/big.txt\n\+\+\+ b\/big.txt\n@@ -498,3 \+498,503 @@\n line 497\n/,
      );
    }
    await handle.close();
    repository.dispose();
  });
});
