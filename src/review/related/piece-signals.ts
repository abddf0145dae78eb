// What is measured of every piece that could be shown; each signal is free of the repository's size.

export const signalNames = [
  /** Always 1: how likely a piece matters before anything is known of it. */
  'any',
  /** In a changed file, minus the logarithm of the distance to the nearest hunk. */
  'nearness',
  /** Words of the change: place of the piece among all, share in the symbol around it and on its best line. */
  'wordRank',
  'unitWords',
  'lineWords',
  /** Place of its file among those that changed together with the visible ones before. */
  'historyRank',
  'sameStem',
  'sharedFolders',
  'imported',
  /** Defines a word of the change; mentions a changed symbol; mentions a word the change removed. */
  'defines',
  'mentions',
  'stale',
  'test',
  'named',
] as const;

export type SignalName = (typeof signalNames)[number];

export const column = Object.fromEntries(signalNames.map((name, index) => [name, index])) as Readonly<
  Record<SignalName, number>
>;
