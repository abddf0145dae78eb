// From one finding to the next, wherever it stands.
import { useSignal } from '@preact/signals';
import type { FileRow } from './file-rows.js';
import { showFile } from './file-section.js';
import type { Review } from './review-state.js';
import { say } from './words.js';

export const findingAnchor = (id: string): string => `finding-${id}`;

export function FindingSteps({ review, rows }: { review: Review; rows: readonly FileRow[] }) {
  const at = useSignal(-1);
  if (review.run.value === undefined && Object.keys(review.live.value).length === 0) return null;
  const all = rows.flatMap(({ findings, path }) => findings.map(({ finding }) => ({ path, id: finding.id })));
  // While it runs, or where a page was not read, nobody knows.
  const isKnown = review.run.value?.missing.length === 0;
  if (all.length === 0) return isKnown ? <p role="status">{say('findings.none')}</p> : null;
  const step = (by: number) => {
    at.value = (at.value + by + all.length) % all.length;
    const target = all[at.value];
    if (target !== undefined) showFile(review, target.path, findingAnchor(target.id));
  };
  return (
    <div class="row steps">
      <strong>{say('findings')}</strong>
      <span>
        {at.value < 0 ? '' : `${at.value + 1} / `}
        {all.length}
      </span>
      <button type="button" onClick={() => step(at.value < 0 ? 0 : -1)}>
        {say('findings.previous')}
      </button>
      <button type="button" onClick={() => step(1)}>
        {say('findings.next')}
      </button>
    </div>
  );
}
