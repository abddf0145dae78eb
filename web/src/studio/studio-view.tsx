import { word } from '../shell/words/word.js';

export function StudioView() {
  return <h1>{word('nav.write')}</h1>;
}
