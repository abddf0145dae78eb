// A file in the middle of a merge: marker lines are blanked so that it parses, and every line keeps its number.

export interface ConflictSides {
  readonly conflicts: number;
  /** Both sides kept, markers and the common base blanked. */
  readonly everySide: string;
  /** Only the first side of each conflict kept. */
  readonly firstSide: string;
}

export function resolveConflicts(text: string): ConflictSides {
  if (!/^<{7}(?: |\r?$)/m.test(text) || !/^>{7}(?: |\r?$)/m.test(text)) {
    return { conflicts: 0, everySide: text, firstSide: text };
  }
  const lines = text.split('\n');
  const every = [...lines];
  const first = [...lines];
  let conflicts = 0;
  let open = -1;
  let marks: { at: number; side: 'ours' | 'base' | 'theirs' }[] = [];
  for (const [at, line] of lines.entries()) {
    if (/^<{7}(?: |\r?$)/.test(line)) {
      open = at;
      marks = [{ at, side: 'ours' }];
    } else if (open !== -1 && /^\|{7}(?: |\r?$)/.test(line)) {
      marks.push({ at, side: 'base' });
    } else if (open !== -1 && /^={7}\r?$/.test(line)) {
      marks.push({ at, side: 'theirs' });
    } else if (open !== -1 && /^>{7}(?: |\r?$)/.test(line) && marks.some(({ side }) => side === 'theirs')) {
      blank({ every, first, marks, end: at });
      conflicts += 1;
      open = -1;
    }
  }
  return { conflicts, everySide: every.join('\n'), firstSide: first.join('\n') };
}

function blank(area: {
  every: string[];
  first: string[];
  marks: readonly { at: number; side: 'ours' | 'base' | 'theirs' }[];
  end: number;
}): void {
  const { every, first, marks, end } = area;
  for (const [index, { at, side }] of marks.entries()) {
    const until = marks[index + 1]?.at ?? end;
    for (let line = at; line < until; line += 1) {
      const isMarker = line === at;
      if (isMarker || side === 'base') every[line] = spaces(every[line]!);
      if (isMarker || side !== 'ours') first[line] = spaces(first[line]!);
    }
  }
  every[end] = spaces(every[end]!);
  first[end] = spaces(first[end]!);
}

/** Same length, so that offsets stay true. */
function spaces(line: string): string {
  return ' '.repeat(line.length);
}
