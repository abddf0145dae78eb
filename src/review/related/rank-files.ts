// Which files belong to given ones: by shared rare words, common history, names and imports.
import { byCodePoint } from '../../core/model/code-points.js';
import { isOrdinary, type QueryWord } from './change-query.js';
import type { Corpus, FileSheet } from './corpus.js';
import { type FileSignals, signalFiles } from './file-signals.js';
import type { Lexicon } from './lexicon.js';

export interface RelatedFile {
  readonly path: string;
  readonly score: number;
  readonly why: string;
}

interface FileQuestion {
  readonly paths: readonly string[];
  readonly corpus: Corpus;
  /** The lexicon the corpus makes its sheets with. */
  readonly lexicon: Lexicon;
  readonly limit: number;
}

export async function rankFiles(
  question: FileQuestion,
  weights: FileWeights = fileWeights,
): Promise<RelatedFile[]> {
  const measured = await measureFiles(question);
  return measured
    .map(({ path, signals }) => {
      let score = 0;
      let loudest: FileSignalName = 'sharedFolders';
      for (const name of fileSignalNames) {
        const voice = weights[name] * signals[name];
        score += voice;
        if (voice > weights[loudest] * signals[loudest]) loudest = name;
      }
      return { path, score: Number(score.toFixed(6)), why: phrases[loudest] };
    })
    .toSorted((a, b) => b.score - a.score || byCodePoint(a.path, b.path))
    .slice(0, question.limit);
}

const phrases: Readonly<Record<FileSignalName, string>> = {
  words: 'shares rare words',
  wordRank: 'shares rare words',
  history: 'changed together before',
  historyRank: 'changed together before',
  sameStem: 'counterpart by name',
  sameFolder: 'same folder',
  sharedFolders: 'close by',
  imported: 'imported',
};

export interface MeasuredFile {
  readonly path: string;
  readonly signals: Readonly<Record<FileSignalName, number>>;
}

export async function measureFiles(question: Omit<FileQuestion, 'limit'>): Promise<MeasuredFile[]> {
  const { corpus, lexicon } = question;
  const visible = new Set(question.paths);
  const foremost = [...visible].toSorted(byCodePoint).slice(0, maxForemost);
  const visibleSheets = await corpus.sheets(foremost);
  const query = fileQuery(visibleSheets.values(), lexicon);
  const { files } = await signalFiles({ corpus, query, visible, foremost });
  const others = files.filter((file) => !visible.has(file.path));
  const wordRanks = ranks(others, (file) => file.words);
  const historyRanks = ranks(others, (file) => file.history);
  return others.map((file) => ({
    path: file.path,
    signals: {
      words: file.words,
      wordRank: wordRanks(file.words),
      history: file.history,
      historyRank: historyRanks(file.history),
      sameStem: Number(file.sameStem),
      sameFolder: Number(file.sameFolder),
      sharedFolders: file.sharedFolders,
      imported: Number(file.imported),
    },
  }));
}

const maxForemost = 200;
const unranked = 0;

/** From 1 for the best place towards 0; a value of 0 has no place. */
function ranks(
  files: readonly FileSignals[],
  view: (file: FileSignals) => number,
): (value: number) => number {
  const values = files.map(view).toSorted((a, b) => b - a);
  const place = new Map<number, number>();
  values.forEach((value, index) => {
    if (!place.has(value)) place.set(value, index);
  });
  return (value) => (value === 0 ? unranked : 1 / (1 + Math.log1p(place.get(value)!)));
}

const maxWords = 400;
const definedWeight = 2;
const shortestWord = 3;

/** Which words stand for whole files: what they define first, then the words they use most. */
function fileQuery(sheets: Iterable<FileSheet>, lexicon: Lexicon): QueryWord[] {
  const times = new Map<string, number>();
  const defined = new Set<string>();
  for (const sheet of sheets) {
    for (const id of sheet.words) {
      const word = lexicon.words[id]!;
      if (word.length >= shortestWord && !isOrdinary(word)) times.set(word, (times.get(word) ?? 0) + 1);
    }
    for (const symbol of sheet.symbols) defined.add(symbol.name);
  }
  return [...times]
    .map(([word, count]) => {
      const own = defined.has(word) ? definedWeight : 1;
      return { word, weight: own, worth: own * word.length * (1 + Math.log(count)), gone: false };
    })
    .toSorted((a, b) => b.worth - a.worth || byCodePoint(a.word, b.word))
    .slice(0, maxWords)
    .map(({ word, weight, gone }) => ({ word, weight, gone }));
}

export const fileSignalNames = [
  'words',
  'wordRank',
  'history',
  'historyRank',
  'sameStem',
  'sameFolder',
  'sharedFolders',
  'imported',
] as const;

type FileSignalName = (typeof fileSignalNames)[number];

export type FileWeights = Readonly<Record<FileSignalName, number>>;

/** Learned by bench/quality/related-files.ts --learn, never edited by hand. */
export const fileWeights: FileWeights = {
  words: 3.99,
  wordRank: 0.46,
  history: 0.74,
  historyRank: 2.93,
  sameStem: 1.3,
  sameFolder: 0.88,
  sharedFolders: -0.25,
  imported: 0.64,
};
