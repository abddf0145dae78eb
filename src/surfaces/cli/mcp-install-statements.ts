// The statements of a TOML file and where they stand: tables, arrays of tables, and values by key. It checks shape, not meaning.

export interface TomlStatement {
  readonly kind: 'table' | 'array' | 'value';
  readonly key: readonly string[];
  readonly start: number;
}

const space = /[ \t]*/y;
const blank = /(?:[ \t]*(?:#[^\n]*)?\r?\n)*[ \t]*(?:#[^\n]*$)?/y;
const lineEnd = /[ \t]*(?:#[^\n]*)?(?:\r?\n|$)/y;
const keyPart = /[A-Za-z0-9_-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/y;
const text = /"""(?:[^\\]|\\[\s\S])*?"""|'''[\s\S]*?'''|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/y;
const bare = /[+-]?[A-Za-z0-9_][A-Za-z0-9_.:+-]*(?: \d\d:\d\d[0-9:.+Z-]*)?/y;
const between = /(?:[ \t\r\n]|#[^\n]*\n)*/y;
const deepest = 100;

/** Undefined when the text does not have the shape of TOML. */
export function readStatements(source: string): TomlStatement[] | undefined {
  const found: TomlStatement[] = [];
  let at = after(blank, source, source.startsWith('\uFEFF') ? 1 : 0) ?? 0;
  while (at < source.length) {
    const start = at;
    const mark = source.startsWith('[[', at) ? '[[' : source[at] === '[' ? '[' : '';
    const key = keyAt(source, at + mark.length);
    if (key === undefined) return undefined;
    const kind = mark === '' ? 'value' : mark === '[' ? 'table' : 'array';
    const close = mark === '' ? '=' : mark.replaceAll('[', ']');
    if (!source.startsWith(close, key.end)) return undefined;
    const body = key.end + close.length;
    const end = mark === '' ? valueAt(source, after(space, source, body) ?? body, 0) : body;
    const next = end === undefined ? undefined : after(lineEnd, source, end);
    if (next === undefined) return undefined;
    found.push({ kind, key: key.parts, start });
    at = after(blank, source, next) ?? next;
  }
  return found;
}

function after(pattern: RegExp, source: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(source) ? pattern.lastIndex : undefined;
}

function keyAt(source: string, start: number): { parts: string[]; end: number } | undefined {
  const parts: string[] = [];
  let at = start;
  for (;;) {
    at = after(space, source, at) ?? at;
    const end = after(keyPart, source, at);
    if (end === undefined) return undefined;
    const part = source.slice(at, end);
    parts.push(/^["']/.test(part) ? part.slice(1, -1) : part);
    at = after(space, source, end) ?? end;
    if (source[at] !== '.') return { parts, end: at };
    at += 1;
  }
}

function valueAt(source: string, at: number, depth: number): number | undefined {
  const open = source[at];
  if (open !== '[' && open !== '{') return after(text, source, at) ?? after(bare, source, at);
  if (depth > deepest) return undefined;
  const close = open === '[' ? ']' : '}';
  let place = after(between, source, at + 1) ?? at + 1;
  while (source[place] !== close) {
    let start: number | undefined = place;
    if (open === '{') {
      const key = keyAt(source, place);
      start = key !== undefined && source[key.end] === '=' ? after(space, source, key.end + 1) : undefined;
    }
    const end: number | undefined = start === undefined ? undefined : valueAt(source, start, depth + 1);
    if (end === undefined) return undefined;
    place = after(between, source, end) ?? end;
    if (source[place] === ',') place = after(between, source, place + 1) ?? place + 1;
    else if (source[place] !== close) return undefined;
  }
  return place + 1;
}
