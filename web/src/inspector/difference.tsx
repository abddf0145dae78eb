// What one prompt has over another: what came, what went, where the texts part.
import { reasonText } from '../shell/words/facts.js';
import { grouped } from '../shell/words/word.js';
import { type Difference, differenceOf, type Piece, type Sheet } from './sheet.js';
import { say } from './words.js';

const mostShown = 50;

export function DifferenceOf({
  before,
  after,
  isOpen = false,
}: {
  before: Sheet;
  after: Sheet;
  isOpen?: boolean;
}) {
  const difference = differenceOf(before, after);
  const unit = say(after.receipt.used.unit === 'tokens' ? 'tokens' : 'bytes');
  const isSame = difference.came.length + difference.went.length + difference.changed.length === 0;
  const sum = say('compare.used', {
    sign: difference.used > 0 ? '+' : difference.used < 0 ? '−' : '±',
    n: grouped(Math.abs(difference.used)),
    unit,
  });
  const counts = (['came', 'went', 'changed'] as const)
    .filter((name) => difference[name].length > 0)
    .map((name) => say(`compare.${name}`, { n: difference[name].length }));
  return (
    <section class="difference" aria-label={say('compare.title')}>
      <p role="status">
        <strong>{sum}</strong> · {isSame ? say('compare.none') : counts.join(' · ')}
      </p>
      <p class="quiet">{prefixWords(difference)}</p>
      {isSame ? null : (
        <details open={isOpen}>
          <summary>{say('compare.title')}</summary>
          <div class="columns">
            <Column
              title={say('compare.came', { n: difference.came.length })}
              pieces={difference.came}
              sign="+"
            />
            <Column
              title={say('compare.went', { n: difference.went.length })}
              pieces={difference.went}
              sign="−"
            />
            <Column
              title={say('compare.changed', { n: difference.changed.length })}
              pieces={difference.changed.map(({ after: piece }) => piece)}
              sign="~"
            />
          </div>
        </details>
      )}
    </section>
  );
}

const prefixWords = ({ breaks }: Difference) =>
  breaks === undefined ? say('compare.steady') : say('compare.breaks', { fragment: breaks });

function Column({ title, pieces, sign }: { title: string; pieces: readonly Piece[]; sign: string }) {
  if (pieces.length === 0) return null;
  return (
    <div>
      <h3>{title}</h3>
      <ul class="plain">
        {pieces.slice(0, mostShown).map(({ fragment, amount = 0, colour, reason }) => (
          <li key={fragment}>
            <span class={`dot c${colour}`} aria-hidden="true" /> {fragment}{' '}
            <span class="quiet">
              {sign}
              {grouped(amount)}
              {reason === '' ? '' : ` · ${reasonText(reason)}`}
            </span>
          </li>
        ))}
        {pieces.length > mostShown ? <li class="quiet">+ {grouped(pieces.length - mostShown)}</li> : null}
      </ul>
    </div>
  );
}
