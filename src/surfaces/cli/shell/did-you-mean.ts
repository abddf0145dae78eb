// How a refusal ends: with the known word that was probably meant, or with a full stop. In English, as every message is.
import { nearestWord } from '../../../core/model/nearest-word.js';

const shortestBeginning = 3;

export function closestWord(value: string, known: readonly string[]): string | undefined {
  const begun = value.length < shortestBeginning ? undefined : known.find((word) => word.startsWith(value));
  return begun ?? nearestWord(value, known);
}

export function didYouMean(value: string, known: readonly string[]): string {
  const meant = closestWord(value, known);
  return meant === undefined ? '.' : `; did you mean "${meant}"?`;
}
