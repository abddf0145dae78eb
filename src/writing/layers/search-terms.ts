// What to search for: what the writer asks for, what is selected, and what was just written. Rare terms tell passages
// apart, near ones matter more; a few dozen are enough, and they change little from one word to the next.
import { queryTermsOf } from '../retrieval/terms.js';
import { type Scene, textBefore } from './scene.js';

const nearUnits = 240;
const mostConsidered = 96;
const mostAsked = 16;
/** Below this many chunks a search over everything is cheap. */
const smallCollection = 200;
const commonShare = 0.03;
/** Rarer than this tells nothing more: pairs across word borders are rare, too. */
const rareShare = 0.005;
/** Pairs with these characters are everywhere. */
const filler = /[的了是在有和与之于为着就也都而及不他她它我你这那说道去来又]/;

/** Most important first. */
export function searchTerms(scene: Pick<Scene, 'indexed' | 'window' | 'instruction'>): string[] {
  const { indexed, window, instruction } = scene;
  const written = queryTermsOf(textBefore(scene, nearUnits)).reverse();
  const selected = queryTermsOf(
    indexed.text.slice(window.start, Math.min(window.end, window.start + nearUnits)),
  );
  const all = [...new Set([...queryTermsOf(instruction.slice(0, 2_000)), ...selected, ...written])];
  const telling = all.filter((term) => !filler.test(term));
  return (telling.length > 0 ? telling : all).slice(0, mostConsidered);
}

/** The terms that tell passages apart: known to the collection, and not in every other chunk of it. */
export function tellingTerms(
  terms: readonly string[],
  { chunks, frequencies }: { chunks: number; frequencies: ReadonlyMap<string, number> },
): string[] {
  const frequencyOf = (term: string) => frequencies.get(term) ?? 0;
  const known = terms.filter((term) => frequencyOf(term) > 0);
  if (chunks <= smallCollection) return known;
  const uncommon = known.filter((term) => frequencyOf(term) <= chunks * commonShare);
  const worth = (term: string, index: number) =>
    Math.log(1 + chunks / Math.max(chunks * rareShare, frequencyOf(term))) / (1 + index / mostConsidered);
  return (uncommon.length > 0 ? uncommon : known)
    .map((term, index) => ({ term, index, worth: worth(term, index) }))
    .sort((a, b) => b.worth - a.worth || a.index - b.index)
    .slice(0, mostAsked)
    .map(({ term }) => term);
}
