// The page of a CI job that people open when they want to know more: what was found or would be read, what was left out, what it cost,
// and the receipt. Paths are their author's words and stay words.
import { appendFile } from 'node:fs/promises';
import type { PullReview } from '../../../review/pull/review-pull.js';
import { codeSpan, markdownLine } from '../../../review/report/markdown.js';
import { estimateWords } from '../review/review-words.js';
import { warningText } from '../terminal/explain-receipt.js';
import { factWords, word } from '../words/word.js';

const maxFiles = 300;
const maxPages = 200;
const maxWarnings = 10;
/** GitHub shows no summary beyond a megabyte, and says nothing instead. */
const maxReport = 400_000;

export async function toJobSummary(
  result: PullReview,
  said: { readonly lines: readonly string[]; readonly report: string },
): Promise<void> {
  const path = process.env.GITHUB_STEP_SUMMARY;
  // The page is an extra: a run that cannot write it is as good as any.
  if (path !== undefined && path !== '')
    await appendFile(path, jobSummary(result, said)).catch(() => undefined);
}

export function jobSummary(
  { pull, review, warnings }: PullReview,
  { lines, report }: { readonly lines: readonly string[]; readonly report: string },
): string {
  const headline = `### [${word('pr.job.headline', { number: pull.number })}](${pull.url})`;
  const told = lines.map((line) => markdownLine(line));
  if (review === undefined) return joined([headline, ...told]);
  const found = review.dryRun
    ? [
        ...warnings.slice(0, maxWarnings).map(warningText),
        review.coverage,
        estimateWords(review.estimate),
      ].map((line) => markdownLine(line))
    : [report.slice(0, maxReport).toWellFormed().trim()];
  return joined([headline, ...found, ...told, planTable(review), omittedList(review), receiptFold(review)]);
}

type Review = NonNullable<PullReview['review']>;

function joined(parts: readonly string[]): string {
  return `${parts.filter((part) => part !== '').join('\n\n')}\n\n`;
}

function table(titles: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  return [line(titles), line(titles.map(() => '---')), ...rows.map(line)].join('\n');
}

function cell(path: string): string {
  // A table is cut at its bars before code spans are read.
  return codeSpan(path).replaceAll('|', '\\|');
}

function planTable({ pages }: Review): string {
  const files = new Map<string, { added: number; removed: number; readonly pages: Set<number> }>();
  for (const { page, pieces } of pages)
    for (const { path, added, removed } of pieces) {
      const row = files.get(path) ?? { added: 0, removed: 0, pages: new Set() };
      row.added += added;
      row.removed += removed;
      row.pages.add(page);
      files.set(path, row);
    }
  if (files.size === 0) return '';
  const rows = [...files]
    .slice(0, maxFiles)
    .map(([path, row]) => [cell(path), row.added, row.removed, [...row.pages].join(', ')]);
  return joined([
    table([word('pr.job.file'), '+', '-', word('pr.job.page')], rows),
    more(files.size - maxFiles),
  ]).trimEnd();
}

function omittedList({ omitted }: Review): string {
  if (omitted.length === 0) return '';
  const rows = omitted
    .slice(0, maxFiles)
    .map(
      ({ path, rule, reason }) =>
        `- ${codeSpan(path)}: ${markdownLine(factWords(`omission.${rule}`, reason))}`,
    );
  return joined([`${word('pr.job.left-out')}:`, rows.join('\n'), more(omitted.length - maxFiles)]).trimEnd();
}

function receiptFold(review: Review): string {
  const { receipt } = review;
  const tokens = review.pages.reduce((sum, page) => sum + page.tokens, 0);
  const summary = word('pr.job.receipt', { id: receipt.id.slice(0, 16), tokens, meter: receipt.meter.id });
  const rows = (
    review.dryRun
      ? review.pages.map((page) => ({
          ...page,
          status: page.kept ? word('pr.job.kept') : word('pr.job.would-send'),
        }))
      : review.pages
  )
    .slice(0, maxPages)
    .map(({ page, tokens: own, status, receipt: { id } }) => [page, own, status, codeSpan(id)]);
  const titles = [word('pr.job.page'), word('pr.job.tokens'), word('pr.job.answer'), 'id'];
  return joined([
    `<details><summary>${summary}</summary>`,
    table(titles, rows),
    more(review.pages.length - maxPages),
    '</details>',
  ]).trimEnd();
}

function more(count: number): string {
  return count > 0 ? word('pr.job.more', { n: count }) : '';
}
