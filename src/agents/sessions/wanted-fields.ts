// The fields of a JSON line that somebody wants, read from its bytes. All others are passed over without ever becoming values: a
// session holds every result of a tool twice, and pictures as text. What is wanted reads as if the whole line had been parsed.
import type { JsonObject } from '../../models/answer/json-fields.js';

/**
 * `value`: whatever stands there, whole. `repeated`: the same, mostly the text that stood there before. More names: only these, of
 * an object or of each object in a list; what is neither is taken whole.
 */
export interface WantedFields {
  readonly [name: string]: 'value' | 'repeated' | WantedFields;
}

/** Undefined for what is no object, or was cut off. */
export type FieldReader = (bytes: Buffer, from: number, to: number) => JsonObject | undefined;

/** A name as it stood in a line, with quotes and colon: later lines have their names in the same order, or in one of a few. */
interface SeenName {
  readonly bytes: Buffer;
  readonly field: Field | undefined;
  /** What stood behind it, and what stood in its own place in other lines. */
  next: SeenName | undefined;
  readonly other: SeenName | undefined;
}

/** What is wanted at one depth: by the length of the names, since a handful of bytes then decides. */
interface Level {
  readonly fields: readonly (readonly Field[])[];
  first: SeenName | undefined;
  learned: number;
}

interface Field {
  readonly name: string;
  readonly bytes: Buffer;
  readonly within: Level | undefined;
  /** What stood there last, by its length. */
  readonly repeated: { readonly bytes: Buffer; readonly text: string }[] | undefined;
}

const quote = 34;
const comma = 44;
const colon = 58;
const backslash = 92;
const openList = 91;
const closeList = 93;
const openObject = 123;
const closeObject = 125;

/** Beyond the end there is nothing, which is no blank either. */
const isBlank = (byte: number) => byte <= 32 && (byte === 32 || byte === 9 || byte === 13 || byte === 10);
const isDigit = (byte: number) => byte >= 48 && byte <= 57;

/** No line that anybody writes is nested like that; one that is would take the whole stack. */
const deepest = 100;
const longestRepeated = 200;
/** Objects whose names are data have no order to learn. */
const mostLearned = 500;
/** Stands nowhere in a line. */
const noName = Buffer.from('\n');
/** Digits that a number holds to the last. */
const exactDigits = 15;

export function fieldReader(wanted: WantedFields): FieldReader {
  const top = levelOf(wanted);
  let bytes: Buffer = Buffer.alloc(0);
  let end = 0;
  /** Of the text that was passed last. */
  let isEscaped = false;
  let isAscii = true;
  /** What was read last. */
  let value: unknown;

  // Every step takes a place and gives the place behind what it read, or -1 where the line is broken.
  const passBlank = (from: number) => {
    const line = bytes;
    let at = from;
    while (isBlank(line[at] as number)) at += 1;
    return at;
  };
  /** From the first byte of a text to its closing quote. */
  const passText = (from: number) => {
    const line = bytes;
    const stop = end;
    let bits = 0;
    let escaped = false;
    for (let at = from; at < stop; at += 1) {
      const byte = line[at] as number;
      if (byte === quote) {
        isEscaped = escaped;
        isAscii = bits < 128;
        return at;
      }
      if (byte === backslash) {
        escaped = true;
        at += 1;
      } else if (byte < 32) return -1;
      else bits |= byte;
    }
    return -1;
  };
  const passValue = (from: number) => {
    const first = bytes[from];
    if (first === quote) return passText(from + 1) + 1 || -1;
    let at = from;
    if (first !== openObject && first !== openList) {
      while (at < end && !isBlank(bytes[at] as number) && !isStop(bytes[at] as number)) at += 1;
      return at === from ? -1 : at;
    }
    const line = bytes;
    const stop = end;
    let depth = 0;
    for (; at < stop; at += 1) {
      const byte = line[at] as number;
      if (byte === quote) {
        at = passText(at + 1);
        if (at < 0) return -1;
      } else if (byte === openObject || byte === openList) depth += 1;
      else if (byte === closeObject || byte === closeList) {
        depth -= 1;
        if (depth === 0) return at + 1;
      }
    }
    return -1;
  };
  const parse = (from: number, to: number) => {
    try {
      value = JSON.parse(bytes.toString('utf8', from, to));
      return to;
    } catch {
      return -1;
    }
  };
  const isAt = (from: number, known: Buffer) => {
    const line = bytes;
    for (let at = known.length - 1; at >= 0; at -= 1) if (known[at] !== line[from + at]) return false;
    return true;
  };
  const fieldOf = ({ fields }: Level, from: number, to: number) => {
    const same = fields[to - from];
    if (same === undefined) return undefined;
    for (const field of same) if (isAt(from, field.bytes)) return field;
    return undefined;
  };
  /** Which name was read last. */
  let name: SeenName | undefined;
  /** From the quote before a name to its value. */
  const readName = (level: Level, before: SeenName | undefined, from: number) => {
    const usual = before === undefined ? level.first : before.next;
    name = usual;
    while (name !== undefined && !isAt(from, name.bytes)) name = name.other;
    if (name !== undefined) return passBlank(from + name.bytes.length);
    if (bytes[from] !== quote) return -1;
    const to = passText(from + 1);
    if (to < 0) return -1;
    const field = isEscaped
      ? spelledOut(level, bytes.toString('utf8', from, to + 1))
      : fieldOf(level, from + 1, to);
    const at = passBlank(to + 1);
    if (bytes[at] !== colon) return -1;
    const isLearned = level.learned < mostLearned && at - from <= longestRepeated;
    const own = isLearned ? Buffer.from(bytes.subarray(from, at + 1)) : noName;
    name = { bytes: own, field, next: undefined, other: usual };
    if (isLearned) {
      level.learned += 1;
      if (before === undefined) level.first = name;
      else before.next = name;
    }
    return passBlank(at + 1);
  };
  const readText = ({ repeated }: Field, from: number) => {
    const to = passText(from);
    if (to < 0) return -1;
    if (isEscaped) return parse(from - 1, to + 1);
    const length = to - from;
    const known = repeated?.[length];
    if (known !== undefined && isAt(from, known.bytes)) value = known.text;
    else {
      const text = bytes.toString(isAscii ? 'latin1' : 'utf8', from, to);
      value = text;
      if (repeated !== undefined && length <= longestRepeated)
        repeated[length] = { bytes: Buffer.from(bytes.subarray(from, to)), text };
    }
    return to + 1;
  };
  const readNumber = (from: number) => {
    let sum = 0;
    let at = from;
    for (; at < end && isDigit(bytes[at] as number); at += 1) sum = sum * 10 + (bytes[at] as number) - 48;
    const isPlain =
      at > from && at - from <= exactDigits && (bytes[from] !== 48 || at === from + 1) && !isMore(bytes[at]);
    if (isPlain) value = sum;
    return isPlain ? at : -1;
  };
  const readValue = (field: Field, from: number, depth: number): number => {
    const first = bytes[from] as number;
    if (first === quote) return readText(field, from + 1);
    if (field.within !== undefined && first === openObject) return readObject(field.within, from, depth + 1);
    if (field.within !== undefined && first === openList) return readList(field, from, depth + 1);
    if (isDigit(first)) {
      const at = readNumber(from);
      if (at >= 0) return at;
    }
    const to = passValue(from);
    return to < 0 ? -1 : parse(from, to);
  };
  const readList = (field: Field, from: number, depth: number): number => {
    if (depth > deepest) return -1;
    const list: unknown[] = [];
    let at = passBlank(from + 1);
    if (bytes[at] === closeList) {
      value = list;
      return at + 1;
    }
    for (;;) {
      at = readValue(field, at, depth);
      if (at < 0 || at >= end) return -1;
      list.push(value);
      at = passBlank(at);
      if (bytes[at] === closeList) break;
      if (bytes[at] !== comma) return -1;
      at = passBlank(at + 1);
    }
    value = list;
    return at + 1;
  };
  const readObject = (level: Level, from: number, depth: number): number => {
    const object: Record<string, unknown> = {};
    const line = bytes;
    let at = passBlank(from + 1);
    if (line[at] === closeObject) {
      value = object;
      return at + 1;
    }
    let before: SeenName | undefined;
    for (;;) {
      at = readName(level, before, at);
      if (at < 0) return -1;
      before = name as SeenName;
      const { field } = before;
      at = field === undefined ? passValue(at) : readValue(field, at, depth);
      if (at < 0 || at >= end) return -1;
      if (field !== undefined) object[field.name] = value;
      at = passBlank(at);
      if (line[at] === closeObject) break;
      if (line[at] !== comma) return -1;
      at = passBlank(at + 1);
    }
    value = object;
    return at + 1;
  };

  return (line, from, to) => {
    bytes = line;
    end = to;
    const start = passBlank(from);
    if (start >= end || bytes[start] !== openObject) return undefined;
    let at = readObject(top, start, 0);
    if (at < 0 || at > end) return undefined;
    while (at < end && isBlank(bytes[at] as number)) at += 1;
    return at < end ? undefined : (value as JsonObject);
  };
}

const isStop = (byte: number) =>
  byte === comma ||
  byte === closeObject ||
  byte === closeList ||
  byte === quote ||
  byte === openObject ||
  byte === openList;

/** What makes more of a number than its digits. */
const isMore = (byte: number | undefined) => byte === 46 || byte === 69 || byte === 101;

/** A name with escapes in it may be one of ours all the same. */
function spelledOut(level: Level, quoted: string): Field | undefined {
  try {
    const name: unknown = JSON.parse(quoted);
    return level.fields.flat().find((field) => field?.name === name);
  } catch {
    return undefined;
  }
}

function levelOf(wanted: WantedFields): Level {
  const fields: Field[][] = [];
  for (const [name, kind] of Object.entries(wanted)) {
    const bytes = Buffer.from(name);
    const same = fields[bytes.length] ?? [];
    fields[bytes.length] = same;
    same.push({
      name,
      bytes,
      within: typeof kind === 'string' ? undefined : levelOf(kind),
      repeated: kind === 'repeated' ? [] : undefined,
    });
  }
  return { fields, first: undefined, learned: 0 };
}
