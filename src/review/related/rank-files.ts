// Which files belong to given ones: by shared rare words, common history, names and imports.
import { byCodePoint } from '../../core/model/code-points.js';
import type { Corpus } from './corpus-port.js';
import { fileQuery } from './file-query.js';
import { type FileSignals, signalFiles } from './file-signals.js';
import { type FileSignalName, type FileWeights, fileSignalNames, fileWeights } from './file-weights.js';
import type { Lexicon } from './lexicon.js';

export interface RelatedFile {
  readonly path: string;
  readonly score: number;
  readonly why: string;
}

export interface FileQuestion {
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
  const foremost = [...visible].toSorted(byCodePoint).slice(0, mostForemost);
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

const mostForemost = 200;
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
