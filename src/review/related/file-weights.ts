// How much each signal says for a whole file; learned by bench/quality/related-files.ts --learn, never edited by hand.

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
  words: 3.99,
  wordRank: 0.46,
  history: 0.74,
  historyRank: 2.93,
  sameStem: 1.3,
  sameFolder: 0.88,
  sharedFolders: -0.25,
  imported: 0.64,
};
