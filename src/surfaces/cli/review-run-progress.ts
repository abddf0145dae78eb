// How many pages are done: one moving line on a terminal, nothing elsewhere.
import { counted, word } from './words/word.js';

export interface RunProgress {
  show(progress: { readonly done: number; readonly total: number }): void;
  clear(): void;
}

export function runProgress(stream: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>): RunProgress {
  let open = false;
  return {
    show({ done, total }) {
      if (!stream.isTTY) return;
      open = true;
      stream.write(`\r\u001b[K${word('going.done', { done, pages: counted(total, 'page') })}`);
    },
    clear() {
      if (open) stream.write('\r\u001b[K');
      open = false;
    },
  };
}
