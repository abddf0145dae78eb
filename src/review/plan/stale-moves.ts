// Which moved files are still imported by their old path? Searched only where something moved that is imported by path.
import { isGalleyError } from '../../core/model/error.js';
import { grepWords } from '../../git/objects/grep-words.js';
import { listTree } from '../../git/objects/tree-files.js';
import type { Repository } from '../../git/repository/open-repository.js';
import { groupBy } from '../change/group-by.js';
import { importWord, isImportedByPath, staleImports } from '../related/stale-imports.js';
import type { ChangedFile } from '../units/changed-file.js';

interface SearchPlace {
  readonly tree: string;
  readonly signal?: AbortSignal | undefined;
}

const maxMoves = 200;
const maxHits = 100_000;

export async function staleMoves(
  repository: Repository,
  files: readonly ChangedFile[],
  { tree, signal }: SearchPlace,
): Promise<ReadonlySet<ChangedFile>> {
  const moves = files
    .flatMap((file) => {
      const { entry, header } = file.patch;
      const { oldPath } = entry;
      return header.change === 'rename' && oldPath !== undefined && isImportedByPath(oldPath)
        ? [{ file, oldPath, word: importWord(oldPath) }]
        : [];
    })
    .slice(0, maxMoves);
  if (moves.length === 0) return new Set();
  const words = [...new Set(moves.map(({ word }) => word))];
  try {
    const { hits } = await grepWords(repository, { words, at: tree, limit: maxHits, signal });
    const paths = new Set((await listTree(repository, tree, { signal })).map(({ path }) => path));
    const byWord = groupBy(hits, ({ word }) => word);
    return new Set(
      moves
        .filter(({ oldPath, word }) => staleImports(oldPath, byWord.get(word) ?? [], paths).length > 0)
        .map(({ file }) => file),
    );
  } catch (error) {
    if (isGalleyError(error) && error.code === 'CANCELLED') throw error;
    return new Set();
  }
}
