// How much each signal says for a whole file; learned by bench/quality/learn-files.ts, never edited by hand.

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

export type FileSignalName = (typeof fileSignalNames)[number];

export type FileWeights = Readonly<Record<FileSignalName, number>>;

export const fileWeights: FileWeights = {
  words: 1,
  wordRank: 2,
  history: 1,
  historyRank: 2,
  sameStem: 1.5,
  sameFolder: 0.5,
  sharedFolders: 0.5,
  imported: 0.5,
};
