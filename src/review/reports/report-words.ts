// The words of reports for people. Machines read the same in every language; order and numbers are the same in all of them.
import type { SummaryReason } from '../findings/placed-finding.js';
import type { Severity } from '../findings/severity.js';
import type { Omission } from '../prune/omission.js';
import { englishWords } from './words-en.js';
import { chineseWords } from './words-zh.js';

export const reportLanguages = ['en', 'zh'] as const;

export type ReportLanguage = (typeof reportLanguages)[number];

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

export function reportWords(language: ReportLanguage = 'en'): ReportWords {
  return language === 'zh' ? chineseWords : englishWords;
}

const chinese = /^zh(?:$|[ -])|chinese|mandarin|[中汉漢华華][文语語]|[国國][语語]|普通[话話]/i;

/** A model writes in any language; we have words of our own in two. */
export function reportLanguageOf(name: string | undefined): ReportLanguage {
  return name !== undefined && chinese.test(name) ? 'zh' : 'en';
}
