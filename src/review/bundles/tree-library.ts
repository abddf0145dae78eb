// The files of one tree, read and outlined when somebody opens them, each once.
import { indexLines } from '../../code/line-index.js';
import { outline } from '../../code/outline.js';
import type { Outline } from '../../code/syntax/outline-model.js';
import { listTree, readBlobs, type TreeFile } from '../../git/objects/tree-files.js';
import type { Repository } from '../../git/repository/open-repository.js';
import { type FileSide, linesOf } from '../units/changed-file.js';

export interface TreeLibrary {
  /** Regular files of the tree that are small enough to be read, by path. */
  files(): Promise<ReadonlyMap<string, TreeFile>>;
  /** Those that exist and are text. */
  open(paths: readonly string[]): Promise<ReadonlyMap<string, FileSide>>;
  /** The same with identifier uses in the outlines, which cost as much again. */
  study(paths: readonly string[]): Promise<ReadonlyMap<string, FileSide>>;
}

export interface TreePlace {
  readonly tree: string;
  /** Read already: they are not opened again. */
  readonly known?: readonly FileSide[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

const largestFile = 600_000;

export function treeLibrary(
  repository: Repository,
  { tree, known: read = [], signal }: TreePlace,
): TreeLibrary {
  let listed: Promise<ReadonlyMap<string, TreeFile>> | undefined;
  const opened = new Map<string, FileSide | undefined>();
  const alreadyRead = new Map(read.map((file) => [file.path, file]));
  const files: TreeLibrary['files'] = () => {
    listed ??= listTree(repository, tree, { signal }).then(
      (all) => new Map(all.filter(isReadable).map((file) => [file.path, file])),
    );
    return listed;
  };
  const studied = new Map<string, FileSide>();
  const open: TreeLibrary['open'] = async (paths) => {
    const known = await files();
    for (const path of paths) {
      const file = alreadyRead.get(path);
      if (file !== undefined && known.get(path)?.blob === file.blob) opened.set(path, file);
    }
    const missing = paths.filter((path) => known.has(path) && !opened.has(path));
    const blobs = missing.map((path) => known.get(path)!.blob);
    const contents = await readBlobs(repository, blobs, { maxBytes: largestFile, signal });
    for (const path of missing) {
      const { blob } = known.get(path)!;
      const answer = contents.get(blob);
      const readable = answer?.kind === 'content' && !answer.bytes.subarray(0, 8000).includes(0);
      opened.set(path, readable ? await openFile(path, blob, answer.bytes.toString('utf8')) : undefined);
    }
    const found = new Map<string, FileSide>();
    for (const path of paths) {
      const file = opened.get(path);
      if (file !== undefined) found.set(path, file);
    }
    return found;
  };
  return {
    files,
    open,
    async study(paths) {
      const found = new Map<string, FileSide>();
      for (const [path, file] of await open(paths)) {
        const known = studied.get(path) ?? {
          ...file,
          outline: await outline(path, file.text, { uses: true, digests: false }),
        };
        studied.set(path, known);
        found.set(path, known);
      }
      return found;
    },
  };
}

async function openFile(path: string, blob: string, text: string): Promise<FileSide> {
  const outlined: Outline = await outline(path, text, { digests: false });
  return { path, blob, text, lines: linesOf(text), index: indexLines(text), outline: outlined };
}

function isReadable({ mode, size }: TreeFile): boolean {
  return mode.startsWith('100') && size !== undefined && size <= largestFile;
}
