// A repository whose last change holds every kind of entry a review can meet, with what must be said about each.
import { writeFileSync } from 'node:fs';
import type { EntryKind, EntryStatus } from '../changes/change-entry.js';
import { type ScratchRepository, scratchRepository } from './scratch-repository.js';

export interface ExpectedEntry {
  readonly path: string;
  readonly oldPath?: string;
  readonly status: EntryStatus;
  readonly kind?: EntryKind;
  readonly added?: number;
  readonly removed?: number;
  readonly binary?: boolean;
  readonly lossy?: boolean;
  readonly flip?: { readonly flipped: number; readonly added: number; readonly removed: number };
}

export interface TortureRepository {
  readonly repository: ScratchRepository;
  readonly before: string;
  readonly after: string;
  readonly expected: readonly ExpectedEntry[];
}

const lines = (count: number, make: (line: number) => string) =>
  Array.from({ length: count }, (_, index) => `${make(index + 1)}\n`).join('');
const prose = (name: string) => lines(30, (line) => `${name} says ${line * 7919} on line ${line}`);
const pointer = (digit: string, size: number) =>
  `version https://git-lfs.github.com/spec/v1\noid sha256:${digit.repeat(64)}\nsize ${size}\n`;
const commitId = (digit: string) => digit.repeat(40);

/** Bytes 0xff 0xfe in a name: legal for git, not UTF-8. */
const rawName = Buffer.concat([Buffer.from('raw-'), Buffer.of(0xff, 0xfe), Buffer.from('.txt')]);

export function tortureRepository(): TortureRepository {
  const repository = scratchRepository();
  const { write, link, executable, remove, git, raw } = repository;
  const writeRaw = (content: string) =>
    writeFileSync(Buffer.concat([Buffer.from(`${repository.folder}/`), rawName]), content);
  const submodule = (path: string, digit: string) =>
    raw(['update-index', '--add', '--cacheinfo', `160000,${commitId(digit)},${path}`]);

  write(
    '.gitattributes',
    '*.gen linguist-generated\n*.nodiff -diff\n*.blob binary\nvendored/** linguist-vendored\n',
  );
  write('modified.txt', prose('modified'));
  write('deleted.txt', prose('deleted'));
  write('rename-pure-old.txt', prose('pure'));
  write('rename-edit-old.txt', prose('edited'));
  write('rename-mode-old.sh', prose('moded'));
  write('copy-source.txt', prose('source'));
  write('mode-only.sh', 'echo mode\n');
  write('mode-and-edit.sh', prose('both'));
  write('to-symlink', 'once a file\n');
  link('to-file', 'modified.txt');
  link('link-changed', 'modified.txt');
  link('link-deleted', 'nowhere');
  write('binary.bin', Buffer.from([0, 1, 2, 3, 0]));
  write('empty-deleted.txt', '');
  write('emptied.txt', 'was here\n');
  write('filled.txt', '');
  write('lfs.psd', pointer('a', 1000));
  write('with space.txt', 'one\n');
  write('tab\tname.txt', 'one\n');
  write('"quoted".txt', 'one\n');
  write('back\\slash.txt', 'one\n');
  write('new\nline.txt', 'one\n');
  write('ünïcödé/文件.txt', 'one\n');
  write('dir b/b file', 'one\n');
  write('crlf-flip.txt', prose('flip'));
  write('crlf-kept.txt', prose('kept').replaceAll('\n', '\r\n'));
  write('newline-lost.txt', 'a\nb\n');
  write('newline-gained.txt', 'a\nb');
  write('invalid.txt', Buffer.from([0x61, 0xff, 0x0a]));
  write('separators.txt', 'a\u2028b\u0085c\vd\fe\nnext\n');
  write('long-line.js', `${'x'.repeat(17_000_000)}\n`);
  write('headers.txt', 'start\n-- a/old.txt\nend\n');
  write('phrase.txt', 'No newline at end of file\n');
  write('case-name.txt', prose('case'));
  write('file-to-folder', prose('folder'));
  writeRaw('one\n');
  git('add', '-A');
  submodule('sub-changed', '1');
  submodule('sub-removed', '2');
  git('commit', '-q', '-m', 'before');
  const before = git('rev-parse', 'HEAD');

  write('added.txt', 'new\nfile\n');
  write('added.sh', 'run\n');
  executable('added.sh', true);
  write('empty-added.txt', '');
  write('empty-moved.txt', '');
  write('modified.txt', prose('modified').replace('line 5\n', 'line five\n'));
  remove('deleted.txt');
  remove('rename-pure-old.txt');
  write('moved/rename-pure.txt', prose('pure'));
  remove('rename-edit-old.txt');
  write('rename-edit-new.txt', prose('edited').replace('line 5\n', 'line five\n'));
  remove('rename-mode-old.sh');
  write('rename-mode-new.sh', `${prose('moded')}tail\n`);
  executable('rename-mode-new.sh', true);
  write('copy-source.txt', `${prose('source')}more\n`);
  write('copy-target.txt', prose('source').replace('line 9\n', 'line nine\n'));
  executable('mode-only.sh', true);
  write('mode-and-edit.sh', `${prose('both')}tail\n`);
  executable('mode-and-edit.sh', true);
  remove('to-symlink');
  link('to-symlink', '/etc/hostname');
  remove('to-file');
  write('to-file', 'now a file\n');
  remove('link-changed');
  link('link-changed', '../outside');
  remove('link-deleted');
  link('link-added', 'added.txt');
  write('binary.bin', Buffer.from([0, 1, 2, 4, 0]));
  write('binary-added.png', Buffer.from([0x89, 0x50, 0, 0, 1]));
  remove('empty-deleted.txt');
  write('emptied.txt', '');
  write('filled.txt', 'content\n');
  write('lfs.psd', pointer('b', 2000));
  write('lfs-added.bin', pointer('c', 3));
  write('with space.txt', 'two\n');
  write('tab\tname.txt', 'two\n');
  write('"quoted".txt', 'two\n');
  write('back\\slash.txt', 'two\n');
  write('new\nline.txt', 'two\n');
  write('ünïcödé/文件.txt', 'two\n');
  write('dir b/b file', 'two\n');
  write('crlf-flip.txt', prose('flip').replace('line 5\n', 'line five\n').replaceAll('\n', '\r\n'));
  write('crlf-kept.txt', prose('kept').replace('line 5\n', 'line five\n').replaceAll('\n', '\r\n'));
  write('newline-lost.txt', 'a\nb');
  write('newline-gained.txt', 'a\nb\n');
  write('invalid.txt', Buffer.from([0x61, 0xfe, 0x0a]));
  write('separators.txt', 'a\u2028b\u0085c\vd\fE\nnext\n');
  write('long-line.js', `${'x'.repeat(16_999_999)}y\n`);
  write('headers.txt', 'start\n++ b/evil.ts\n@@ -1 +1 @@\ndiff --git a/x b/x\nend\n');
  write('phrase.txt', '\\ No newline at end of file\nNo newline at end of file');
  remove('case-name.txt');
  write('Case-Name.txt', prose('case'));
  remove('file-to-folder');
  write('file-to-folder/inside.txt', 'other words entirely, nothing alike\n');
  write('made.gen', 'generated\n');
  write('sheet.nodiff', 'text\n');
  write('data.blob', 'text\n');
  write('vendored/lib.js', 'lib\n');
  writeRaw('two\n');
  git('add', '-A');
  submodule('sub-changed', '3');
  submodule('sub-added', '4');
  raw(['update-index', '--force-remove', 'sub-removed']);
  git('commit', '-q', '-m', 'after');
  return { repository, before, after: git('rev-parse', 'HEAD'), expected };
}

const expected: readonly ExpectedEntry[] = [
  { path: 'added.txt', status: 'added', added: 2, removed: 0 },
  { path: 'added.sh', status: 'added', added: 1, removed: 0 },
  { path: 'empty-moved.txt', oldPath: 'empty-deleted.txt', status: 'renamed', added: 0, removed: 0 },
  { path: 'empty-added.txt', oldPath: 'empty-deleted.txt', status: 'copied', added: 0, removed: 0 },
  { path: 'modified.txt', status: 'modified', added: 1, removed: 1 },
  { path: 'deleted.txt', status: 'deleted', added: 0, removed: 30 },
  { path: 'moved/rename-pure.txt', oldPath: 'rename-pure-old.txt', status: 'renamed', added: 0, removed: 0 },
  { path: 'rename-edit-new.txt', oldPath: 'rename-edit-old.txt', status: 'renamed', added: 1, removed: 1 },
  { path: 'rename-mode-new.sh', oldPath: 'rename-mode-old.sh', status: 'renamed', added: 1, removed: 0 },
  { path: 'copy-source.txt', status: 'modified', added: 1, removed: 0 },
  { path: 'copy-target.txt', oldPath: 'copy-source.txt', status: 'copied', added: 1, removed: 1 },
  { path: 'mode-only.sh', status: 'mode-changed', added: 0, removed: 0 },
  { path: 'mode-and-edit.sh', status: 'modified', added: 1, removed: 0 },
  { path: 'to-symlink', status: 'type-changed', kind: 'symlink', added: 1, removed: 1 },
  { path: 'to-file', status: 'type-changed', added: 1, removed: 1 },
  { path: 'link-changed', status: 'modified', kind: 'symlink', added: 1, removed: 1 },
  { path: 'link-deleted', status: 'deleted', kind: 'symlink', added: 0, removed: 1 },
  { path: 'link-added', status: 'added', kind: 'symlink', added: 1, removed: 0 },
  { path: 'binary.bin', status: 'modified', binary: true },
  { path: 'binary-added.png', status: 'added', binary: true },
  { path: 'emptied.txt', status: 'modified', added: 0, removed: 1 },
  { path: 'filled.txt', status: 'modified', added: 1, removed: 0 },
  { path: 'lfs.psd', status: 'modified', kind: 'lfs-pointer', added: 2, removed: 2 },
  { path: 'lfs-added.bin', status: 'added', kind: 'lfs-pointer', added: 3, removed: 0 },
  { path: 'with space.txt', status: 'modified', added: 1, removed: 1 },
  { path: 'tab\tname.txt', status: 'modified', added: 1, removed: 1 },
  { path: '"quoted".txt', status: 'modified', added: 1, removed: 1 },
  { path: 'back\\slash.txt', status: 'modified', added: 1, removed: 1 },
  { path: 'new\nline.txt', status: 'modified', added: 1, removed: 1 },
  { path: 'ünïcödé/文件.txt', status: 'modified', added: 1, removed: 1 },
  { path: 'dir b/b file', status: 'modified', added: 1, removed: 1 },
  {
    path: 'crlf-flip.txt',
    status: 'modified',
    added: 30,
    removed: 30,
    flip: { flipped: 29, added: 1, removed: 1 },
  },
  { path: 'crlf-kept.txt', status: 'modified', added: 1, removed: 1 },
  { path: 'newline-lost.txt', status: 'modified', added: 1, removed: 1 },
  { path: 'newline-gained.txt', status: 'modified', added: 1, removed: 1 },
  { path: 'invalid.txt', status: 'modified', added: 1, removed: 1, lossy: true },
  { path: 'separators.txt', status: 'modified', added: 1, removed: 1 },
  { path: 'long-line.js', status: 'modified', added: 1, removed: 1 },
  { path: 'headers.txt', status: 'modified', added: 3, removed: 1 },
  { path: 'phrase.txt', status: 'modified', added: 2, removed: 1 },
  { path: 'Case-Name.txt', oldPath: 'case-name.txt', status: 'renamed', added: 0, removed: 0 },
  { path: 'file-to-folder', status: 'deleted', added: 0, removed: 30 },
  { path: 'file-to-folder/inside.txt', status: 'added', added: 1, removed: 0 },
  { path: 'made.gen', status: 'added', added: 1, removed: 0 },
  { path: 'sheet.nodiff', status: 'added', added: 1, removed: 0 },
  { path: 'data.blob', status: 'added', added: 1, removed: 0 },
  { path: 'vendored/lib.js', status: 'added', added: 1, removed: 0 },
  { path: 'raw-\\xff\\xfe.txt', status: 'modified', added: 1, removed: 1 },
  { path: 'sub-changed', status: 'modified', kind: 'submodule', added: 1, removed: 1 },
  { path: 'sub-removed', status: 'deleted', kind: 'submodule', added: 0, removed: 1 },
  { path: 'sub-added', status: 'added', kind: 'submodule', added: 1, removed: 0 },
];
