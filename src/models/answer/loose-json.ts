// Reads the JSON in a text that was meant to be JSON: prose around it, trailing commas, cut in half. One pass, never throws;
// what could not be read to its end is in `cut`, and every liberty taken is counted in `repairs`.

type Repair =
  | 'text around the JSON'
  | 'trailing comma'
  | 'missing comma'
  | 'comment'
  | 'unquoted key'
  | 'other quotes'
  | 'unescaped character'
  | 'other literal'
  | 'cut off';

interface LooseJson {
  readonly values: readonly unknown[];
  /** Objects and arrays that did not reach their closing bracket. */
  readonly cut: ReadonlySet<unknown>;
  readonly repairs: ReadonlyMap<Repair, number>;
}

type Outcome =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'cut'; readonly value?: unknown };

const deepest = 64;
const maxContainers = 50_000;
const blank = /[\s\ufeff]+/y;
const comment = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/y;
const bareKey = /[A-Za-z_$][\w$-]*(?=\s*:)/y;
const number = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const literal = /true|false|null|True|False|None|undefined|NaN/y;
const opening = /\[(?=\s*(?:[[{\]"]|$|\/[/*]))|\{(?=\s*(?:["'}]|$|\/[/*]|[A-Za-z_$][\w$-]*\s*:))/g;
const literals: Readonly<Record<string, unknown>> = { true: true, True: true, false: false, False: false };

export function readLooseJson(text: string): LooseJson {
  const values: unknown[] = [];
  const cut = new Set<unknown>();
  const repairs = new Map<Repair, number>();
  let at = 0;
  let lostStrings = 0;
  let containers = 0;

  const repair = (kind: Repair) => repairs.set(kind, (repairs.get(kind) ?? 0) + 1);
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found !== undefined) at += found.length;
    return found;
  };
  const skip = () => {
    for (;;) {
      match(blank);
      if (text[at] !== '/' || match(comment) === undefined) return;
      repair('comment');
    }
  };
  const readString = (closing: 'first quote' | 'plausible quote'): string | undefined => {
    const read = looseString(text, at, closing);
    if (read.end === undefined) {
      // The rest may hold JSON of its own, but not every stray quote deserves another look at it.
      lostStrings += 1;
      at = lostStrings > 3 ? text.length : at + 1;
      return undefined;
    }
    if (read.otherQuotes) repair('other quotes');
    if (read.repaired) repair('unescaped character');
    at = read.end;
    return read.value;
  };
  const scalar = (): Outcome => {
    if (text[at] === '"' || text[at] === "'") {
      const value = readString('plausible quote');
      return value === undefined ? { kind: 'cut' } : { kind: 'value', value };
    }
    const digits = match(number);
    // A number at the very end may lack its last digits.
    if (digits !== undefined)
      return at < text.length ? { kind: 'value', value: Number(digits) } : { kind: 'cut' };
    const word = match(literal);
    if (word === undefined) return { kind: 'cut' };
    if (!['true', 'false', 'null'].includes(word)) repair('other literal');
    return { kind: 'value', value: literals[word] ?? null };
  };
  /** Between members: tells whether the container goes on, is closed, or cannot be read further. */
  const separator = (close: string): 'next' | 'closed' | 'cut' => {
    skip();
    let commas = 0;
    while (text[at] === ',') {
      commas += 1;
      at += 1;
      skip();
    }
    if (text[at] === close) {
      at += 1;
      if (commas > 0) repair('trailing comma');
      return 'closed';
    }
    if (at >= text.length) return 'cut';
    if (commas === 0) repair('missing comma');
    return 'next';
  };
  const container = (depth: number): Outcome => {
    const close = text[at] === '[' ? ']' : '}';
    const list: unknown[] | undefined = close === ']' ? [] : undefined;
    const record: Record<string, unknown> = Object.create(null);
    const value = list ?? record;
    const cutHere = (): Outcome => {
      cut.add(value);
      return { kind: 'cut', value };
    };
    at += 1;
    containers += 1;
    if (containers > maxContainers) at = text.length;
    if (depth > deepest || at === text.length) return cutHere();
    skip();
    if (text[at] === close) {
      at += 1;
      return { kind: 'value', value };
    }
    for (;;) {
      let key = '';
      if (list === undefined) {
        const quoted = text[at] === '"' || text[at] === "'";
        const bare = quoted ? undefined : match(bareKey);
        const name = quoted ? readString('first quote') : bare;
        if (bare !== undefined) repair('unquoted key');
        skip();
        if (name === undefined || text[at] !== ':') return cutHere();
        key = name;
        at += 1;
        skip();
      }
      const member = text[at] === '[' || text[at] === '{' ? container(depth + 1) : scalar();
      if ('value' in member) {
        if (list === undefined) record[key] = member.value;
        else list.push(member.value);
      }
      if (member.kind === 'cut') return cutHere();
      const next = separator(close);
      if (next === 'closed') return { kind: 'value', value };
      if (next === 'cut') return cutHere();
    }
  };

  let around = false;
  for (;;) {
    opening.lastIndex = at;
    const start = opening.exec(text)?.index;
    if (text.slice(at, start).trim() !== '') around = true;
    if (start === undefined) break;
    at = start;
    const read = container(0);
    if (read.kind === 'cut') repair('cut off');
    values.push(read.value);
  }
  if (around && values.length > 0) repair('text around the JSON');
  return { values, cut, repairs };
}

interface LooseString {
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

/**
 * One string of almost-JSON, from its opening quote. A quote inside that nobody escaped does not end it; raw line ends may stand in it.
 */
function looseString(text: string, start: number, closing: 'first quote' | 'plausible quote'): LooseString {
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
