// The one comment that sums a review up. The verdict first, a few lines anybody reads, and everything else folded below them; there
// is none where nothing is to be said.
import { hidingFacts, isNewlyHidden } from '../change/hiding.js';
import { compareFindings, type ReviewFinding } from '../findings/finding.js';
import { markdownLine } from '../report/markdown.js';
import type { Report, ReportedFinding } from '../report/report.js';
import { reportWords } from '../report/report-words.js';
import { findingItem, findingLine } from '../report/write-markdown.js';
import { markState, type SummaryState } from './finding-marks.js';
import { pullWords, type VerdictFacts } from './pull-words.js';
import type { PostingOptions, Sorted } from './sort-findings.js';

export interface SummaryFacts {
  readonly report: Report;
  readonly sorted: Sorted;
  /** Findings with a thread that were looked for and not found; for others nothing is left to point at. */
  readonly gone: readonly ReviewFinding[];
  /** Findings that have no thread of their own. */
  readonly inSummary: readonly ReportedFinding[];
  readonly verdict: VerdictFacts;
  readonly state: SummaryState;
  /** What was not read though it might matter. */
  readonly hiding: readonly string[];
  /** One stands already: then it says what is true now. */
  readonly isThere: boolean;
}

const mostWarnings = 2;
const mostFindings = 6;
/** For marks, headings and the folds. */
const reserve = 2_000;

/** Undefined where there is nothing to say. */
export function summaryText(facts: SummaryFacts, options: PostingOptions): string | undefined {
  const { report, sorted, gone, verdict, state, hiding, isThere } = facts;
  const { language, head, forge } = options;
  const words = pullWords(language);
  const links = { language, fileBase: forge.fileBase(head) };
  const all = [...sorted.open.map(({ finding }) => finding), ...sorted.stillOpen].toSorted(compareFindings);
  if (!isThere && all.length === 0 && !hidesSomething(report)) return undefined;
  const room = forge.abilities.commentCharacters - reserve;
  const mark = markState(state, Math.floor(room / 2));
  const shown = all.slice(0, mostFindings).map((finding) => findingLine(finding, links));
  const head0 = [
    words.verdict(verdict),
    ...hiding,
    [...shown, ...(all.length > shown.length ? [words.more(all.length - shown.length)] : [])].join('\n'),
  ].filter((part) => part !== '');
  const folded = foldedText(facts, options, room - mark.length - head0.join('\n\n').length);
  const fold = `<details><summary>${words.fold({
    held: sorted.held.length,
    dismissed: sorted.dismissed.length,
    gone: gone.length,
  })}</summary>\n\n${folded}\n\n</details>`;
  return `${mark}${[...head0, fold, `<sub>${words.foot}</sub>`].join('\n\n')}\n`;
}

/** What is left out as ever is told by the check. */
function hidesSomething({ warnings }: Report): boolean {
  return warnings.some((warning) => {
    const facts = hidingFacts(warning);
    return facts !== undefined && isNewlyHidden(facts);
  });
}

export function hidingLines({ warnings }: Report, { language }: Pick<PostingOptions, 'language'>): string[] {
  const words = reportWords(language);
  return warnings
    .flatMap((warning) => {
      const facts = hidingFacts(warning);
      return facts === undefined
        ? []
        : [`${words.notRead} ${markdownLine(words.hidden(facts, warning.message))}`];
    })
    .slice(0, mostWarnings);
}

/** What has no place elsewhere comes first, so that it is what stays when room is short. */
function foldedText(
  { state, sorted, gone, inSummary }: SummaryFacts,
  options: PostingOptions,
  room: number,
): string {
  const { language, head, forge } = options;
  const words = pullWords(language);
  const links = { language, fileBase: forge.fileBase(head) };
  const lineOf = (finding: ReviewFinding) => findingLine(finding, links);
  const open = [...sorted.open.map(({ finding }) => finding), ...sorted.stillOpen].toSorted(compareFindings);
  const sections: readonly (readonly [string, readonly string[]])[] = [
    [words.noPlace, inSummary.map((item) => findingItem(item, links))],
    [words.changed, state.changed?.map((line) => markdownLine(line)) ?? []],
    [words.coverage, state.coverage === undefined ? [] : [markdownLine(state.coverage)]],
    [words.everything, open.length > mostFindings ? open.map(lineOf) : []],
    [words.held, heldLines(sorted.held, options)],
    [words.dismissed, sorted.dismissed.map(lineOf)],
    [words.gone, gone.map(lineOf)],
  ];
  const parts: string[] = [];
  let left = room;
  for (const [title, lines] of sections) {
    if (lines.length === 0) continue;
    const kept: string[] = [];
    left -= title.length + 8;
    for (const line of lines) {
      if (line.length + 2 > left) break;
      kept.push(line);
      left -= line.length + 2;
    }
    const unsaid = lines.length - kept.length;
    if (unsaid > 0) kept.push(words.more(unsaid));
    parts.push(`**${title}**\n\n${kept.join(title === words.noPlace ? '\n\n' : '\n')}`);
  }
  return parts.join('\n\n');
}

function heldLines(held: Report['held'], { language }: PostingOptions): string[] {
  const words = pullWords(language);
  const counts = new Map<string, number>();
  for (const { reason } of held) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts].map(([reason, count]) => `- ${words.heldLine(reason, count)}`);
}
