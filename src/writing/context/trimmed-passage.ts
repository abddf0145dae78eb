// When passages had to go and some room is left, the best of them may still show what was asked for: its telling sentences, in
// their order. Passages that stay are untouched, and what was trimmed says so in the ledger by its level.
import type { Dialect } from '../../core/model/dialect.js';
import type { Fragment } from '../../core/model/fragment.js';
import { indexText } from '../documents/indexed-text.js';
import type { LayerBody } from '../layers/layer-body.js';
import type { AskedQuestion } from '../layers/layer-source.js';
import type { PressedLayers } from '../layers/press-layers.js';
import { trimPassage } from '../retrieval/trim-passage.js';

export interface LeftRoom {
  /** Tokens. */
  readonly left: number;
  /** Stands where sentences were left out. */
  readonly gap: string;
  readonly dialect: Dialect<LayerBody>;
  weigh(text: string): number;
}

export const trimmedLevel = 'trimmed';

const leastTokens = 40;
/** For the separators around it. */
const margin = 8;
const tries = 4;

/** The fragments with one of them trimmed, or undefined when there is nothing to gain. */
export function withTrimmedPassage(
  { fragments, layout }: PressedLayers,
  question: AskedQuestion,
  { left, gap, dialect, weigh }: LeftRoom,
): readonly Fragment<LayerBody>[] | undefined {
  const room = left - margin;
  if (room < leastTokens) return undefined;
  const gone = new Set(
    layout.choices.filter(({ verdict }) => verdict === 'conceded').map(({ wording }) => wording.fragment.id),
  );
  const best = fragments
    .filter(({ id, source }) => source === 'retrieval' && gone.has(id))
    .sort((a, b) => b.rank - a.rank || a.position - b.position)[0];
  const body = best?.levels[0]?.body;
  if (best === undefined || body?.kind !== 'titled') return undefined;
  let budget = room;
  for (let attempt = 0; attempt < tries && budget >= leastTokens / 2; attempt += 1) {
    const shorter: LayerBody = { ...body, text: trimmed(body.text, question, budget).join(gap) };
    const weight = weigh(dialect.word(shorter, best, 1));
    if (weight <= room) {
      const levels = [{ name: trimmedLevel, body: shorter }];
      return fragments.map((fragment) => (fragment === best ? { ...best, levels } : fragment));
    }
    budget = Math.floor((budget * room) / weight) - margin;
  }
  return undefined;
}

function trimmed(text: string, { text: question, statistics }: AskedQuestion, budget: number): string[] {
  const indexed = indexText(text);
  const ranges = trimPassage(question, indexed, { budget, statistics });
  return ranges.map((range) => indexed.slice(range).trim());
}
