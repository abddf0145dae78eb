// A finding as whoever looks at it again reads it: its number, what it says, and the lines it is about as they are, with their
// numbers. Findings were written by a model that read foreign text, so they are material like the lines themselves.
import { cleanText, hitsOf } from '../../cleaning/clean-text.js';
import type { FinishHits } from '../../core/model/fragment.js';
import { printablePath } from '../change/safe-text.js';
import { codeFence } from '../context/arrange-pieces.js';
import type { ReviewFinding } from '../findings/finding.js';
import type { CleanTree } from '../follow-up/clean-tree.js';
import { shortenData } from '../pieces/abridge-data.js';

export interface WordedFinding {
  readonly id: string;
  readonly finding: ReviewFinding;
  readonly words: string;
  readonly finished: FinishHits;
}

interface FindingWordsOptions {
  readonly tree: CleanTree;
  /** Files of the page: of others only what the finding quotes is shown. */
  readonly paths: ReadonlySet<string>;
  /** Lines shown above and below. */
  readonly reach: number;
}

/** A remark about more is shown by its first lines. */
const mostLines = 60;

/** In the order given; the first is number 1. */
export function findingWords(
  findings: readonly ReviewFinding[],
  options: FindingWordsOptions,
): Promise<WordedFinding[]> {
  return Promise.all(
    findings.map(async (finding, at) => {
      const { title, message, severity, category } = finding;
      const said = title.trim() === message.trim() ? [title] : [title, message];
      const head = `## ${at + 1}. ${placeOf(finding)} \u00b7 ${severity} \u00b7 ${category}\n${said.join('\n')}\n`;
      const clean = cleanText(head);
      const lines = await linesOf(finding, options);
      return {
        ...{ id: `finding:${at + 1}`, finding },
        words: `${clean.text}${lines.text}\n`,
        finished: { ...hitsOf(clean), ...lines.hits },
      };
    }),
  );
}

function placeOf({ path, side, startLine, endLine }: ReviewFinding): string {
  const range = startLine === 0 ? '' : startLine === endLine ? `:${startLine}` : `:${startLine}-${endLine}`;
  return `${printablePath(path)}${range}${side === 'old' ? ' before the change' : ''}`;
}

async function linesOf(
  { path, side, startLine, endLine, evidence }: ReviewFinding,
  { tree, paths, reach }: FindingWordsOptions,
): Promise<{ readonly text: string; readonly hits: FinishHits }> {
  const first = Math.max(1, startLine - reach);
  const last = Math.min(endLine, startLine + mostLines - 1) + reach;
  const shown =
    startLine > 0 && paths.has(path)
      ? await tree.lines({ path, side, startLine: first, endLine: last })
      : { text: '', hits: {} };
  if (shown.text !== '') {
    const numbered = shown.text.split('\n').map((line, at) => `${first + at}| ${line}`);
    return { text: codeFence('', shortenData(numbered.join('\n'))), hits: shown.hits };
  }
  if (evidence.trim() === '') return { text: '', hits: {} };
  const quoted = cleanText(evidence);
  return { text: `It quotes:\n${codeFence('', quoted.text)}`, hits: hitsOf(quoted) };
}
