// How far we are, on one line of a terminal; elsewhere nothing.
import type { OperationProgress } from '../../../operations/operation.js';
import type { ReviewProgress } from '../../../review/change/open-review.js';
import { counted, word } from '../words/word.js';

type Screen = Pick<NodeJS.WriteStream, 'isTTY' | 'write'>;

interface Shown<What> {
  show(progress: What): void;
  clear(): void;
}

/** What takes fewer steps is over before one could read it. */
const fewSteps = 100;

export function progressLine(stream: Screen): Shown<ReviewProgress> {
  const line = movingLine(stream);
  return {
    show: ({ stage, done, total }) => {
      if (total >= fewSteps) line.show(`${word(`progress.${stage}`)} ${Math.floor((done / total) * 100)} %`);
    },
    clear: line.clear,
  };
}

/** How many pages a model has answered. */
export function pageCounter(stream: Screen): Shown<OperationProgress> {
  const line = movingLine(stream);
  return {
    show: ({ done, total = done }) => line.show(word('going.done', { done, pages: counted(total, 'page') })),
    clear: line.clear,
  };
}

/** How many pull requests were read or replayed. */
export function pullCounter(stream: Screen): Shown<OperationProgress> {
  const line = movingLine(stream);
  return {
    show: ({ stage, done, total = done }) =>
      line.show(word(stage === 'replay' ? 'pr.replay.done' : 'pr.read.done', { done, total })),
    clear: line.clear,
  };
}

/** How many chapters or names a model has read. */
export function checkCounter(stream: Screen): Shown<OperationProgress> {
  const line = movingLine(stream);
  return {
    show: ({ stage, done, total = done }) => {
      if (stage !== 'prepare' || total >= fewSteps)
        line.show(word(stage === 'prepare' ? 'write.going.prepare' : 'write.going.read', { done, total }));
    },
    clear: line.clear,
  };
}

function movingLine(stream: Screen): Shown<string> {
  let last = '';
  return {
    show: (text) => {
      if (!stream.isTTY || text === last) return;
      last = text;
      stream.write(`\r\u001b[K${text}`);
    },
    clear: () => {
      if (last !== '') stream.write('\r\u001b[K');
      last = '';
    },
  };
}
