// "did you mean …?", or nothing when no known word is near.
import { nearestWord } from '../../review/config/nearest-word.js';
import { word } from './words/word.js';

export function meantWords(value: string, known: readonly string[]): string {
  const meant = nearestWord(value, known);
  return meant === undefined ? '' : word('meant.one', { word: meant });
}
