// Findings as a list one can jump through: by chapter, each with path and line first, the rule, and the quoted words underlined in
// their sentence, cut to the width of the terminal.
import type { AnswerOf } from '../../../operations/table.js';
import { colours } from '../terminal/colours.js';
import { clipped, terminalWidth } from '../terminal/table.js';
import { widthOf } from '../terminal/text-width.js';
import { word } from '../words/word.js';

type Finding = AnswerOf<'book:check'>['findings'][number];

const indent = '    ';

export function findingList(findings: readonly Finding[], width = terminalWidth()): string {
  let chapter = '';
  return findings
    .map((finding, index) => {
      const isNew = finding.documentId !== chapter;
      chapter = finding.documentId;
      const heading = isNew ? `${colours.bold(clipped(finding.title, width))}\n` : '';
      return `${heading}${findingLines(finding, index + 1, width)}\n`;
    })
    .join('');
}

function findingLines(finding: Finding, number: number, width: number): string {
  const { documentId, line, paragraph, rule, message, intended } = finding;
  // Never cut: an editor goes by it.
  const place = `${documentId}:${line}`;
  const facts = word('write.check.place', { n: number, paragraph });
  const mark = intended ? ` (${word('write.check.intended')})` : '';
  const room = Math.max(12, width - widthOf(place) - widthOf(facts) - widthOf(mark) - 4);
  const said = oneLine(message) === '' || oneLine(message) === oneLine(rule) ? '' : oneLine(message);
  const lines = [
    `${colours.cyan(place)}  ${colours.dim(facts)}  ${colours.yellow(clipped(oneLine(rule), room))}${mark}`,
    `${indent}${inSentence(finding, width - indent.length)}`,
    ...(said === '' ? [] : [`${indent}${colours.dim(clipped(said, width - indent.length))}`]),
  ];
  return lines.map((each) => `${each}\n`).join('');
}

/** The quote whole where it fits, with as much of its sentence as there is room for. */
function inSentence({ before, quote, after }: Finding, width: number): string {
  const words = clipped(oneLine(quote), width);
  const room = width - widthOf(words);
  const [lead, tail] = [before.replace(/\s+/gu, ' '), after.replace(/\s+/gu, ' ')];
  const tailRoom = Math.max(Math.floor(room / 2), room - widthOf(lead));
  const shownTail = tailRoom < 2 ? '' : clipped(tail.trimEnd(), tailRoom);
  const leadRoom = room - widthOf(shownTail);
  const shownLead = leadRoom < 2 ? '' : reversed(clipped(reversed(lead.trimStart()), leadRoom));
  return `${shownLead}${colours.underline(words)}${shownTail}`;
}

const reversed = (text: string) => [...text].reverse().join('');

function oneLine(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}
