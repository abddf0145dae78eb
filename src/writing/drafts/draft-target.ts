// Which place of a chapter does a skill write for? What it rewrites is the selection or the whole chapter, without the blanks around
// it; what goes on is put in at the cursor. What only reports has no place.
import type { Skill } from '../../skills/skill.js';
import { withoutBlanks } from '../documents/borders.js';
import { frontLength } from '../documents/front-matter.js';
import { readHeadingLine } from '../documents/heading-line.js';
import { cursorIn, indexText, type TextRange } from '../documents/indexed-text.js';

interface Asked {
  readonly selection?: TextRange | undefined;
  readonly cursorPosition?: number | undefined;
}

export function makesDraft({ recipe, output }: Pick<Skill, 'recipe' | 'output'>): boolean {
  return recipe !== 'check' && output !== 'report';
}

/** In code points of the chapter. */
export function draftTarget(
  chapter: string,
  words: string,
  { recipe, selection, cursorPosition }: Asked & Pick<Skill, 'recipe'>,
): TextRange {
  const indexed = indexText(chapter);
  const isWhole = selection === undefined && cursorPosition === undefined;
  if (recipe === 'continue' || (selection === undefined && !isWhole)) {
    const cursor = cursorIn(indexed, selection?.end ?? cursorPosition ?? indexed.length);
    return { start: cursor, end: cursor };
  }
  const from = indexed.unitAt(selection?.start ?? 0);
  const to = indexed.unitAt(selection?.end ?? indexed.length);
  const { start, end } = withoutBlanks(chapter, from + (isWhole ? headLength(chapter, words) : 0), to);
  return { start: indexed.positionAt(start), end: indexed.positionAt(end) };
}

/** The front matter of a chapter is no prose, and a heading that the text does not repeat was not meant to go. */
function headLength(chapter: string, words: string): number {
  // A model is not shown it, and what it writes does not take its place.
  const front = frontLength(chapter);
  const heading = headingOf(chapter.slice(front));
  return front + (headingOf(words) === '' ? heading.length : 0);
}

const markdownHeading = /^\s*#{1,6}\s[^\n]*(?:\n|$)/;
/** In plain text a line of its own names the chapter. */
const firstLine = /^\s*([^\n]+)\n\s*\n/;

function headingOf(text: string): string {
  const marked = markdownHeading.exec(text)?.[0];
  if (marked !== undefined) return marked;
  const [whole = '', line = ''] = firstLine.exec(text) ?? [];
  return readHeadingLine(line) === undefined ? '' : whole;
}
