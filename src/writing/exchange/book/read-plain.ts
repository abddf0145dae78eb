// A chapter in plain text as blocks: nothing in it is a mark but its heading and the lines between scenes.

import { readHeadingLine } from '../../documents/heading-line.js';
import { type Block, isSceneMark } from './blocks.js';
import { blocksOfLines } from './text-lines.js';

export function readPlain(text: string): Block[] {
  const lines = text.split('\n');
  const blocks: Block[] = [];
  let first = 0;
  // Only what a chapter begins with: the name of a part, the name of the chapter.
  for (let index = 0; index < lines.length && blocks.length < 2; index += 1) {
    const line = (lines[index] ?? '').trim();
    if (line === '') continue;
    const heading = readHeadingLine(line);
    if (heading === undefined) break;
    blocks.push({ kind: 'heading', level: heading.rank === 'volume' ? 1 : 2, spans: [{ text: line }] });
    first = index + 1;
  }
  const body = blocksOfLines(lines.slice(first), {
    alone: (line) => (isSceneMark(line) ? { kind: 'break', mark: line } : undefined),
    paragraph: (words) => ({ kind: 'paragraph', spans: [{ text: words }] }),
  });
  return [...blocks, ...body];
}
