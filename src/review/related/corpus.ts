// What ranking may ask of a repository at one commit; every answer comes from that commit or its past. Files are read and outlined
// only when they are opened, each once.
import type { LineRange } from '../../code/range-evidence.js';
import { identifiersOf, type Lexicon, wordId } from './lexicon.js';
import { type FileOutline, type OutlineSymbol, segmentFile } from './segment-file.js';

export interface PastCommit {
  /** Seconds since the epoch. */
  readonly time: number;
  readonly paths: readonly string[];
}

export interface Corpus {
  /** Every source path of the tree. */
  paths(): Promise<readonly string[]>;
  /** Bytes of a source file, as far as they are known. */
  sizeOf(path: string): number;
  /** For each word, how often it stands as a whole identifier in which files. */
  grep(words: readonly string[]): Promise<ReadonlyMap<string, ReadonlyMap<string, number>>>;
  /** Sheets of the files that can be read; others are left out. All sheets of one run share a lexicon. */
  sheets(paths: readonly string[]): Promise<ReadonlyMap<string, FileSheet>>;
  /** Commits that touched one of the paths, newest first, each with all its paths. */
  history(paths: readonly string[]): Promise<readonly PastCommit[]>;
}

interface CorpusPorts {
  paths(): Promise<readonly string[]>;
  /** Once the paths were listed; 0 where nobody knows. */
  sizeOf?(path: string): number;
  grep(words: readonly string[]): Promise<ReadonlyMap<string, ReadonlyMap<string, number>>>;
  /** Texts of the files that exist and are text. */
  read(paths: readonly string[]): Promise<ReadonlyMap<string, string>>;
  outline(path: string, text: string): Promise<FileOutline>;
  history(paths: readonly string[]): Promise<readonly PastCommit[]>;
}

export function makeCorpus(ports: CorpusPorts, lexicon: Lexicon): Corpus {
  const known = new Map<string, FileSheet>();
  const counts = new Map<string, ReturnType<CorpusPorts['grep']>>();
  return {
    paths: () => ports.paths(),
    sizeOf: (path) => ports.sizeOf?.(path) ?? 0,
    async grep(words) {
      const missing = words.filter((word) => !counts.has(word));
      const asked = missing.length === 0 ? undefined : ports.grep(missing);
      for (const word of missing) if (asked !== undefined) counts.set(word, asked);
      const answers = await Promise.all(words.map((word) => counts.get(word)));
      return new Map(words.map((word, at) => [word, answers[at]?.get(word) ?? new Map()]));
    },
    history: (paths) => ports.history(paths),
    async sheets(paths) {
      const missing = paths.filter((path) => !known.has(path));
      const texts = missing.length === 0 ? new Map<string, string>() : await ports.read(missing);
      for (const path of missing) {
        const text = texts.get(path);
        if (text !== undefined) known.set(path, makeSheet(text, await ports.outline(path, text), lexicon));
      }
      const out = new Map<string, FileSheet>();
      for (const path of paths) {
        const sheet = known.get(path);
        if (sheet !== undefined) out.set(path, sheet);
      }
      return out;
    },
  };
}

/** What ranking needs of one file, worked out once for each text. */
export interface FileSheet {
  readonly lineCount: number;
  /** Code points of each line, its break included. */
  readonly lineSizes: Int32Array;
  /** A fingerprint of each trimmed line, 0 for lines without a word. */
  readonly linePrints: Int32Array;
  /** 1 for lines that hold nothing but a comment. */
  readonly comments: Uint8Array;
  /** Every identifier occurrence in reading order, and the one-based line it stands on. */
  readonly words: Int32Array;
  readonly wordLines: Int32Array;
  readonly symbols: readonly OutlineSymbol[];
  readonly imports: readonly string[];
  readonly segments: readonly LineRange[];
}

const longestSegment = 14;
const commentLine = /^\s*(?:\/\/|\/\*|\*(?:\s|\/|$)|#(?![[a-z]))/u;
const longestWordyLine = 2000;

export function makeSheet(text: string, outline: FileOutline, lexicon: Lexicon): FileSheet {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const words: number[] = [];
  const wordLines: number[] = [];
  const lineSizes = new Int32Array(lines.length);
  const linePrints = new Int32Array(lines.length);
  const comments = new Uint8Array(lines.length);
  lines.forEach((line, index) => {
    lineSizes[index] = codePoints(line) + 1;
    if (commentLine.test(line)) comments[index] = 1;
    if (line.length > longestWordyLine) return;
    const found = identifiersOf(line);
    if (found.length > 0) linePrints[index] = fingerprint(line);
    for (const word of found) {
      words.push(wordId(lexicon, word));
      wordLines.push(index + 1);
    }
  });
  return {
    lineCount: lines.length,
    lineSizes,
    linePrints,
    comments,
    words: Int32Array.from(words),
    wordLines: Int32Array.from(wordLines),
    symbols: outline.symbols,
    imports: outline.imports,
    segments: segmentFile(lines, outline.symbols, longestSegment),
  };
}

function codePoints(line: string): number {
  let count = 0;
  for (let index = 0; index < line.length; index += 1) {
    const unit = line.charCodeAt(index);
    if (unit < 0xdc00 || unit > 0xdfff) count += 1;
  }
  return count;
}

/** FNV-1a over the trimmed line; never 0. */
function fingerprint(line: string): number {
  const trimmed = line.trim();
  let hash = 0x811c9dc5;
  for (let index = 0; index < trimmed.length; index += 1) {
    hash = Math.imul(hash ^ trimmed.charCodeAt(index), 0x01000193);
  }
  return hash | 0 || 1;
}
