// On which line of which side does a place in a patch stand? Walks the hunk headers once.

export interface LinePlace {
  readonly side: 'new' | 'old';
  /** 0 above the hunks. */
  readonly line: number;
}

const header = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** The place of every line of the text, in order. */
export function linePlaces(text: string): LinePlace[] {
  let [oldLine, oldLeft, newLine, newLeft] = [0, 0, 0, 0];
  return text.split('\n').map((line): LinePlace => {
    if (oldLeft <= 0 && newLeft <= 0) {
      const found = header.exec(line);
      if (found !== null) {
        oldLine = Number(found[1]);
        oldLeft = Number(found[2] ?? 1);
        newLine = Number(found[3]);
        newLeft = Number(found[4] ?? 1);
      }
      return { side: 'new', line: 0 };
    }
    if (line.startsWith('\\')) return { side: 'new', line: 0 };
    if (line.startsWith('-')) {
      oldLeft -= 1;
      oldLine += 1;
      return { side: 'old', line: oldLine - 1 };
    }
    if (!line.startsWith('+')) {
      oldLeft -= 1;
      oldLine += 1;
    }
    newLeft -= 1;
    newLine += 1;
    return { side: 'new', line: newLine - 1 };
  });
}
