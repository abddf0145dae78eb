// When are two quotes or two remarks the same? White space, diff signs and shifting numbers do not count.

/** A brace or a blank is no evidence: it stands everywhere. */
export function hasSubstance(text: string): boolean {
  return (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= 3;
}

export function normalLine(line: string): string {
  return line.replace(/\s+/g, ' ').trim();
}

/** Without blank lines at both ends. */
export function quoteLines(quote: string): string[] {
  const lines = quote.split(/\r?\n/);
  const first = lines.findIndex((line) => line.trim() !== '');
  if (first === -1) return [];
  return lines.slice(first, lines.findLastIndex((line) => line.trim() !== '') + 1);
}

/** The same lines when they were quoted out of a diff, sign and all; otherwise undefined. */
export function withoutSigns(lines: readonly string[]): string[] | undefined {
  const signed = lines.filter((line) => line.trim() !== '');
  if (!signed.every((line) => /^[+\- ]/.test(line)) || signed.every((line) => line.startsWith(' ')))
    return undefined;
  return lines.map((line) => line.slice(1));
}

export function normalCode(quote: string): string {
  const lines = quoteLines(quote);
  return (withoutSigns(lines) ?? lines)
    .map(normalLine)
    .filter((line) => line !== '')
    .join('\n');
}

/** Numbers in a remark are mostly line numbers, which move with every push. */
export function normalMessage(message: string): string {
  return normalLine(message.normalize('NFKC').toLowerCase().replace(/\d+/g, '0'));
}
