// What reports for people have words for; order and numbers are the same in every language.
import type { SummaryReason } from '../findings/placed-finding.js';
import type { Severity } from '../findings/severity.js';
import type { Omission } from '../prune/omission.js';

export interface CoverageWords {
  /** What a reader sees. */
  seen(facts: { files: number; added: number; removed: number; pages: number | undefined }): string;
  complete(seen: string): string;
  /** With nothing left out, the rest of the line says what is missing. */
  partial(seen: string, left?: { files: number; reasons: readonly string[] }): string;
  reason(omission: Omission): string;
  group(reason: string, facts: { files: number; added: number; removed: number }): string;
  moreReasons(n: number): string;
  endedEarly(pages: number): string;
  answersLost(lost: number, all: number): string;
}

export interface ReportWords {
  readonly coverage: CoverageWords;
  title(tool: string): string;
  severity(severity: Severity): string;
  /** "2 high, 1 low", worst first. */
  counts(numbers: readonly (readonly [Severity, number])[]): string;
  readonly noFindings: string;
  result(counts: string, facts: { fresh: number; still: number }): string;
  readonly incomplete: string;
  noRoom(counts: string): string;
  readonly isNew: string;
  readonly beforeChange: string;
  lineBefore(line: number): string;
  notAnchored(reason: SummaryReason): string;
  readonly deletion: string;
  readonly replacement: string;
  readonly resolved: string;
  more(n: number): string;
  notShown(facts: { below: number; over: number; twice: number; unchecked: number }): string;
  notAnnotated(rest: number, all: number): string;
}
