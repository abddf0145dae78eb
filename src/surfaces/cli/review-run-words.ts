// What a review by a model says about itself, in the language people chose.
import { printablePath } from '../../review/change/safe-text.js';
import type { Estimate, Spent } from '../../review/run/prepare-pages.js';
import type { ReviewRun } from '../../review/run/result-of-run.js';
import { counted, spokenLanguage, word } from './words/word.js';

export function estimateWords({ pages, calls, inputTokens, cachedInputTokens, dollars }: Estimate): string {
  const all = counted(pages, 'page');
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

function inDollars(dollars: number): string {
  return `$${dollars.toFixed(4)}`;
}
