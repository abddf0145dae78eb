// What encloses a line? The innermost symbol that holds a whole range, or the chain of symbols around one line.
import type { CodeSymbol, Outline } from './outline-model.js';

export function enclosingSymbol(
  outline: Pick<Outline, 'symbols'>,
  startLine: number,
  endLine: number,
): CodeSymbol | undefined {
  let found: CodeSymbol | undefined;
  for (const symbol of outline.symbols) {
    if (symbol.startLine > startLine || symbol.endLine < endLine) continue;
    // A one-line field says nothing beyond the line itself, so its owner answers.
    if (symbol.kind === 'field' && symbol.startLine === symbol.endLine && symbol.parent !== undefined)
      continue;
    // Later symbols of equal extent are nested deeper or share the line; the last one is innermost.
    if (found === undefined || symbol.endLine - symbol.startLine <= found.endLine - found.startLine)
      found = symbol;
  }
  return found;
}

/** Outermost first. */
export function enclosingChain(outline: Pick<Outline, 'symbols'>, line: number): CodeSymbol[] {
  let innermost: CodeSymbol | undefined;
  for (const symbol of outline.symbols) {
    if (symbol.startLine > line || symbol.endLine < line) continue;
    if (
      innermost === undefined ||
      symbol.endLine - symbol.startLine <= innermost.endLine - innermost.startLine
    )
      innermost = symbol;
  }
  const chain: CodeSymbol[] = [];
  for (
    let at = innermost;
    at !== undefined;
    at = at.parent === undefined ? undefined : outline.symbols[at.parent]
  )
    chain.unshift(at);
  return chain;
}
