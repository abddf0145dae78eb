// Pieces of a prompt as a writer knows them: a card by the name of whom it is about, a passage by its chapter.
import type { AnswerOf } from '../../../src/operations/table.js';
import { type Card, cards, chapters } from './book.js';
import { say } from './words.js';

type Set = AnswerOf<'context:inspect'>;
export type PieceLine = Set['receipt']['ledger'][number];

/** What each piece says, by its id; also of those that were left out. */
export function wordsOfPieces(set: Set | undefined): ReadonlyMap<string, string> {
  if (set === undefined) return new Map();
  const { rules, settings, retrieved, immediate } = set.layers;
  const items = [rules, settings, retrieved, immediate].flatMap((layer) => layer.items);
  return new Map(items.map(({ id, text }) => [id, text]));
}

const refOf = ({ ref, fragment }: PieceLine) => (ref ?? fragment).replace(/^ref:/, '');

export function cardOfPiece(line: PieceLine): Card | undefined {
  if (line.source !== 'entities') return undefined;
  const ref = refOf(line);
  return cards.value.find(({ id }) => ref === id || ref.endsWith(`:${id}`));
}

/** The rule of the project that a piece is. */
export const ruleOfPiece = ({ source, fragment }: PieceLine): string | undefined =>
  source.startsWith('constraints') ? /^constraint:(.+)$/.exec(fragment)?.[1] : undefined;

/** Where a passage of another chapter stands. */
export function placeOfPiece(line: PieceLine): { documentId: string; line: number } | undefined {
  const [, documentId = '', first = '1'] = /^(.*)#L(\d+)/.exec(refOf(line)) ?? [];
  return chapters.value?.some((each) => each.documentId === documentId)
    ? { documentId, line: Number(first) }
    : undefined;
}

const own = {
  identity: 'knows.piece.identity',
  'constraints:origins': 'knows.piece.origins',
  'task:skill': 'knows.piece.task',
} as const;

/** `words`: what the piece says; a rule is called by them. */
export function nameOfPiece(line: PieceLine, words = ''): string {
  const { fragment } = line;
  if (fragment in own) return say(own[fragment as keyof typeof own]);
  const documentId = placeOfPiece(line)?.documentId ?? /^chunk:(.*)#/.exec(fragment)?.[1];
  const title = chapters.value?.find((each) => each.documentId === documentId)?.title;
  const rule = ruleOfPiece(line) === undefined ? '' : words.replace(/^[-\s*]+/, '');
  return cardOfPiece(line)?.name ?? title ?? (rule === '' ? refOf(line) : shortened(rule, 40));
}

function shortened(text: string, most: number): string {
  const points = [...text.trim()];
  return points.length <= most ? points.join('') : `${points.slice(0, most).join('')}…`;
}
