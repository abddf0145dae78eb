// What is known of a prompt before it is set: the files of the change, as wide as their changed lines. No budget, no tokens yet.
import type { AnswerOf } from '../../../src/operations/table.js';
import { grouped } from '../shell/words/word.js';
import { rowsOf, Strip } from './map.js';
import type { Piece } from './sheet.js';
import { say } from './words.js';

export interface Early {
  readonly files: readonly Piece[];
  readonly left: readonly Piece[];
  /** Changed ones of the files. */
  readonly lines: number;
}

export function earlyOf({ entries, omitted }: AnswerOf<'review:changes'>): Early {
  const reasons = new Map(omitted.map(({ path, reason }) => [path, reason]));
  const pieces = entries.map(({ path, added, removed }): Piece => {
    const reason = reasons.get(path);
    return {
      ...{ fragment: path, source: 'diff', layer: 'diff', colour: 0, isStable: false },
      ...{ isIn: reason === undefined, amount: added + removed },
      ...{ verdict: reason === undefined ? 'kept' : 'conceded', reason: reason ?? '' },
    };
  });
  const files = pieces.filter(({ isIn }) => isIn);
  const left = pieces.filter(({ isIn }) => !isIn);
  return { files, left, lines: sum(files) };
}

export const isNothing = ({ files, left }: Early) => files.length + left.length === 0;

const sum = (pieces: readonly Piece[]) => pieces.reduce((all, { amount = 0 }) => all + amount, 0);

export function EarlyPicture({ early }: { early: Early }) {
  const { files, left, lines } = early;
  if (isNothing(early)) return <p role="status">{say('early.nothing')}</p>;
  const perRow = Math.max(lines, sum(left), 1) / rowsOf(files.length);
  const shared = { perRow, selected: undefined, select: () => {} };
  return (
    <>
      <p role="status">{say('early.setting', { files: grouped(files.length), lines: grouped(lines) })}</p>
      <div class="map early">
        <Strip label={say('early.files')} pieces={files} {...shared} />
        {left.length === 0 ? null : <Strip label={say('map.out')} pieces={left} {...shared} isOut />}
      </div>
    </>
  );
}
