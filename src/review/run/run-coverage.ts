// What of the change was reviewed: the pages with an answer, and as left out everything else with its reason.
import type { ErrorCode } from '../../core/model/error.js';
import { coverageLine } from '../changes/coverage.js';
import { sumLines } from '../pages/accounting.js';
import { inPathOrder } from '../prune/binary-omission.js';
import { isInvoluntary } from '../prune/involuntary.js';
import type { Omission } from '../prune/omission.js';
import { reportWords } from '../reports/report-language.js';
import type { CoverageWords } from '../reports/report-words.js';
import type { PageOutcome } from './review-pages.js';

export interface MissingPage {
  readonly page: number;
  readonly status: 'partial' | 'failed' | 'not-asked';
  readonly code?: ErrorCode;
  readonly files: readonly string[];
}

export interface RunCoverage {
  readonly complete: boolean;
  readonly line: string;
  readonly missing: readonly MissingPage[];
  /** Files of which every page was answered in full. */
  readonly reviewed: ReadonlySet<string>;
}

export function coverRun(
  outcomes: readonly PageOutcome[],
  omitted: readonly Omission[],
  words: CoverageWords = reportWords().coverage,
): RunCoverage {
  const missing = outcomes.flatMap(({ page, status, code }): MissingPage[] =>
    status === 'reviewed' || status === 'kept'
      ? []
      : [{ page: page.index, status, files: filesOf(page.pieces), ...(code === undefined ? {} : { code }) }],
  );
  const seen = outcomes.filter(({ status }) => status !== 'failed' && status !== 'not-asked');
  const pieces = seen.flatMap(({ page }) => page.pieces);
  const unseen = outcomes.filter((outcome) => !seen.includes(outcome));
  const lost = unseen.flatMap(({ page, status, code }) =>
    page.pieces.map(({ path, added, removed }): Omission => {
      const reason = status === 'failed' ? `on a page that failed (${code})` : 'on a page not asked for';
      return { path, reason, rule: 'run', added, removed };
    }),
  );
  const hidden = new Set(missing.flatMap(({ files }) => files));
  const line = coverageLine(
    { files: filesOf(pieces).length, pages: seen.length, ...sumLines(pieces) },
    inPathOrder([...omitted, ...lost]),
    words,
  );
  const cut = missing.filter(({ status }) => status === 'partial').length;
  return {
    complete: missing.length === 0 && !omitted.some(isInvoluntary),
    line: cut === 0 ? line : line + words.endedEarly(cut),
    missing,
    reviewed: new Set(filesOf(pieces).filter((path) => !hidden.has(path))),
  };
}

function filesOf(pieces: readonly { readonly path: string }[]): string[] {
  return [...new Set(pieces.map(({ path }) => path))];
}
