// How far we are, on one line of a terminal; elsewhere nothing.
import type { Progress } from '../../../review/pages/gather-pieces.js';
import { counted, word } from '../words/word.js';

interface ProgressLine {
  show(progress: Progress): void;
  clear(): void;
}

const steps = 100;

export function progressLine(stream: NodeJS.WriteStream): ProgressLine {
  let last = '';
  return {
    show({ stage, done, total }) {
      if (!stream.isTTY || total < steps) return;
      const text = `${word(`progress.${stage}`)} ${Math.floor((done / total) * 100)} %`;
      if (text === last) return;
      last = text;
      stream.write(`\r\u001b[K${text}`);
    },
    clear() {
      if (last !== '') stream.write('\r\u001b[K');
      last = '';
    },
  };
}

// How many pages are done: one moving line on a terminal, nothing elsewhere.
interface PageCounter {
  show(progress: { readonly done: number; readonly total: number }): void;
  clear(): void;
}

export function pageCounter(stream: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>): PageCounter {
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
