import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRepository, type Repository } from '../repository/open-repository.js';
import { type ScratchRepository, scratchRepository } from '../testing/scratch-repository.js';
import { readAttributes } from './read-attributes.js';
import { readBlobs } from './tree-files.js';

let scratch: ScratchRepository;
let repository: Repository;
const longLine = `${'x'.repeat(17_000_000)}\n`;

beforeAll(async () => {
  scratch = scratchRepository();
  scratch.write(
    '.gitattributes',
    '*.gen linguist-generated=true\n*.no -diff\n*.blob binary\nlib/** linguist-vendored\n*.txt text eol=lf\n',
  );
  scratch.write('sub/.gitattributes', '*.gen -linguist-generated\n');
  scratch.write('small', 'a\0b\n');
  scratch.write('empty', '');
  scratch.write('long.js', longLine);
  for (let index = 0; index < 600; index += 1) scratch.write(`many/${index}`, `${index}\n`);
  scratch.commit('all');
  // What is checked out now must not matter.
  scratch.write('.gitattributes', '* -diff\n');
  repository = await openRepository(scratch.folder);
});

afterAll(async () => {
  await repository?.close();
  scratch?.dispose();
});

const idOf = (path: string) => scratch.git('rev-parse', `HEAD:${path}`);

describe('reading blobs', () => {
  it('gives contents, refuses large ones unread, and names missing and foreign objects', async () => {
    const [small, empty, long, tree] = [idOf('small'), idOf('empty'), idOf('long.js'), idOf('many')];
    const absent = '1'.repeat(40);
    const answers = await readBlobs(repository, [small, empty, long, tree, absent, small], {
      maxBytes: 1000,
    });
    expect(Object.fromEntries(answers)).toEqual({
      [absent]: { kind: 'missing' },
      [long]: { kind: 'too-large', size: longLine.length },
      [tree]: { kind: 'not-a-blob', type: 'tree' },
      [small]: { kind: 'content', bytes: Buffer.from('a\0b\n') },
      [empty]: { kind: 'content', bytes: Buffer.alloc(0) },
    });
  });

  it('reads one line of 17 MB and hundreds of blobs, also at the same time', async () => {
    const ids = scratch
      .git('ls-tree', 'HEAD:many')
      .split('\n')
      .map((line) => line.split(/\s/)[2]!);
    const [many, long] = await Promise.all([
      readBlobs(repository, ids, { maxBytes: 100 }),
      readBlobs(repository, [idOf('long.js')], { maxBytes: 20_000_000 }),
    ]);
    expect(
      new Set(
        [...many.values()].map((answer) => (answer.kind === 'content' ? `${answer.bytes}` : answer.kind)),
      ).size,
    ).toBe(600);
    const [answer] = long.values();
    expect(answer?.kind === 'content' && answer.bytes.equals(Buffer.from(longLine))).toBe(true);
  });

  it('fails with a code on a damaged object, and the next question is answered again', async () => {
    const damaged = scratch
      .raw(['hash-object', '-w', '--stdin'], { input: 'soon damaged\n' })
      .toString()
      .trim();
    const file = join(scratch.folder, '.git/objects', damaged.slice(0, 2), damaged.slice(2));
    chmodSync(file, 0o644);
    writeFileSync(file, 'not an object');
    const answer = await readBlobs(repository, [damaged], { maxBytes: 100 }).then(
      (answers) => answers.get(damaged)?.kind,
      (error) => error.code,
    );
    expect(['missing', 'GIT_FAILED']).toContain(answer);
    const after = await readBlobs(repository, [idOf('small')], { maxBytes: 100 });
    expect(after.get(idOf('small'))?.kind).toBe('content');
  });

  it('refuses what is not an id, an aborted call and a closed handle', async () => {
    const limits = { maxBytes: 1 };
    await expect(readBlobs(repository, ['HEAD\ninfo x'], limits)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
    const signal = AbortSignal.abort();
    await expect(readBlobs(repository, [idOf('small')], { ...limits, signal })).rejects.toMatchObject({
      code: 'CANCELLED',
    });
    const other = await openRepository(scratch.folder);
    await other.close();
    await expect(readBlobs(other, [idOf('small')], limits)).rejects.toMatchObject({ code: 'GIT_FAILED' });
  });
});

describe('asking which paths are there', () => {
  it('tells which paths a tree holds, whatever their names are made of', async () => {
    const tree = scratch.git('rev-parse', 'HEAD^{tree}');
    const there = ['small', 'sub', 'sub/.gitattributes', 'many/7'];
    const absent = ['no', 'not here missing', 'a b c', 'small/below', 'sub/smäll'];
    expect(await repository.objects.present(tree, [...absent, ...there])).toEqual(there);
    expect(await repository.objects.present(tree, ['no', 'line\nend'])).toEqual(['line\nend']);
    await expect(repository.objects.present('HEAD', ['small'])).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
  });
});

describe('reading attributes', () => {
  it('reads them from the tree under review for many paths in one call', async () => {
    const paths = ['a.gen', 'sub/a.gen', 'a.no', 'a.blob', 'lib/x.js', 'a.txt', 'with\nline.gen', 'plain'];
    const tree = scratch.git('rev-parse', 'HEAD^{tree}');
    const answers = await readAttributes(repository, { tree, paths: paths.map((path) => ({ path })) });
    const none = { generated: false, vendored: false, noDiff: false, binary: false };
    expect(Object.fromEntries(answers)).toEqual({
      'a.gen': { ...none, generated: true },
      'sub/a.gen': none,
      'a.no': { ...none, noDiff: true },
      'a.blob': { ...none, noDiff: true, binary: true, text: false },
      'lib/x.js': { ...none, vendored: true },
      'a.txt': { ...none, text: true, eol: 'lf' },
      'with\nline.gen': { ...none, generated: true },
      plain: none,
    });
    const many = Array.from({ length: 10_000 }, (_, index) => ({ path: `lib/${index}.gen` }));
    const all = await readAttributes(repository, { tree, paths: many });
    expect([...all.values()].every(({ generated, vendored }) => generated && vendored)).toBe(true);
    expect(all.size).toBe(10_000);
  });
});
