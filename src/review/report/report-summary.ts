// What changed and what is risky about it, in the words of the pages' own reviewers: at most twelve lines, whatever the number of
// pages, and the same ones for the same answers.
import { type Severity, severityRank } from '../findings/finding.js';

export interface ReportSummary {
  readonly lines: readonly string[];
  /** Pages whose summary is not among the lines. */
  readonly more: number;
}

interface PageSummary {
  readonly text: string;
  /** Of the findings on the page. */
  readonly severities: readonly Severity[];
}

const most = { lines: 12, characters: 300 } as const;

/** In the order of the pages; where there are too many, those with the worst findings stay. */
export function summariseReport(pages: readonly PageSummary[]): ReportSummary | undefined {
  const said = pages.filter(({ text }, at) => {
    const words = onOneLine(text);
    return words !== '' && pages.findIndex((page) => onOneLine(page.text) === words) === at;
  });
  const [first] = said;
  if (first === undefined) return undefined;
  if (said.length === 1) {
    const lines = first.text
      .split('\n')
      .map(onOneLine)
      .filter((line) => line !== '');
    return { lines: lines.slice(0, most.lines).map(short), more: 0 };
  }
  const room = said.length > most.lines ? most.lines - 1 : most.lines;
  const worst = ({ severities }: PageSummary) => Math.min(...severities.map(severityRank), most.lines);
  const kept = new Set(said.toSorted((left, right) => worst(left) - worst(right)).slice(0, room));
  const lines = said.filter((page) => kept.has(page)).map(({ text }) => short(onOneLine(text)));
  return { lines, more: said.length - lines.length };
}

function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function short(line: string): string {
  const letters = [...line];
  return letters.length <= most.characters ? line : `${letters.slice(0, most.characters - 1).join('')}\u2026`;
}
