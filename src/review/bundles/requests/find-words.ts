// Where does a word or phrase stand? Near places first, one for each symbol around it.

import { byCloseness } from './closeness.js';
import { placeOf } from './find-references.js';
import type { Reference, References, RequestGround } from './request-ground.js';

export interface WordQuestion {
  readonly words: readonly string[];
  /** The file that asks; it does not answer itself. */
  readonly home: string;
  readonly skip?: ((path: string) => boolean) | undefined;
}

const mostOpened = 20;

export async function findWords(question: WordQuestion, ground: RequestGround): Promise<References> {
  const byPath = new Map<string, Set<number>>();
  for (const word of question.words)
    for (const { path, line } of ground.hits(word)) {
      if (path === question.home || question.skip?.(path)) continue;
      const lines = byPath.get(path) ?? new Set<number>();
      byPath.set(path, lines.add(line));
    }
  const paths = [...byPath.keys()].sort(byCloseness(question.home));
  const total = [...byPath.values()].reduce((sum, lines) => sum + lines.size, 0);
  const files = await ground.library.open(paths.slice(0, mostOpened));
  const found: Reference[] = [];
  for (const [path, file] of files)
    for (const line of [...(byPath.get(path) ?? [])].sort((a, b) => a - b))
      found.push({ ...placeOf(file, line), certainty: 'possible' });
  return { found, total, unchecked: total - found.length };
}
