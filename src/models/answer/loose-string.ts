// One string of almost-JSON, from its opening quote. A quote inside that nobody escaped does not end it; raw line ends may stand in it.

export interface LooseString {
  readonly value: string;
  /** Behind the closing quote; undefined when there is none. */
  readonly end: number | undefined;
  readonly repaired: boolean;
  readonly otherQuotes: boolean;
}

const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

export function looseString(
  text: string,
  start: number,
  closing: 'first quote' | 'plausible quote',
): LooseString {
  const quote = text[start] === "'" ? "'" : '"';
  const special = quote === '"' ? /["\\\n\r\t]/g : /['\\\n\r\t]/g;
  const parts: string[] = [];
  let repaired = false;
  let from = start + 1;
  special.lastIndex = from;
  for (let found = special.exec(text); found !== null; found = special.exec(text)) {
    const at = found.index;
    if (found[0] === quote) {
      if (closing === 'first quote' || isClosing(text, at)) {
        parts.push(text.slice(from, at));
        return { value: parts.join(''), end: at + 1, repaired, otherQuotes: quote === "'" };
      }
      repaired = true;
    } else if (found[0] === '\\') {
      parts.push(text.slice(from, at));
      const read = readEscape(text, at + 1);
      parts.push(read.value);
      if (read.invented) repaired = true;
      from = read.end;
      special.lastIndex = from;
    } else repaired = true;
  }
  return { value: '', end: undefined, repaired, otherQuotes: false };
}

const afterQuote = /\s*/y;

function isClosing(text: string, quoteAt: number): boolean {
  afterQuote.lastIndex = quoteAt + 1;
  const gap = afterQuote.exec(text)?.[0] ?? '';
  const next = text[quoteAt + 1 + gap.length];
  if (next === undefined || ',:}]'.includes(next)) return true;
  // A comma was forgotten at the end of the line.
  return gap.includes('\n') && `"'{[/`.includes(next);
}

function readEscape(text: string, at: number): { value: string; end: number; invented: boolean } {
  const letter = text[at] ?? '';
  if (letter === 'u') {
    const digits = text.slice(at + 1, at + 5);
    if (/^[0-9a-fA-F]{4}$/.test(digits))
      return { value: String.fromCharCode(Number.parseInt(digits, 16)), end: at + 5, invented: false };
  }
  const known = escapes[letter];
  if (known !== undefined) return { value: known, end: at + 1, invented: letter === "'" };
  return { value: '\\', end: at, invented: true };
}
