// A quick guess at tokens, for reach and allowances only: one for a character of a script without spaces, a quarter for the rest.

export function estimateTokens(text: string): number {
  return reachBack(text, text.length, Number.POSITIVE_INFINITY).tokens;
}

/** How far back from `end` a number of tokens reaches, in code units. */
export function reachBack(text: string, end: number, tokens: number): { from: number; tokens: number } {
  let quarters = 0;
  const most = tokens * 4;
  let from = end;
  while (from > 0 && quarters < most) {
    from -= 1;
    quarters += text.charCodeAt(from) < 0x2e80 ? 1 : 4;
  }
  return { from, tokens: quarters / 4 };
}

export function reachAhead(text: string, start: number, tokens: number): number {
  let quarters = 0;
  let to = start;
  for (; to < text.length && quarters < tokens * 4; to += 1) {
    quarters += text.charCodeAt(to) < 0x2e80 ? 1 : 4;
  }
  return to;
}
