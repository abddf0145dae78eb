// Lines of at most so many places. Words break at blanks; Chinese breaks between characters, but no line begins with a stop.

// Places a text takes on a terminal, whatever the script: an East Asian character takes two, a combining mark none.
const wideCharacter =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18cff}\u{1b000}-\u{1b2ff}\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const plainText = /^[ -~]*$/;
const zeroWidth = /[\p{Mn}\p{Me}\p{Cf}]/u;

export function widthOf(text: string): number {
  if (plainText.test(text)) return text.length;
  let width = 0;
  for (const character of text)
    width += zeroWidth.test(character) ? 0 : wideCharacter.test(character) ? 2 : 1;
  return width;
}

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
