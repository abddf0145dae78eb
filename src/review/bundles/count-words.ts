// How often words stand in the files of a tree. One pattern for all of them: git walks the text once, however many there are.
import { escapePattern } from '../../core/model/escape-pattern.js';
import { pathText } from '../../git/process/path-text.js';
import { streamGit } from '../../git/process/run-git.js';
import { splitRecords } from '../../git/process/split-records.js';
import type { Repository } from '../../git/repository/open-repository.js';

export interface CountQuestion {
  readonly words: readonly string[];
  readonly tree: string;
  wanted(path: string): boolean;
  readonly signal?: AbortSignal | undefined;
}

const wordsPerCall = 500;

/** By word, then by path. */
export async function countWords(
  repository: Repository,
  question: CountQuestion,
): Promise<Map<string, Map<string, number>>> {
  const { words, tree, wanted, signal } = question;
  const counts = new Map(words.map((word) => [word, new Map<string, number>()]));
  for (let from = 0; from < words.length; from += wordsPerCall) {
    const part = words.slice(from, from + wordsPerCall);
    const pattern = part.map(escapePattern).join('|');
    const args = [
      'grep',
      '-I',
      '-z',
      '-o',
      '-w',
      '-E',
      '--full-name',
      '--no-color',
      '-e',
      pattern,
      tree,
      '--',
    ];
    // Exit code 1 means nothing was found.
    const lines = splitRecords(streamGit(repository.cleanRoom, args, { accept: [1], signal }), 10);
    for await (const records of lines)
      for (const record of records) {
        const end = record.indexOf(0);
        if (end === -1) continue;
        const files = counts.get(record.toString('utf8', end + 1));
        if (files === undefined) continue;
        const path = pathText(record.subarray(tree.length + 1, end));
        if (wanted(path)) files.set(path, (files.get(path) ?? 0) + 1);
      }
  }
  return counts;
}
