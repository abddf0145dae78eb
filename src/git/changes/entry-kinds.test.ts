import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countLines } from '../patch/count-lines.js';
import { type FilePatch, hunkLines } from '../patch/patch.js';
import { streamPatches } from '../patch/stream-patches.js';
import { writePatch } from '../patch/write-patch.js';
import { openRepository, type Repository } from '../repository/open-repository.js';
import { type TortureRepository, tortureRepository } from '../testing/torture-repository.js';
import { type ChangeSet, readChangeSet } from './read-change-set.js';

let torture: TortureRepository;
let repository: Repository;
let changes: ChangeSet;
let patches: FilePatch[];

beforeAll(async () => {
  torture = tortureRepository();
  repository = await openRepository(torture.repository.folder);
  changes = await readChangeSet(repository, { mode: 'commit', commit: torture.after });
  patches = [];
  for await (const patch of streamPatches(repository, changes.entries)) patches.push(patch);
});

afterAll(async () => {
  await repository?.close();
  torture?.repository.dispose();
});

describe('a change with every kind of entry', () => {
  it('lists each entry once and invents none [diff.entries]', () => {
    const listed = changes.entries.map(({ path }) => path);
    expect([...listed].sort()).toEqual(torture.expected.map(({ path }) => path).sort());
    expect(listed.length).toBeGreaterThanOrEqual(30);
  });

  it('tells status, kind, old path and counts of each entry [diff.entries]', async () => {
    const counts = await countLines(repository, changes.entries);
    for (const expected of torture.expected) {
      const entry = changes.entries.find(({ path }) => path === expected.path)!;
      const own = patches.filter((patch) => patch.entry === entry);
      const sum = (pick: (patch: FilePatch) => number) =>
        own.reduce((total, patch) => total + pick(patch), 0);
      const seen = {
        path: entry.path,
        oldPath: entry.oldPath,
        status: entry.status,
        kind: entry.kind,
        added: sum(({ added }) => added),
        removed: sum(({ removed }) => removed),
        binary: own.some(({ binary }) => binary),
        lossy: own.some(({ lossy }) => lossy),
        counted: counts.get(entry.path),
        patches: own.length,
      };
      const { added = 0, removed = 0, binary = false } = expected;
      expect(seen).toEqual({
        path: expected.path,
        oldPath: expected.oldPath,
        status: expected.status,
        kind: expected.kind ?? 'file',
        added,
        removed,
        binary,
        lossy: expected.lossy ?? false,
        counted: { added, removed, binary },
        patches: expected.status === 'type-changed' ? 2 : 1,
      });
      expect(own[0]?.eolFlip, entry.path).toEqual(
        expected.flip === undefined ? undefined : { from: 'lf', to: 'crlf', ...expected.flip },
      );
    }
  });

  it('writes every patch back exactly as git prints it [diff.entries]', () => {
    const args = ['diff-tree', '-r', '-p', '--full-index', '-C50%', '-l1000', '--diff-algorithm=histogram'];
    const plain = torture.repository.raw([
      '-c',
      'core.attributesFile=/dev/null',
      ...args,
      torture.before,
      torture.after,
    ]);
    const ours = Buffer.concat(
      patches.filter(({ entry }) => !/\.(nodiff|blob)$/.test(entry.path)).map(writePatch),
    );
    const theirs = withoutSections(plain, /\.(nodiff|blob) b/);
    expect(ours.equals(theirs)).toBe(true);
  });

  it('keeps the bytes of a line that only looks like a header', () => {
    const patch = patches.find(({ entry }) => entry.path === 'headers.txt')!;
    const texts = hunkLines(patch.hunks[0]!).map((line) => `${line.kind} ${line.bytes}`);
    expect(texts).toEqual([
      'context start',
      'removed -- a/old.txt',
      'added ++ b/evil.ts',
      'added @@ -1 +1 @@',
      'added diff --git a/x b/x',
      'context end',
    ]);
  });

  it('says oid and size of LFS pointers and the commits of submodules [diff.entries]', () => {
    const by = (path: string) => changes.entries.find((entry) => entry.path === path);
    expect(by('lfs.psd')?.lfs).toEqual({
      old: { oid: `sha256:${'a'.repeat(64)}`, size: 1000 },
      new: { oid: `sha256:${'b'.repeat(64)}`, size: 2000 },
    });
    expect(by('sub-changed')).toMatchObject({
      oldBlob: '1'.repeat(40),
      newBlob: '3'.repeat(40),
      missing: false,
    });
  });
});

function withoutSections(patch: Buffer, drop: RegExp): Buffer {
  const text = patch.toString('latin1');
  const sections = text.split(/^(?=diff --git (?!a\/x b\/x))/m);
  return Buffer.from(sections.filter((section) => !drop.test(section.split('\n', 1)[0]!)).join(''), 'latin1');
}
