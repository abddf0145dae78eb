// What a layer is called: its id, or its name in the language people chose.
import { factWords } from './words/word.js';

export function layerWords(id: string): string {
  return factWords(`layer.${id}`, id);
}
