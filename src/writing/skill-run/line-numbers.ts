// On which lines does a stretch of text stand? One-based and inclusive; a line break belongs to the line it ends.

export type LinesOf = (from: number, to: number) => { start: number; end: number };

/** `[from, to)` in code units. */
export function lineNumbers(text: string): LinesOf {
  let starts: number[] | undefined;
  const lineAt = (unit: number): number => {
    starts ??= lineStarts(text);
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= unit) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  };
  return (from, to) => ({ start: lineAt(from), end: lineAt(Math.max(from, to - 1)) });
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
