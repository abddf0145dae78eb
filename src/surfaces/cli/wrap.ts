// Lines of at most so many places. Words break at blanks; Chinese breaks between characters, but no line begins with a stop.
import { widthOf } from './text-width.js';

const pieces =
  /[^\S\n]+|[（【《“‘]*(?:[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]|[^\s\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]+)[，。、；：！？）】》”’…]*/gu;

export function wrapped(text: string, width: number): string {
  return text
    .split('\n')
    .flatMap((line) => wrapLine(line, width))
    .join('\n');
}

function wrapLine(line: string, width: number): string[] {
  if (widthOf(line) <= width) return [line];
  const lines: string[] = [];
  let current = '';
  let taken = 0;
  for (const [piece] of line.matchAll(pieces)) {
    if (current !== '' && taken + widthOf(piece.trimEnd()) > width) {
      lines.push(current.trimEnd());
      current = piece.trimStart();
      taken = widthOf(current);
    } else {
      current += piece;
      taken += widthOf(piece);
    }
  }
  return [...lines, current.trimEnd()];
}
