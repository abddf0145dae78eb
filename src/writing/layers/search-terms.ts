// What to search for: what the writer asks for first, then what was just written, nearest first; a few dozen terms.
import { queryTermsOf } from '../retrieval/terms.js';
import { type Scene, textBefore } from './scene.js';

const nearUnits = 240;
const mostTerms = 48;
/** Pairs with these characters are everywhere. */
const filler = /[的了是在有和与之于为着就也都而及不他她它我你这那说道去来又]/;

export function searchTerms(scene: Pick<Scene, 'indexed' | 'window' | 'instruction'>): string[] {
  const asked = queryTermsOf(scene.instruction.slice(0, 2_000));
  const selected = scene.indexed.text.slice(
    scene.window.start,
    Math.min(scene.window.end, scene.window.start + nearUnits),
  );
  const written = queryTermsOf(textBefore(scene, nearUnits)).reverse();
  const all = [...new Set([...asked, ...queryTermsOf(selected), ...written])];
  const telling = all.filter((term) => !filler.test(term));
  return (telling.length > 0 ? telling : all).slice(0, mostTerms);
}
