// How far we are, on one line of a terminal; elsewhere nothing.
import type { ReviewProgress } from '../../review/change/open-review.js';
import { word } from './words/word.js';

export interface ProgressLine {
  show(progress: ReviewProgress): void;
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
