// Puts one entry into a JSON configuration, or takes it out, by touching only the text of that entry: comments, order and
// formatting of everything else stay. A file that does not parse is left alone.
import { GalleyError } from '../../../core/model/error.js';

export interface ServerEntry {
  readonly command: string;
  readonly args: readonly string[];
}

const name = 'galley';

export function withJsonEntry(source: string, container: string, entry: ServerEntry): string {
  if (source.trim() === '') return `${JSON.stringify({ [container]: { [name]: entry } }, null, 2)}\n`;
  const root = rootOf(source);
  const servers = memberOf(root, container);
  if (servers === undefined) return insert(source, root, [container, { [name]: entry }]);
  const list = objectIn(servers, container);
  const present = memberOf(list, name);
  if (present === undefined) return insert(source, list, [name, entry]);
  const { start, end } = present.value;
  if (isSame(source.slice(start, end), entry)) return source;
  const text = JSON.stringify(entry, null, 2).replaceAll(
    '\n',
    `${eolOf(source)}${indentAt(source, present.start)}`,
  );
  return source.slice(0, start) + text + source.slice(end);
}

export function withoutJsonEntry(source: string, container: string): string {
  if (source.trim() === '') return source;
  const servers = memberOf(rootOf(source), container);
  const list = servers === undefined ? undefined : objectIn(servers, container);
  const index = list?.members.findIndex(({ key }) => key === name) ?? -1;
  const member = list?.members[index];
  if (list === undefined || member === undefined) return source;
  const start = source.slice(0, member.start).trimEnd().length;
  const { end, comma } = endOfMember(source, member);
  const rest = source.slice(comma === undefined ? end : comma + 1);
  const before = list.members[index - 1];
  // The last one takes the comma of its neighbour along.
  const spare = comma === undefined && before !== undefined ? endOfMember(source, before).comma : undefined;
  const head = source.slice(0, start);
  return (spare === undefined ? head : head.slice(0, spare) + head.slice(spare + 1)) + rest;
}

function insert(source: string, into: JsonObject, [key, value]: [string, object]): string {
  const eol = eolOf(source);
  const last = into.members.at(-1);
  const isOneLine = !source.slice(into.start, into.end).includes('\n');
  if (isOneLine && (last !== undefined || source.includes('\n'))) {
    const entry = `${JSON.stringify(key)}: ${JSON.stringify(value)}`;
    const inside = source.slice(into.start + 1, into.end - 1).trimEnd();
    const comma = last === undefined || inside.endsWith(',') ? '' : ',';
    const place = into.start + 1 + inside.length;
    return `${source.slice(0, place)}${comma}${last === undefined ? '' : ' '}${entry}${source.slice(place)}`;
  }
  const outer = indentAt(source, into.end - 1);
  const step = last === undefined ? `${outer}  ` : indentAt(source, last.start);
  const unit = step.startsWith(outer) && step !== outer ? step.slice(outer.length) : '  ';
  const body = JSON.stringify(value, null, unit).replaceAll('\n', `${eol}${step}`);
  const entry = `${eol}${step}${JSON.stringify(key)}: ${body}`;
  const place = source.slice(0, into.end - 1).trimEnd().length;
  const bracket = source.slice(place, into.end - 1).includes('\n') ? '' : `${eol}${outer}`;
  const { end, comma } = last === undefined ? { end: place, comma: place } : endOfMember(source, last);
  const joined =
    comma === undefined ? `${source.slice(0, end)},${source.slice(end, place)}` : source.slice(0, place);
  return joined + entry + bracket + source.slice(place);
}

function rootOf(source: string): JsonObject {
  const root = parseSpans(source);
  if (root?.kind === 'object') return root;
  throw new GalleyError('CONFIG_INVALID', 'The file is not a JSON object; mend it first, it stays as it is.');
}

function memberOf({ members }: JsonObject, key: string): JsonMember | undefined {
  const found = members.filter((member) => member.key === key);
  if (found.length <= 1) return found[0];
  throw new GalleyError('CONFIG_INVALID', `The file says "${key}" twice; keep one, then run this again.`);
}

function objectIn({ value }: JsonMember, key: string): JsonObject {
  if (value.kind === 'object') return value;
  throw new GalleyError(
    'CONFIG_INVALID',
    `"${key}" is not an object; mend the file first, it stays as it is.`,
  );
}

function isSame(text: string, entry: ServerEntry): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(entry);
  } catch {
    return false;
  }
}

function indentAt(source: string, position: number): string {
  const line = source.slice(source.lastIndexOf('\n', position - 1) + 1, position);
  return /^\s*/.exec(line)?.[0] ?? '';
}

const eolOf = (source: string) => (source.includes('\r\n') ? '\r\n' : '\n');

interface Span {
  readonly start: number;
  readonly end: number;
}

interface JsonMember extends Span {
  readonly key: string;
  readonly value: JsonNode;
}

interface JsonObject extends Span {
  readonly kind: 'object';
  readonly members: readonly JsonMember[];
}

type JsonNode = JsonObject | (Span & { readonly kind: 'other' });

const gap = /(?:[\s\uFEFF]|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
const scalar =
  /"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/uy;
const deepest = 200;

/**
 * JSON with comments and trailing commas, as editors write it: where each member stands in the text. Undefined when it is not
 * such JSON.
 */
function parseSpans(source: string): JsonNode | undefined {
  const root = nodeAt(source, skip(source, 0), 0);
  return root !== undefined && skip(source, root.end) === source.length ? root : undefined;
}

/** Where a member ends, and the comma after it if there is one. */
function endOfMember(source: string, { value }: JsonMember): { end: number; comma: number | undefined } {
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
