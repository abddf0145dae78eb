// How many rules, people and the like go to which file, in one line.
import type { Carried } from '../../../writing/owned/carry-over.js';
import { counted, word } from '../words/word.js';

const nouns = {
  constraints: 'rule',
  entities: 'card',
  memory: 'memory',
  episodes: 'episode',
  settings: 'setting',
  skills: 'skill',
} as const;

export function carriedWords(carried: readonly Carried[]): string {
  return carried
    .map(({ kind, count, path }) => `${counted(count, nouns[kind])} → ${path}`)
    .join(word('list.comma'));
}
