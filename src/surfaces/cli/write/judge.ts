// galley write judge: which constraints a text breaks, line by line, with the words as evidence.

import { relative, resolve, sep } from 'node:path';
import type { Constraint } from '../../../store/tables/constraints.js';
import { chapterTitle } from '../../../writing/documents/chapters.js';
import { type IndexedText, indexText } from '../../../writing/documents/indexed-text.js';
import { chapterNumber } from '../../../writing/documents/numerals.js';
import type { JudgeFinding } from '../../../writing/judge/check.js';
import type { JudgedText } from '../../../writing/judge/judge-project.js';
import { lineRangeOf } from '../../../writing/layers/refs.js';
import { readTextFile, wholeNumber } from '../shell/read-input.js';
import { colours } from '../terminal/colours.js';
import { clipped, padded, terminalWidth } from '../terminal/table.js';
import { print, printJson, sayWarnings } from '../terminal/talk.js';
import { word } from '../words/word.js';
import { type WriteOptions, withWriteProject } from './write-project.js';

export interface JudgeOptions extends WriteOptions {
  readonly chapter?: string;
  readonly failOnFindings?: boolean;
}

export async function judgeFile(file: string, options: JudgeOptions): Promise<void> {
  await withWriteProject(options, 'reads', async (project) => {
    const text = (await readTextFile(file)).replace(/\r\n?/g, '\n');
    sayWarnings((await project.follow())?.warnings ?? []);
    const documentId = relative(project.folder, resolve(file)).split(sep).join('/');
    const chapter =
      options.chapter === undefined
        ? chapterNumber(chapterTitle(text, file))
        : wholeNumber(options.chapter, '--chapter', 1);
    const request = { text, documentId, ...(chapter === undefined ? {} : { chapter }) };
    const answer = await project.call('constraints:judge', request);
    if (options.failOnFindings && answer.findings.length > 0) process.exitCode = 1;
    if (project.json) return printJson(answer);
    const { constraints } = await project.call('constraints:list');
    print(judgeReport(text, answer, constraints));
  });
}

const maxShown = 12;

/** By constraint, each with the lines that break it. */
export function judgeReport(
  text: string,
  { findings, unchecked }: JudgedText,
  constraints: readonly Constraint[],
): string {
  const words = new Map(constraints.map(({ id, text: rule }) => [id, rule]));
  const groups = new Map<string, JudgeFinding[]>();
  for (const finding of findings) {
    const key = JSON.stringify([finding.constraintId, finding.message]);
    groups.set(key, [...(groups.get(key) ?? []), finding]);
  }
  const blocks = [...groups.values()].map((group) => {
    const [first] = group;
    const rule = words.get(first?.constraintId ?? '') ?? first?.constraintId ?? '';
    return `\n${colours.bold(rule)}\n  ${colours.yellow(first?.message ?? '')}\n${linesOfGroup(text, group)}`;
  });
  const verdict =
    findings.length === 0
      ? colours.green(word('write.no-findings'))
      : colours.yellow(
          findings.length === 1 ? word('write.one-finding') : word('write.findings', { n: findings.length }),
        );
  const open = unchecked.map((id) => `  ${colours.dim('·')} ${words.get(id) ?? id}\n`).join('');
  const rest = open === '' ? '' : `\n${colours.dim(word('write.unchecked'))}\n${open}`;
  return `${blocks.join('')}\n${verdict}\n${rest}`;
}

function linesOfGroup(text: string, group: readonly JudgeFinding[]): string {
  const indexed = indexText(text);
  const width = terminalWidth() - 12;
  const lines = group.slice(0, maxShown).map(({ start, end, evidence }) => {
    const { start: line } = lineRangeOf(text, indexed.unitAt(start), indexed.unitAt(end));
    const around =
      evidence.length > 6
        ? evidence
        : `${beside(indexed, start, -1)}${colours.underline(evidence)}${beside(indexed, end, 1)}`;
    return `  ${colours.dim(padded(word('write.line', { n: line }), 9))} ${clipped(around.replace(/\s+/g, ' ').trim(), width)}\n`;
  });
  const more = group.length - maxShown;
  return `${lines.join('')}${more > 0 ? `  ${colours.dim(word('count.more', { n: more }))}\n` : ''}`;
}

/** A few characters beside a short piece of evidence, so that one sees where it stands. */
function beside(indexed: IndexedText, position: number, side: 1 | -1): string {
  const reach = 8;
  return side < 0
    ? indexed.slice({ start: Math.max(0, position - reach), end: position })
    : indexed.slice({ start: position, end: position + reach });
}
