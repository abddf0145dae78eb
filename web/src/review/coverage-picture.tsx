// How much of the change a model gets to see, as one bar to scale with its numbers below.
import { grouped } from '../shell/words/word.js';
import type { Review } from './review-state.js';
import { showHidden } from './shown-text.js';
import { coverageWords, say } from './words.js';

const parts = ['onPages', 'abridged', 'omitted'] as const;

export function CoveragePicture({ review: { sheet } }: { review: Review }) {
  if (sheet.value === undefined) return null;
  const { accounting } = sheet.value;
  const counts = Object.fromEntries(
    parts.map((part) => [part, accounting[part].added + accounting[part].removed]),
  ) as Record<(typeof parts)[number], number>;
  const total = Math.max(1, counts.onPages + counts.abridged + counts.omitted);
  return (
    <section class="panel" aria-label={say('coverage')}>
      <h2>{say('coverage')}</h2>
      <div class="coverage-bar" role="img" aria-label={say('coverage.label', counts)}>
        {parts.map((part) => (
          <span key={part} class={`part ${part}`} style={{ width: `${(100 * counts[part]) / total}%` }} />
        ))}
      </div>
      <ul class="plain legend">
        {parts.map((part) => (
          <li key={part}>
            <span class={`key ${part}`} /> {say(`coverage.${part}`)}{' '}
            <span class="mono">
              +{grouped(accounting[part].added)} −{grouped(accounting[part].removed)}
            </span>
          </li>
        ))}
      </ul>
      {accounting.unseen.length === 0 ? null : (
        <p>{say('coverage.unseen', { n: accounting.unseen.length })}</p>
      )}
      <p class="quiet">{showHidden(coverageWords(sheet.value))}</p>
    </section>
  );
}
