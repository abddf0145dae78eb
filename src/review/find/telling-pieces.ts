// Which lines of the files a task needs? Every file is cut along its symbols; each piece gets the chance that whoever does the task
// has to read it, from signals that were weighed once on fixes of public repositories.
import { enclosingSymbol, type LineRange } from '../../code/range-evidence.js';
import { lineKind } from '../../code/syntax/outline-model.js';
import { byCodePoint } from '../../core/model/code-points.js';
import { segmentFile } from '../related/segment-file.js';
import type { FileSide } from '../units/changed-file.js';
import type { TaskFile } from './rank-task-files.js';
import { type TaskWords, termsIn, termsOf, wordsIn } from './task-words.js';

export const pieceSignals = [
  /** How much speaks for the file. */
  'file',
  /** BM25 among the pieces of all these files, as a share of the best one's. */
  'words',
  /** The name of the symbol around it. */
  'symbol',
  /** Names of the task that are used, and that are defined there. */
  'used',
  'defines',
  /** Lines that are no code: comments, data, blanks. */
  'quiet',
  'length',
  'fileLength',
  'test',
] as const;

export type PieceSignal = (typeof pieceSignals)[number];
export type PieceWeights = Readonly<Record<PieceSignal | 'bias', number>>;

/** Learned by bench/find/learn-pieces.ts; docs/benchmarks.md has the figures on repositories it has not seen. */
export const findPieceWeights: PieceWeights = {
  bias: -0.44,
  file: 0.77,
  words: 2.32,
  symbol: 0.68,
  used: 0.29,
  defines: 0.75,
  quiet: -1.45,
  length: 0.66,
  fileLength: -0.71,
  test: -1.25,
};

export interface MeasuredFindPiece {
  readonly path: string;
  readonly range: LineRange;
  readonly characters: number;
  /** In the order of `pieceSignals`. */
  readonly signals: Float64Array;
  /** The task names a line of it. */
  readonly isNamed: boolean;
  /** A name of the task is defined in it. */
  readonly isDefined: boolean;
}

export interface TellingPiece extends MeasuredFindPiece {
  readonly worth: number;
}

export interface PieceQuestion {
  readonly task: TaskWords;
  /** How rare each term of the task is among the files. */
  readonly rarity: ReadonlyMap<string, number>;
  readonly opened: ReadonlyMap<string, FileSide>;
  readonly isTest: (path: string) => boolean;
}

/** The best first: what the task names by its line, what defines its names, then by chance for the price. */
export function tellingPieces(
  files: readonly Omit<TaskFile, 'why'>[],
  question: PieceQuestion,
  weights: PieceWeights = findPieceWeights,
): TellingPiece[] {
  return measureFindPieces(files, question)
    .map((piece) => ({ ...piece, worth: worthOf(piece, weights) }))
    .filter(({ worth }) => worth > 0)
    .sort(
      (a, b) => b.worth - a.worth || byCodePoint(a.path, b.path) || a.range.startLine - b.range.startLine,
    );
}

const charactersPerToken = 4;
const overhead = 8;
/** At 1 a few cheap lines that are left over from a cut would stand before a function. */
const priceExponent = 0.5;
/** Below this chance nothing is shown, however much room there is. */
const leastChance = 0.003;
/** More than any other lines can be worth. */
const definedWorth = 1;
const namedWorth = 10;

function worthOf(
  { characters, signals, isNamed, isDefined }: MeasuredFindPiece,
  weights: PieceWeights,
): number {
  let sum = weights.bias;
  pieceSignals.forEach((name, at) => {
    sum += weights[name] * signals[at]!;
  });
  const chance = 1 / (1 + Math.exp(-sum));
  if (chance < leastChance && !isNamed && !isDefined) return 0;
  return worthFor(chance, characters) + (isNamed ? namedWorth : 0) + (isDefined ? definedWorth : 0);
}

/** A chance by the price of having it. */
export function worthFor(chance: number, characters: number): number {
  return chance / (characters / charactersPerToken + overhead) ** priceExponent;
}

const longestPiece = 30;
const saturation = 1.2;
const lengthPull = 0.6;
const mostUsed = 3;
const leastScore = 1e-4;

interface CountedPiece {
  readonly side: FileSide;
  readonly range: LineRange;
  readonly text: string;
  readonly times: ReadonlyMap<string, number>;
  /** All terms of it. */
  readonly length: number;
}

export function measureFindPieces(
  files: readonly Omit<TaskFile, 'why'>[],
  { task, rarity, opened, isTest }: PieceQuestion,
): MeasuredFindPiece[] {
  const voices = voicesOf(task, rarity);
  const { identifiers } = task;
  const counted = files.flatMap(({ path }) => {
    const side = opened.get(path);
    return side === undefined ? [] : countPieces(side);
  });
  const words = wordShares(counted, task);
  const fileOf = new Map(files.map((file) => [file.path, file]));
  const definitions = new Map(
    [...opened.values()].map(({ path, lines, outline }) => [
      path,
      outline.symbols.filter(({ name }) => identifiers.has(name)).map((symbol) => lineOfName(lines, symbol)),
    ]),
  );
  return counted.map(({ side, range, text }, at) => {
    const { score, line } = fileOf.get(side.path)!;
    const holds = (asked: number) => range.startLine <= asked && range.endLine >= asked;
    const isDefined = definitions.get(side.path)!.some(holds);
    const used = new Set(identifiers.size === 0 ? [] : wordsIn(text).filter((word) => identifiers.has(word)));
    const lines = range.endLine - range.startLine + 1;
    const signals = Float64Array.of(
      Math.log(score + leastScore),
      words[at]!,
      shareOf(voices, termsOf(enclosingSymbol(side.outline, range.startLine, range.endLine)?.name ?? '')),
      Math.min(mostUsed, used.size),
      Number(isDefined),
      quietShare(side, range),
      Math.log(lines),
      Math.log(side.lines.length),
      Number(isTest(side.path)),
    );
    const isNamed = line !== undefined && holds(line);
    return { path: side.path, range, characters: text.length, signals, isNamed, isDefined };
  });
}

/** How much it says that a term of the task stands somewhere; all together are 1. */
function voicesOf({ weights }: TaskWords, rarity: ReadonlyMap<string, number>): Map<string, number> {
  const voices = [...rarity].map(([term, rare]): [string, number] => [term, (weights.get(term) ?? 0) * rare]);
  const all = voices.reduce((sum, [, voice]) => sum + voice, 0) || 1;
  return new Map(voices.map(([term, voice]) => [term, voice / all]));
}

function shareOf(voices: ReadonlyMap<string, number>, terms: Iterable<string>): number {
  let share = 0;
  for (const term of terms) share += voices.get(term) ?? 0;
  return share;
}

function countPieces(side: FileSide): CountedPiece[] {
  const { lines, outline } = side;
  return segmentFile(lines, outline.symbols, longestPiece).map((segment) => {
    const range = withoutBlanks(lines, segment);
    const text = lines.slice(range.startLine - 1, range.endLine).join('\n');
    const terms = termsIn(text);
    const times = new Map<string, number>();
    for (const term of terms) times.set(term, (times.get(term) ?? 0) + 1);
    return { side, range, text, times, length: terms.length };
  });
}

/** What is rare among the files may stand in every piece of one of them. */
function wordShares(pieces: readonly CountedPiece[], { weights }: TaskWords): Float64Array {
  const average = pieces.reduce((sum, { length }) => sum + length, 0) / Math.max(1, pieces.length) || 1;
  const shares = new Float64Array(pieces.length);
  for (const [term, weight] of weights) {
    let holding = 0;
    for (const { times } of pieces) if (times.has(term)) holding += 1;
    if (holding === 0) continue;
    const rare = Math.log(1 + (pieces.length - holding + 0.5) / (holding + 0.5));
    pieces.forEach(({ times, length }, at) => {
      const count = times.get(term) ?? 0;
      const long = 1 - lengthPull + (lengthPull * length) / average;
      shares[at]! += (weight * rare * count) / (count + saturation * long);
    });
  }
  const best = shares.reduce((most, share) => Math.max(most, share), 0) || 1;
  return shares.map((share) => share / best);
}

function quietShare({ outline }: FileSide, { startLine, endLine }: LineRange): number {
  let code = 0;
  for (let line = startLine; line <= endLine; line += 1)
    if (outline.lineKinds[line - 1] === lineKind.code) code += 1;
  return 1 - code / (endLine - startLine + 1);
}

/** Decorators and comments may stand above the name. */
function lineOfName(
  lines: readonly string[],
  { name, startLine, endLine }: FileSide['outline']['symbols'][number],
): number {
  const at = lines.slice(startLine - 1, endLine).findIndex((text) => wordsIn(text).includes(name));
  return startLine + Math.max(0, at);
}

function withoutBlanks(lines: readonly string[], { startLine, endLine }: LineRange): LineRange {
  let first = startLine;
  let last = endLine;
  while (first < last && (lines[first - 1] ?? '').trim() === '') first += 1;
  while (last > first && (lines[last - 1] ?? '').trim() === '') last -= 1;
  return { startLine: first, endLine: last };
}
