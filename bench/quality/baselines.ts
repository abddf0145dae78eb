// The methods others use, each a ranking of spans from the visible change.

import { shownRange, type VisibleHunk } from '../../src/review/related/change-query.js';
import type { FileSheet } from '../../src/review/related/corpus.js';
import { identifiersOf } from '../../src/review/related/lexicon.js';
import { segmentFile } from '../../src/review/related/segment-file.js';
import type { Instance } from './instance.js';
import type { Span } from './score-context.js';
import type { SheetLibrary } from './sheet-library.js';

interface Chunk extends Span {
  readonly names: readonly string[];
  readonly words: ReadonlyMap<number, number>;
  readonly length: number;
}

const longestChunk = 60;
const chunksOf = new WeakMap<FileSheet, Map<string, readonly Chunk[]>>();

/** Function-sized chunks of a file with their words. */
function fileChunks(path: string, sheet: FileSheet): readonly Chunk[] {
  const known = chunksOf.get(sheet) ?? new Map<string, readonly Chunk[]>();
  chunksOf.set(sheet, known);
  let chunks = known.get(path);
  if (chunks === undefined) {
    const blank = Array.from({ length: sheet.lineCount }, (_, index) =>
      sheet.linePrints[index] === 0 ? '' : 'x',
    );
    const ranges = segmentFile(blank, sheet.symbols, longestChunk);
    const chunkAt = new Int32Array(sheet.lineCount + 1);
    ranges.forEach((range, index) => {
      chunkAt.fill(index, range.startLine, range.endLine + 1);
    });
    const words = ranges.map(() => new Map<number, number>());
    const lengths = ranges.map(() => 0);
    sheet.words.forEach((word, index) => {
      const chunk = chunkAt[sheet.wordLines[index]!]!;
      const counts = words[chunk]!;
      counts.set(word, (counts.get(word) ?? 0) + 1);
      lengths[chunk]! += 1;
    });
    chunks = ranges.map((range, index) => ({
      path,
      ...range,
      names: sheet.symbols
        .filter((symbol) => symbol.startLine >= range.startLine && symbol.startLine <= range.endLine)
        .map((symbol) => symbol.name),
      words: words[index]!,
      length: lengths[index]!,
    }));
    known.set(path, chunks);
  }
  return chunks;
}

export interface BaselineRun {
  readonly instance: Instance;
  readonly library: SheetLibrary;
  readonly chunks: readonly Chunk[];
  readonly documents: ReadonlyMap<number, number>;
  readonly queryWords: ReadonlySet<number>;
  sheetOf(path: string): FileSheet | undefined;
}

export function openRun(instance: Instance, library: SheetLibrary): BaselineRun {
  const blobOf = new Map(instance.tree.map((entry) => [entry.path, entry.blob]));
  const sheetOf = (path: string) => {
    const blob = blobOf.get(path);
    return blob === undefined ? undefined : library.sheet(blob);
  };
  const chunks: Chunk[] = [];
  for (const entry of instance.tree) {
    const sheet = library.sheet(entry.blob);
    if (sheet !== undefined) chunks.push(...fileChunks(entry.path, sheet));
  }
  const documents = new Map<number, number>();
  for (const chunk of chunks)
    for (const word of chunk.words.keys()) documents.set(word, (documents.get(word) ?? 0) + 1);
  const queryWords = new Set<number>();
  for (const hunk of instance.hunks) {
    for (const line of [...hunk.oldLines, ...hunk.newLines]) {
      for (const word of identifiersOf(line)) {
        const id = library.lexicon.ids.get(word);
        if (id !== undefined) queryWords.add(id);
      }
    }
  }
  return { instance, library, chunks, documents, queryWords, sheetOf };
}

type Ranking = readonly Chunk[];

function ranked(chunks: readonly Chunk[], scores: ArrayLike<number>): Ranking {
  return chunks
    .map((chunk, index) => ({ chunk, index, score: scores[index]! }))
    .filter((one) => one.score > 0)
    .toSorted((a, b) => b.score - a.score || a.index - b.index)
    .map((one) => one.chunk);
}

function bm25Scores(run: BaselineRun): Float64Array {
  const { chunks, documents, queryWords } = run;
  const scores = new Float64Array(chunks.length);
  const average = chunks.reduce((sum, chunk) => sum + chunk.length, 0) / Math.max(1, chunks.length);
  chunks.forEach((chunk, index) => {
    for (const [word, times] of chunk.words) {
      if (!queryWords.has(word)) continue;
      const seen = documents.get(word) ?? 0;
      const rare = Math.log(1 + (chunks.length - seen + 0.5) / (seen + 0.5));
      scores[index]! += (rare * times * 2.2) / (times + 1.2 * (0.25 + (0.75 * chunk.length) / average));
    }
  });
  return scores;
}

/** Definitions of what the change uses, and users of what the change defines, rare names first. */
function graphScores(run: BaselineRun): Float64Array {
  const { chunks, queryWords, library, documents, instance } = run;
  const scores = new Float64Array(chunks.length);
  const changed = new Set<number>();
  const touched = new Set<Chunk>();
  for (const chunk of chunks) {
    if (instance.hunks.some((hunk) => hunk.path === chunk.path && overlaps(hunk, chunk))) {
      touched.add(chunk);
      for (const name of chunk.names) {
        const id = library.lexicon.ids.get(name);
        if (id !== undefined) changed.add(id);
      }
    }
  }
  chunks.forEach((chunk, index) => {
    if (touched.has(chunk)) return;
    for (const name of chunk.names) {
      const id = library.lexicon.ids.get(name);
      if (id !== undefined && queryWords.has(id))
        scores[index]! += 1 / Math.log(2 + (documents.get(id) ?? 0));
    }
    for (const id of changed)
      if (chunk.words.has(id)) scores[index]! += 1 / Math.log(2 + (documents.get(id) ?? 0));
  });
  return scores;
}

function overlaps(hunk: VisibleHunk, span: Span): boolean {
  const end = hunk.newStart + Math.max(0, hunk.newLines.length - 1);
  return span.startLine <= end && span.endLine >= hunk.newStart;
}

function coChangeScores(run: BaselineRun, bm25: Float64Array): Float64Array {
  const visible = new Set(run.instance.hunks.map((hunk) => hunk.path));
  const together = new Map<string, number>();
  for (const commit of run.instance.history) {
    if (commit.paths.length > 50) continue;
    for (const path of commit.paths) together.set(path, (together.get(path) ?? 0) + 1 / commit.paths.length);
  }
  for (const path of visible) together.set(path, Math.max(together.get(path) ?? 0, 1));
  return Float64Array.from(run.chunks, (chunk, index) => (together.get(chunk.path) ?? 0) * bm25[index]!);
}

function fuse(rankings: readonly Ranking[]): Ranking {
  const scores = new Map<Chunk, number>();
  for (const ranking of rankings) {
    ranking.forEach((chunk, rank) => {
      scores.set(chunk, (scores.get(chunk) ?? 0) + 1 / (60 + rank));
    });
  }
  return [...scores].toSorted((a, b) => b[1] - a[1]).map(([chunk]) => chunk);
}

/** The function around each hunk, then growing windows. */
function enclosing(run: BaselineRun): Span[] {
  const spans: Span[] = [];
  for (const hunk of run.instance.hunks) {
    const sheet = run.sheetOf(hunk.path);
    if (sheet === undefined) continue;
    const around = sheet.symbols
      .filter(
        (symbol) => overlaps(hunk, { path: hunk.path, ...symbol }) && symbol.endLine - symbol.startLine >= 2,
      )
      .toSorted((a, b) => a.endLine - a.startLine - (b.endLine - b.startLine))[0];
    if (around !== undefined)
      spans.push({ path: hunk.path, startLine: around.startLine, endLine: around.endLine });
  }
  for (const reach of [10, 20, 40, 80, 160, 320, 640]) {
    for (const hunk of run.instance.hunks) {
      const { first, last } = shownRange(hunk);
      spans.push({ path: hunk.path, startLine: first - reach, endLine: first - 1 });
      spans.push({ path: hunk.path, startLine: last + 1, endLine: last + reach });
    }
  }
  return spans;
}

function wholeFiles(run: BaselineRun): Span[] {
  const paths = [...new Set(run.instance.hunks.map((hunk) => hunk.path))];
  const spans: Span[] = [];
  for (const path of paths) {
    const lines = run.sheetOf(path)?.lineCount ?? 0;
    for (let start = 1; start <= lines; start += 50)
      spans.push({ path, startLine: start, endLine: start + 49 });
  }
  return spans;
}

export interface BaselineRankings {
  readonly enclosing: readonly Span[];
  readonly wholeFiles: readonly Span[];
  readonly bm25: readonly Span[];
  readonly graph: readonly Span[];
  readonly coChange: readonly Span[];
  readonly fused: readonly Span[];
}

export function rankBaselines(run: BaselineRun): BaselineRankings {
  const scores = bm25Scores(run);
  const bm25 = ranked(run.chunks, scores);
  const graph = ranked(run.chunks, graphScores(run));
  const coChange = ranked(run.chunks, coChangeScores(run, scores));
  return {
    enclosing: enclosing(run),
    wholeFiles: wholeFiles(run),
    bm25,
    graph,
    coChange,
    fused: fuse([bm25, graph, coChange]),
  };
}
