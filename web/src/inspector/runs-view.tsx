import { word } from '../shell/words/word.js';

export function RunsView() {
  return <h1>{word('nav.runs')}</h1>;
}
