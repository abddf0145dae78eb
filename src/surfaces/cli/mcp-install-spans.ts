// JSON with comments and trailing commas, as editors write it: where each member stands in the text.

interface Span {
  readonly start: number;
  readonly end: number;
}

export interface JsonMember extends Span {
  readonly key: string;
  readonly value: JsonNode;
}

export interface JsonObject extends Span {
  readonly kind: 'object';
  readonly members: readonly JsonMember[];
}

export type JsonNode = JsonObject | (Span & { readonly kind: 'other' });

const gap = /(?:[\s\uFEFF]|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
const scalar =
  /"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/uy;
const deepest = 200;

/** Undefined when the text is not such JSON. */
export function parseSpans(source: string): JsonNode | undefined {
  const root = nodeAt(source, skip(source, 0), 0);
  return root !== undefined && skip(source, root.end) === source.length ? root : undefined;
}

/** Where a member ends, and the comma after it if there is one. */
export function endOfMember(
  source: string,
  { value }: JsonMember,
): { end: number; comma: number | undefined } {
  const next = skip(source, value.end);
  return { end: value.end, comma: source[next] === ',' ? next : undefined };
}

function skip(source: string, at: number): number {
  gap.lastIndex = at;
  gap.exec(source);
  return gap.lastIndex;
}

function scalarAt(source: string, at: number): string | undefined {
  scalar.lastIndex = at;
  return scalar.exec(source)?.[0];
}

function nodeAt(source: string, start: number, depth: number): JsonNode | undefined {
  const open = source[start];
  if (open !== '{' && open !== '[') {
    const text = scalarAt(source, start);
    return text === undefined ? undefined : { kind: 'other', start, end: start + text.length };
  }
  if (depth > deepest) return undefined;
  const close = open === '{' ? '}' : ']';
  const members: JsonMember[] = [];
  let at = skip(source, start + 1);
  while (source[at] !== close) {
    const member = open === '{' ? memberAt(source, at, depth) : elementAt(source, at, depth);
    if (member === undefined) return undefined;
    members.push(member);
    at = skip(source, member.end);
    if (source[at] === ',') at = skip(source, at + 1);
    else if (source[at] !== close) return undefined;
  }
  const span = { start, end: at + 1 };
  return open === '{' ? { kind: 'object', ...span, members } : { kind: 'other', ...span };
}

function memberAt(source: string, start: number, depth: number): JsonMember | undefined {
  const text = scalarAt(source, start);
  if (!text?.startsWith('"')) return undefined;
  const colon = skip(source, start + text.length);
  if (source[colon] !== ':') return undefined;
  const value = nodeAt(source, skip(source, colon + 1), depth + 1);
  return value === undefined ? undefined : { key: JSON.parse(text) as string, start, end: value.end, value };
}

function elementAt(source: string, start: number, depth: number): JsonMember | undefined {
  const value = nodeAt(source, start, depth + 1);
  return value === undefined ? undefined : { key: '', start, end: value.end, value };
}
