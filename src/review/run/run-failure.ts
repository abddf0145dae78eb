// When a run has nothing to show, why not.
import { type ErrorCode, GalleyError } from '../../core/model/error.js';
import type { PageOutcome } from './review-pages.js';

/** For failures that came without words. */
const causes: Partial<Record<ErrorCode, string>> = {
  MODEL_UNAVAILABLE: 'the model could not be reached or failed; try again later or name another',
  MODEL_ANSWER_INVALID: 'no answer could be read; try a model that keeps to a form',
};

/** The failure most pages share, when no page has an answer. */
export function allFailed(outcomes: readonly PageOutcome[]): GalleyError | undefined {
  const failed = outcomes.filter(({ status }) => status === 'failed' || status === 'not-asked');
  if (outcomes.length === 0 || failed.length < outcomes.length) return undefined;
  const counts = new Map<ErrorCode, number>();
  for (const { code = 'MODEL_UNAVAILABLE', status } of failed)
    if (status === 'failed') counts.set(code, (counts.get(code) ?? 0) + 1);
  const [code] = [...counts].sort((left, right) => right[1] - left[1])[0] ?? ['MODEL_UNAVAILABLE' as const];
  const said = failed.find((outcome) => outcome.code === code)?.why;
  const why = said ?? `${causes[code] ?? 'every call failed'}.`;
  return new GalleyError(code, `No page of ${outcomes.length} was reviewed: ${why}`, {
    details: { pages: outcomes.length, failed: failed.length },
  });
}

export function cancelled(outcomes: readonly PageOutcome[]): GalleyError {
  const finished = outcomes.filter(({ status }) => status === 'reviewed' || status === 'kept').length;
  return new GalleyError(
    'CANCELLED',
    `The review was cancelled; ${finished} of ${outcomes.length} pages are finished and kept, and another run goes on from there.`,
    { details: { finished, pages: outcomes.length } },
  );
}
