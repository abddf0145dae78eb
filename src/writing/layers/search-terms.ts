// What to search for: what the writer asks for, what the scene is about, and what was just written. The scene moves in steps
// and weighs most, so that passages found for it stay while it is being written; rare terms tell passages apart.
import { LRUCache } from 'lru-cache';
import { codePointBorder } from '../../core/model/utf8.js';
import { detachedText } from '../documents/detached-text.js';
import { queryTermsOf, termsOf } from '../retrieval/terms.js';
import { type Scene, textBefore } from './scene.js';

export interface SearchTerms {
  /** What the writer says or has selected, word for word. */
  readonly question: string;
  /** What a passage should be about: the question, else the end of the scene, which moves in steps. */
  readonly about: string;
  /** Said by the writer or selected. */
  readonly asked: readonly string[];
  /** Most repeated first. */
  readonly scene: readonly string[];
  /** Nearest to the cursor first. */
  readonly fresh: readonly string[];
}

const sceneStep = 1_600;
const sceneUnits = 3_200;
const freshUnits = 120;
const questionUnits = 600;
const aboutUnits = 800;
const most = { asked: 24, scene: 14, fresh: 4 } as const;
const considered = { asked: 48, scene: 64, fresh: 48 } as const;
/** Below this many chunks a search over everything is cheap. */
const smallCollection = 200;
/** A term in a larger part of the chunks tells little; what was asked for may tell less. */
const commonShare = { asked: 0.2, scene: 0.03, fresh: 0.03 } as const;
/** Rarer than this tells nothing more: pairs across word borders are rare, too. */
const rareShare = 0.005;
/** Pairs with these characters are everywhere. */
const filler = /[的了是在有和与之于为着就也都而及不他她它我你这那说道去来又]/;

export function searchTerms(view: Pick<Scene, 'indexed' | 'window' | 'instruction'>): SearchTerms {
  const { indexed, window, instruction } = view;
  const selection = indexed.text.slice(window.start, Math.min(window.end, window.start + 2 * freshUnits));
  const question = `${instruction.slice(0, questionUnits)}\n${selection}`.trim();
  const asked = queryTermsOf(question).slice(0, considered.asked);
  const fresh = telling(queryTermsOf(textBefore(view, freshUnits)).reverse()).slice(0, considered.fresh);
  const scene = sceneText(view);
  const about =
    question === '' ? scene.slice(codePointBorder(scene, Math.max(0, scene.length - aboutUnits))) : question;
  return { question, about, asked, scene: repeated(scene).slice(0, considered.scene), fresh };
}

/** The terms that tell passages apart: known to the collection, and not in every other chunk of it. */
export function tellingTerms(
  terms: SearchTerms,
  statistics: { chunks: number; frequencies: ReadonlyMap<string, number> },
): string[] {
  const { chunks, frequencies } = statistics;
  const frequencyOf = (term: string) => frequencies.get(term) ?? 0;
  const all = (['asked', 'scene', 'fresh'] as const).flatMap((kind) => {
    const known = terms[kind].filter((term) => frequencyOf(term) > 0);
    if (chunks <= smallCollection) return known;
    const uncommon = known.filter((term) => frequencyOf(term) <= chunks * commonShare[kind]);
    const worth = (term: string, index: number) =>
      Math.log(1 + chunks / Math.max(chunks * rareShare, frequencyOf(term))) / (1 + index / considered[kind]);
    return uncommon
      .map((term, index) => ({ term, index, worth: worth(term, index) }))
      .sort((a, b) => b.worth - a.worth || a.index - b.index)
      .slice(0, most[kind])
      .map(({ term }) => term);
  });
  const chosen = [...new Set(all)];
  if (chosen.length > 0) return chosen;
  const known = [...new Set([...terms.asked, ...terms.fresh, ...terms.scene])].filter(
    (term) => frequencyOf(term) > 0,
  );
  return known.sort((a, b) => frequencyOf(a) - frequencyOf(b)).slice(0, most.asked);
}

/** The stretch before the last step of the scene; the opening while there is none. */
function sceneText({ indexed, window }: Pick<Scene, 'indexed' | 'window'>): string {
  const { text } = indexed;
  const written = window.start - window.from;
  const end = window.from + Math.floor(written / sceneStep) * sceneStep;
  if (end === window.from)
    return text.slice(window.from, Math.min(window.start, window.from + sceneStep / 4));
  return text.slice(Math.max(window.from, end - sceneUnits), end);
}

function telling(terms: readonly string[]): readonly string[] {
  const left = terms.filter((term) => !filler.test(term));
  return left.length > 0 ? left : terms;
}

const scenes = new LRUCache<string, readonly string[]>({ max: 200 });

function repeated(text: string): readonly string[] {
  const known = scenes.get(text);
  if (known !== undefined) return known;
  const asked = new Set(telling(queryTermsOf(text)));
  const counts = new Map<string, number>();
  for (const term of termsOf(text)) if (asked.has(term)) counts.set(term, (counts.get(term) ?? 0) + 1);
  const terms = [...counts].sort((a, b) => b[1] - a[1]).map(([term]) => term);
  scenes.set(detachedText(text), terms);
  return terms;
}
