// The review as one comment that is updated in place. What does not fit is counted in the comment, never dropped in silence.
import { type Severity, severities } from '../findings/severity.js';
import { markComment } from './comment-marker.js';
import { type FindingLinks, findingItem, findingLine } from './finding-markdown.js';
import { markdownLine } from './markdown-text.js';
import type { Report } from './report.js';

export interface MarkdownOptions extends FindingLinks {
  readonly key?: string | undefined;
  /** GitHub takes 65,536 characters. */
  readonly maxCharacters?: number | undefined;
}

const smallest = 2000;

export function writeMarkdown(report: Report, options: MarkdownOptions = {}): string {
  const room = Math.max(smallest, options.maxCharacters ?? 65_000) - 400;
  const head = headText(report);
  const tail = tailText(report, Math.floor(room / 4));
  let left = room - head.length - tail.length;
  const blocks: string[] = [];
  const unsaid = new Map<Severity, number>();
  for (const item of report.findings) {
    const full = findingItem(item, options);
    const block = full.length + 2 <= left ? full : findingLine(item.finding);
    if (block.length + 2 <= left) {
      blocks.push(block);
      left -= block.length + 2;
    } else unsaid.set(item.finding.severity, (unsaid.get(item.finding.severity) ?? 0) + 1);
  }
  if (unsaid.size > 0) blocks.push(`No room here for ${counts(unsaid)} more; see the full report.`);
  const body = [head, ...blocks, tail].filter((part) => part !== '').join('\n\n');
  return markComment(`${body}\n`, options.key);
}

function headText(report: Report): string {
  const { findings, coverage, complete } = report;
  const numbers = new Map<Severity, number>();
  for (const { finding } of findings) numbers.set(finding.severity, (numbers.get(finding.severity) ?? 0) + 1);
  const fresh = findings.filter(({ standing }) => standing === 'new').length;
  const result =
    findings.length === 0
      ? 'No findings.'
      : `${counts(numbers)}; ${fresh} new, ${findings.length - fresh} still there.`;
  return [
    `### Review by ${markdownLine(report.tool.name)}`,
    result,
    ...(complete ? [] : ['**Incomplete:** a part of this change could not be reviewed.']),
    ...(coverage === undefined ? [] : [markdownLine(coverage.slice(0, 1000).toWellFormed())]),
  ].join('\n\n');
}

function tailText({ resolved, unchecked, held, duplicates }: Report, room: number): string {
  const lines: string[] = [];
  if (resolved.length > 0) {
    const listed: string[] = [];
    let used = 0;
    for (const finding of resolved) {
      const line = findingLine(finding);
      used += line.length + 1;
      if (used > room) break;
      listed.push(line);
    }
    const more = resolved.length - listed.length;
    lines.push(
      ['Resolved since the last review:', '', ...listed, ...(more > 0 ? [`- and ${more} more`] : [])].join(
        '\n',
      ),
    );
  }
  const below = held.filter(({ reason }) => reason === 'below-threshold').length;
  const over = held.length - below;
  const notes = [
    ...(below > 0 ? [`${below} below the threshold`] : []),
    ...(over > 0 ? [`${over} over the cap`] : []),
    ...(duplicates > 0 ? [`${duplicates} said twice`] : []),
    ...(unchecked.length > 0 ? [`${unchecked.length} earlier not looked at again`] : []),
  ];
  if (notes.length > 0) lines.push(`Not shown: ${notes.join(', ')}.`);
  return lines.join('\n\n');
}

function counts(numbers: ReadonlyMap<Severity, number>): string {
  return severities
    .filter((severity) => numbers.has(severity))
    .map((severity) => `${numbers.get(severity)} ${severity}`)
    .join(', ');
}
