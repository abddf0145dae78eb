import { word } from '../shell/words/word.js';

export function AgentsView() {
  return <h1>{word('nav.agents')}</h1>;
}
