// What a review says about itself, in the language people chose: every unit with its reasons, what a run will cost, what it
// cost, what is missing.
import { GalleyError } from '../../../core/model/error.js';
import { printablePath } from '../../../review/change/safe-text.js';
import { contextLevels, levelRank } from '../../../review/plan/context-need.js';
import type { PlanAnswer } from '../../../review/plan/plan-review.js';
import type { Spent, ToldEstimate } from '../../../review/run/prepare-pages.js';
import type { ReviewRun } from '../../../review/run/result-of-run.js';
import { didYouMean } from '../shell/read-input.js';
import { counted, factWords, spokenLanguage, word } from '../words/word.js';

/** A name that is neither a path nor a unit of the change is a slip, not a question without an answer. */
export function refuseUnknownUnit({ planner_index, omitted }: PlanAnswer, only: string): void {
  const { units } = planner_index;
  const known = [
    ...new Set([...units.map(({ file_path }) => file_path), ...omitted.map(({ path }) => path)]),
    ...units.map(({ unit_id }) => unit_id),
  ];
  if (known.includes(only)) return;
  throw new GalleyError(
    'INVALID_ARGUMENT',
    `--explain: the change has no path or unit of that name${didYouMean(only, known)}`,
    { details: { field: 'explain' } },
  );
}

/** Units of one path or one unit id, or all of them; `level` leaves out those that need less. */
export function explainPlan(
  { planner_index, plan, omitted }: PlanAnswer,
  { only, level }: { only?: string | undefined; level?: string | undefined },
): string {
  const rows = new Map(plan.map((row) => [row.unit_id, row]));
  const least = (contextLevels as readonly string[]).indexOf(level ?? '');
  const lines: string[] = [];
  for (const unit of planner_index.units) {
    const row = rows.get(unit.unit_id);
    if (row === undefined || levelRank(row.final_context_level) < least) continue;
    if (only !== undefined && unit.file_path !== only && unit.unit_id !== only) continue;
    const { new_compact, old_compact } = unit.line_numbers;
    lines.push(
      `${unit.unit_id}  ${unit.file_path}:${new_compact ?? old_compact ?? ''}  ${unit.patch_type} +${unit.metrics.added_lines} -${unit.metrics.removed_lines}`,
      `  ${word('review.decided', {
        level: row.final_context_level,
        by: factWords(`decided.${row.decided_by}`, row.decided_by),
        confidence: row.rule_confidence,
        // How sure the rule is stands beside it.
        reason: factWords(`planned.${row.reason.replace(/^[a-z]+_confidence_/, '')}`, row.reason),
      })}`,
      `  ${word('review.tags', { list: unit.tags.join(', ') || word('review.no-tags') })}`,
      ...row.extra_requests.map((request) => `  ${word('review.asks', { what: requestWords(request) })}`),
    );
  }
  for (const { path, rule, reason } of omitted)
    if (path === only)
      lines.push(word('review.left', { path, reason: factWords(`omission.${rule}`, reason) }));
  if (lines.length === 0) return `${word('review.no-unit')}\n`;
  return `${lines.join('\n')}\n`;
}

function requestWords(request: object): string {
  return Object.values(request).map(String).join(' ');
}

export function estimateWords(estimate: ToldEstimate): string {
  const { pages, calls, secondLooks = 0, inputTokens, cachedInputTokens, dollars } = estimate;
  const all = counted(pages, 'page');
  if (pages > 0 && calls === 0 && secondLooks > 0)
    return word('going.looked-again', { pages: all, again: counted(secondLooks, 'page') });
  if (pages > 0 && calls === 0) return word('going.all-kept', { pages: all });
  return word('going.estimate', {
    pages: all,
    kept: pages === calls ? '' : word('going.kept', { n: pages - calls }),
    tokens: inputTokens,
    cached: cachedInputTokens === 0 ? '' : word('going.cached', { n: cachedInputTokens }),
    cost: dollars === undefined ? '' : word('going.about', { cost: inDollars(dollars) }),
  });
}

export function spentWords({ calls, inputTokens, cachedInputTokens, outputTokens, dollars }: Spent): string {
  return word('going.spent', {
    calls: counted(calls, 'call'),
    input: inputTokens,
    cached: cachedInputTokens === 0 ? '' : word('going.of-cache', { n: cachedInputTokens }),
    output: outputTokens,
    cost: dollars === undefined ? '' : word('going.cost', { cost: inDollars(dollars) }),
  });
}

/** In English the line of the receipt; elsewhere the same in short. */
export function reviewedWords({ coverage, pages, missing, omitted }: ReviewRun): string {
  if (spokenLanguage() === 'en') return coverage;
  return word('going.reviewed', {
    done: pages.length - missing.length,
    pages: counted(pages.length, 'page'),
    left: counted(new Set(omitted.map(({ path }) => path)).size, 'file'),
  });
}

export function missingWords({ page, status, code, files }: ReviewRun['missing'][number]): string {
  const names = files.map(printablePath).join(', ');
  if (status === 'partial') return word('going.partial', { page, files: names });
  return word(`going.${status}`, { page, code: code ?? '', files: names });
}

/** What a format that knows nothing but lines leaves out. */
export function leftOutWords({ format, findings }: Pick<ReviewRun, 'format' | 'findings'>): string[] {
  const n = format === 'gitlab' ? findings.filter(({ place }) => place.kind === 'summary').length : 0;
  return n === 0 ? [] : [word('going.elsewhere', { findings: counted(n, 'finding'), format })];
}

function inDollars(dollars: number): string {
  return `$${dollars.toFixed(4)}`;
}
