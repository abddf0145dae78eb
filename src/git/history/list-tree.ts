// Every file of a tree with its mode, blob and size.
import { pathText } from '../process/path-text.js';
import { streamGit } from '../process/run-git.js';
import { splitRecords } from '../process/split-records.js';
import type { Repository } from '../repository/open-repository.js';
import { resolveTree } from '../repository/resolve-tree.js';

export interface TreeFile {
  readonly path: string;
  readonly mode: string;
  readonly blob: string;
  /** In bytes; absent for submodules and for blobs that are not in this clone. */
  readonly size?: number;
}

export async function listTree(
  repository: Repository,
  at: string,
  options: { readonly signal?: AbortSignal | undefined } = {},
): Promise<TreeFile[]> {
  const tree = await resolveTree(repository, at);
  const files: Omit<TreeFile, 'size'>[] = [];
  const args = ['ls-tree', '-r', '-z', '--full-tree', tree];
  for await (const records of splitRecords(streamGit(repository.cleanRoom, args, options)))
    for (const record of records) {
      const tab = record.indexOf(9);
      const [mode = '', , blob = ''] = record.toString('latin1', 0, tab).split(' ');
      files.push({ path: pathText(record.subarray(tab + 1)), mode, blob });
    }
  const blobs = files.filter(({ mode }) => mode !== '160000').map(({ blob }) => blob);
  const found = await repository.objects.ask('info', blobs);
  const sizes = new Map(blobs.map((blob, index) => [blob, found[index]?.size]));
  return files.map((file) => {
    const size = sizes.get(file.blob);
    return size === undefined ? file : { ...file, size };
  });
}
