// One setting changed in the text of a configuration file: comments, order and spelling of everything else stay as they are.
import { isMap, isScalar, parseDocument, type YAMLMap } from 'yaml';

export type Setting = string | number | null;

/** The text with the setting; undefined where only a person can tell how. A setting of null takes it out. */
export function withSetting(text: string, key: string, value: Setting): string | undefined {
  const document = parseDocument(text, { version: '1.2', schema: 'core', logLevel: 'silent' });
  const { contents } = document;
  if (document.errors.length > 0) return undefined;
  if (contents === null) return value === null ? text : appended(text, key, value);
  if (!isMap(contents)) return undefined;
  const pairs = placesIn(contents);
  const at = pairs?.findIndex((pair) => pair.key === key);
  if (pairs === undefined || at === undefined) return undefined;
  const found = pairs[at];
  if (found !== undefined && value !== null)
    return text.slice(0, found.valueStart) + worded(value, contents) + text.slice(found.end);
  if (found === undefined && value === null) return text;
  if (contents.flow === true) return inFlow(text, pairs, { at, key, value });
  if (found === undefined) return appended(text, key, value as string | number);
  // Its whole line, with a comment that stands behind it.
  const start = text.lastIndexOf('\n', found.start - 1) + 1;
  const end = text.indexOf('\n', found.end);
  return text.slice(0, start) + (end === -1 ? '' : text.slice(end + 1));
}

interface PairPlace {
  readonly key: string;
  readonly start: number;
  readonly valueStart: number;
  readonly end: number;
}

/** Undefined where a key or value is none that stands plainly in one place. */
function placesIn({ items }: YAMLMap): PairPlace[] | undefined {
  const places: PairPlace[] = [];
  for (const { key, value } of items) {
    const range = (value as { range?: readonly [number, number, number] } | null)?.range;
    if (!isScalar(key) || !key.range || !range) return undefined;
    places.push({ key: String(key.value), start: key.range[0], valueStart: range[0], end: range[1] });
  }
  return places;
}

function inFlow(
  text: string,
  pairs: readonly PairPlace[],
  { at, key, value }: { readonly at: number; readonly key: string; readonly value: Setting },
): string {
  if (value === null) {
    const [before, own, next] = [pairs[at - 1], pairs[at] as PairPlace, pairs[at + 1]];
    if (before !== undefined) return text.slice(0, before.end) + text.slice(own.end);
    return text.slice(0, own.start) + text.slice(next?.start ?? own.end);
  }
  const added = `${JSON.stringify(key)}: ${JSON.stringify(value)}`;
  const last = pairs.at(-1);
  if (last === undefined) return text.replace('{', `{ ${added} `);
  const lineStart = text.lastIndexOf('\n', last.start) + 1;
  const indent = /^[ \t]*/.exec(text.slice(lineStart))?.[0] ?? '';
  const isOnLine = lineStart + indent.length === last.start;
  return `${text.slice(0, last.end)},${isOnLine ? `\n${indent}` : ' '}${added}${text.slice(last.end)}`;
}

function appended(text: string, key: string, value: string | number): string {
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const before = text === '' || text.endsWith('\n') ? text : text + lineEnd;
  return `${before}${key}: ${worded(value)}${lineEnd}`;
}

/** Plain where no reader of YAML could take it for something else. */
function worded(value: string | number, { flow }: { readonly flow?: boolean } = {}): string {
  return flow !== true && /^[a-z][\w./-]*$/i.test(String(value)) ? String(value) : JSON.stringify(value);
}
