// From lines to blocks: which lines are one paragraph, and how much room between two of them means a new scene.
// Lines that were broken by an editor at some width belong together; all others are paragraphs of their own.
import type { Block } from './blocks.js';

const narrowest = 40;
const widest = 100;

export interface LineReader {
  /** A block of its own, whatever stands around it. */
  alone(line: string): Block | undefined;
  paragraph(text: string): Block;
}

/** What every paragraph begins with is indentation, which each format sets in its own way. */
const indent = /^[\s\u3000\u00a0]+/u;

export function blocksOfLines(lines: readonly string[], reader: LineReader): Block[] {
  const groups = groupsOf(lines, reader);
  const usual = usualGap(groups);
  const blocks: Block[] = [];
  for (const { gap, blocks: own } of groups) {
    const last = blocks.at(-1);
    const isBetweenScenes = gap > usual && last?.kind === 'paragraph' && own[0]?.kind === 'paragraph';
    if (isBetweenScenes) blocks.push({ kind: 'break', mark: '' });
    blocks.push(...own);
  }
  return blocks;
}

interface Group {
  /** Empty lines before it. */
  readonly gap: number;
  readonly blocks: readonly Block[];
}

function groupsOf(lines: readonly string[], reader: LineReader): Group[] {
  const groups: Group[] = [];
  let gap = 0;
  let open: string[] = [];
  let openGap = 0;
  const close = () => {
    if (open.length === 0) return;
    const texts = isWrapped(open) ? [open.join(' ')] : open;
    texts.forEach((text, index) => {
      groups.push({ gap: index === 0 ? openGap : 0, blocks: [reader.paragraph(text)] });
    });
    open = [];
  };
  for (const raw of lines) {
    const line = raw.replace(indent, '').trimEnd();
    if (line === '') {
      close();
      gap += 1;
      continue;
    }
    const alone = reader.alone(line);
    if (alone !== undefined) {
      close();
      groups.push({ gap, blocks: [alone] });
    } else {
      if (open.length === 0) openGap = gap;
      open.push(line);
    }
    gap = 0;
  }
  close();
  return groups;
}

function isWrapped(lines: readonly string[]): boolean {
  if (lines.length < 2) return false;
  return lines.every(
    (line, index) =>
      index === lines.length - 1 ||
      (line.length >= narrowest &&
        line.length <= widest &&
        !/[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]/u.test(line)),
  );
}

/** The room that most paragraphs have between them. */
function usualGap(groups: readonly Group[]): number {
  const counts = new Map<number, number>();
  for (const { gap } of groups.slice(1)) counts.set(gap, (counts.get(gap) ?? 0) + 1);
  let usual = 0;
  for (const [gap, count] of counts) if (count > (counts.get(usual) ?? 0)) usual = gap;
  return usual;
}
