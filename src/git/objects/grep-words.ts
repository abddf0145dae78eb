// Where do words stand in a tree or in the working tree? Whole words, capped, with the untruncated total.

import { GalleyError } from '../../core/model/error.js';
import { escapePattern } from '../../core/model/escape-pattern.js';
import { pathText, splitRecords } from '../process/records.js';
import { type GitPlace, streamGit } from '../process/run-git.js';
import type { Repository } from '../repository/open-repository.js';
import { resolveTree } from '../repository/resolve-commit.js';

export interface WordHit {
  readonly path: string;
  /** One-based. */
  readonly line: number;
  readonly word: string;
  /** The line, cut to a length a person can read. */
  readonly text: string;
}

export interface WordHits {
  readonly hits: readonly WordHit[];
  readonly total: number;
}

export interface GrepQuestion {
  readonly words: readonly string[];
  /** A commit, a branch or a tree; absent for the working tree with its untracked files. */
  readonly at?: string;
  readonly paths?: readonly string[];
  readonly limit: number;
  readonly signal?: AbortSignal | undefined;
}

const wordsPerCall = 50;
const pathsPerCall = 500;
const longestText = 500;
const flags = [
  '-I',
  '-z',
  '-n',
  '-w',
  '-E',
  '--full-name',
  '--no-color',
  '--no-column',
  '--no-recurse-submodules',
];

export async function grepWords(repository: Repository, question: GrepQuestion): Promise<WordHits> {
  const words = [...new Set(question.words)];
  if (words.some((word) => word === '' || /[\0\n]/.test(word))) throw notAWord();
  const tree = question.at === undefined ? undefined : await resolveTree(repository, question.at);
  if (tree === undefined && repository.topLevel === undefined)
    throw new GalleyError('INVALID_ARGUMENT', 'at: a bare repository has no working tree; name a commit.', {
      details: { field: 'at' },
    });
  const place = tree === undefined ? repository.home : repository.cleanRoom;
  const hits: WordHit[] = [];
  let total = 0;
  for (const part of batches(words, wordsPerCall)) {
    for (const paths of question.paths === undefined ? [[]] : batches(question.paths, pathsPerCall)) {
      // One alternation is many times faster than a list of fixed patterns.
      const patterns = ['-e', part.map(escapePattern).join('|')];
      const where = tree === undefined ? ['--untracked'] : [tree];
      const args = ['grep', ...flags, ...patterns, ...where, '--', ...paths];
      for await (const found of readHits(place, { args, words: part, tree, signal: question.signal })) {
        total += found.length;
        hits.push(...found.slice(0, Math.max(0, question.limit - hits.length)));
      }
    }
  }
  return { hits, total };
}

interface Search {
  readonly args: readonly string[];
  readonly words: readonly string[];
  readonly tree: string | undefined;
  readonly signal: AbortSignal | undefined;
}

async function* readHits(place: GitPlace, search: Search): AsyncGenerator<WordHit[]> {
  const finders = search.words.map((word) => ({ word, bytes: Buffer.from(word) }));
  const prefix = search.tree === undefined ? 0 : search.tree.length + 1;
  // Exit code 1 means nothing was found.
  const lines = splitRecords(streamGit(place, search.args, { accept: [1], signal: search.signal }), 10);
  let head = Buffer.alloc(0);
  for await (const pieces of lines) {
    const hits: WordHit[] = [];
    for (const piece of pieces) {
      // A path may hold a line end; the record is whole once both NULs are there.
      const record = head.length === 0 ? piece : Buffer.concat([head, Buffer.of(10), piece]);
      const pathEnd = record.indexOf(0);
      const lineEnd = pathEnd === -1 ? -1 : record.indexOf(0, pathEnd + 1);
      head = lineEnd === -1 ? Buffer.from(record) : Buffer.alloc(0);
      if (lineEnd === -1) continue;
      const path = pathText(record.subarray(prefix, pathEnd));
      const line = Number(record.toString('latin1', pathEnd + 1, lineEnd));
      const content = record.subarray(lineEnd + 1);
      const text = content
        .subarray(0, longestText * 4)
        .toString('utf8')
        .slice(0, longestText);
      for (const { word, bytes } of finders)
        if (holdsWord(content, bytes)) hits.push({ path, line, word, text });
    }
    yield hits;
  }
}

/** Git's own borders: a word ends where the next byte is no ASCII letter, digit or underscore. */
function holdsWord(content: Buffer, word: Buffer): boolean {
  for (let at = content.indexOf(word); at !== -1; at = content.indexOf(word, at + 1))
    if (!isWordByte(content[at - 1]) && !isWordByte(content[at + word.length])) return true;
  return false;
}

function isWordByte(byte: number | undefined): boolean {
  if (byte === undefined) return false;
  return (
    (byte >= 48 && byte <= 57) || (byte >= 65 && byte <= 90) || byte === 95 || (byte >= 97 && byte <= 122)
  );
}

function batches<T>(items: readonly T[], size: number): T[][] {
  const all: T[][] = [];
  for (let from = 0; from < items.length; from += size) all.push(items.slice(from, from + size));
  return all;
}

function notAWord(): GalleyError {
  return new GalleyError('INVALID_ARGUMENT', 'words: a word is empty or spans lines; pass single words.', {
    details: { field: 'words' },
  });
}
