// What ranking needs of one file, worked out once for each text: its segments, its words by line, its symbols.
import { identifiersOf, type Lexicon, wordId } from './lexicon.js';
import type { FileOutline, OutlineSymbol } from './outline-port.js';
import { type LineRange, segmentFile } from './segment-file.js';

export interface FileSheet {
  readonly lineCount: number;
  /** Code points of each line, its break included. */
  readonly lineSizes: Int32Array;
  /** A fingerprint of each trimmed line, 0 for lines without a word. */
  readonly linePrints: Int32Array;
  /** Every identifier occurrence in reading order, and the one-based line it stands on. */
  readonly words: Int32Array;
  readonly wordLines: Int32Array;
  readonly symbols: readonly OutlineSymbol[];
  readonly imports: readonly string[];
  readonly segments: readonly LineRange[];
}

const longestSegment = 14;
const longestWordyLine = 2000;

export function makeSheet(text: string, outline: FileOutline, lexicon: Lexicon): FileSheet {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const words: number[] = [];
  const wordLines: number[] = [];
  const lineSizes = new Int32Array(lines.length);
  const linePrints = new Int32Array(lines.length);
  lines.forEach((line, index) => {
    lineSizes[index] = codePoints(line) + 1;
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
export function fingerprint(line: string): number {
  const trimmed = line.trim();
  let hash = 0x811c9dc5;
  for (let index = 0; index < trimmed.length; index += 1) {
    hash = Math.imul(hash ^ trimmed.charCodeAt(index), 0x01000193);
  }
  return hash | 0 || 1;
}
