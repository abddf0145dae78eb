import { word } from '../shell/words/word.js';

export function ReviewView() {
  return <h1>{word('nav.review')}</h1>;
}
