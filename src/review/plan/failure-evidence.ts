// Does a change touch what happens on failure? Handling that reads the same before and after does not, and handing on what another
// call failed with is how most code reads.
import { isImported, overlaps } from '../../code/range-evidence.js';
import type { FileSide } from '../units/changed-file.js';
import type { ReviewUnit } from '../units/unit.js';
import type { FreshLines } from './fresh-lines.js';
import { spokenLines } from './spoken-code.js';

export function changesFailure({ file }: ReviewUnit, fresh: FreshLines): boolean {
  const old = readSide(file.before, fresh.removed);
  const now = readSide(file.after, fresh.added);
  if (saysOther(old.handling, now.handling)) return true;
  const isRewritten = old.code.length > 0 && now.code.length > 0;
  return isRewritten && (handsOnOtherwise(old, now) || handsOnOtherwise(now, old));
}

interface FailureSide {
  /** The fresh lines, without white space, comments and the text of strings. */
  readonly code: readonly string[];
  /** Those of them that handle a failure, whatever their values are called. */
  readonly handling: readonly string[];
}

/** A check of what a call returned, and its return to the caller, in Go. */
const checked = /^(?:\}?else)?if.*\b\w*[eE]rr\w*[!=]=nil\{?$/;
const returned = /^return(?:[\w"'.{}[\]&*]*,)*\w*[eE]rr$/;

function readSide(side: FileSide | undefined, ranges: FreshLines['added']): FailureSide {
  const code: string[] = [];
  const handling: string[] = [];
  if (side === undefined) return { code, handling };
  const isGo = side.outline.language === 'go';
  const spans = side.outline.roles.filter(({ role }) => role === 'error-handling');
  // What is written to a log on failure changes nothing of it, but where the program ends with it.
  const logged = side.outline.roles.filter(({ role, alone }) => role === 'logging' && alone);
  for (const range of ranges)
    spokenLines(side, range).forEach((spoken, at) => {
      const line = range.startLine + at;
      const text = spoken.replace(/\s+/g, '');
      if (!/[\p{L}\p{N}]/u.test(text)) {
        // The rest of what is thrown.
        if (/^['(),+]+;?$/.test(text) && overlaps(spans, line, line)) handling.push(text);
        return;
      }
      if (isImported(side.outline, line)) return;
      code.push(text);
      if (isGo && (checked.test(text) || returned.test(text))) return;
      if (overlaps(logged, line, line) && !/fatal|panic|exit/i.test(text)) return;
      if (overlaps(spans, line, line)) handling.push(withoutNames(isGo ? withoutValues(spoken) : spoken));
    });
  return { code, handling };
}

/** In Go, what a function returns beside the error, and what is asked before the condition. */
function withoutValues(line: string): string {
  return line
    .replace(/^(\s*(?:\}\s*else\s+)?if\b).*;/, '$1')
    .replace(/^(\s*return)\s+(?:(?:[\w.]+|''|[\w[\].*]+\{\})\s*,\s*)+/, '$1 ');
}

const kept = new Set(
  'throw raise rethrow return catch except finally rescue ensure panic assert try break continue pass retry null nil none undefined true false from as if not unless else new'.split(
    ' ',
  ),
);

const nameOfValue = /(?<![\p{L}\p{N}_$])[\p{Ll}_$][\p{L}\p{N}_$]*(?!\s*[(!]|[\p{L}\p{N}_$])/gu;

/** What says the same about a failure in other words. First with white space, */
const loose: readonly (readonly [RegExp, string])[] = [
  // What a `try` of Java holds open is no matter of failure.
  [/^(\s*\}?\s*try)\s*\(.*\)(?=\s*\{)/, '$1'],
  // What a value is cast to in C.
  [/\((?:const |unsigned )*(?:int|char|long|size_t|void|u?int\d+_t)\s*\**\)\s*(?=[\w(*&])/g, ''],
  // The module of a type.
  [/(?<![\p{L}\p{N}_:>)\]])::(?=\p{Lu})|(?<![\p{L}\p{N}_\\])\\(?=\p{Lu})/gu, ''],
];

/** then without it, every value called `_`. */
const close: readonly (readonly [RegExp, string])[] = [
  // The case that all others are.
  [/^(?:_=>|else->|default(?:->|:))(?=throw)/, ''],
  // Who is told.
  [/(?<!\w)\w+(?=\(\.failure\()/g, '_'],
  // A constructor that is given nothing.
  [/(\bthrownew[\w\\]+)\(\)/g, '$1'],
  // What leads to the place where a failure becomes another one, or is met.
  [/^.*?(?=\.(?:map_err|ok_or|or_else|unwrap_or)\w*\()/, ''],
  [/^.*?(\?:error\([^()]*\)).*$/, '$1'],
  // Where a value or a function lies.
  [/_(?:\._)+/g, '_'],
  [/_\.(?=\w+\()/g, ''],
  // A condition, and a text that holds values.
  [/ifnot(?=[_(])/g, 'unless'],
  [/''\.format\([^()]*\)|(?<![\w$])f''/g, "''"],
  // What the failure is called, or that it is called nothing.
  [/(?:=>|as)_(?=:?$)|(?<=\bcatch)\(_\)/g, ''],
  // Where a chain of calls is broken.
  [/^(?:_?\.)+|\.$/g, ''],
];

/** Names of values are not what happens; names of types and of what is called are. */
function withoutNames(line: string): string {
  const replaced = (text: string, [pattern, by]: readonly [RegExp, string]) => text.replace(pattern, by);
  const named = loose
    .reduce(replaced, line)
    .replace(nameOfValue, (name) => (kept.has(name) ? name : '_'))
    .replace(/\s+/g, '');
  return close.reduce(replaced, named);
}

function saysOther(old: readonly string[], now: readonly string[]): boolean {
  // A text that is broken into several is one text.
  const joined = (lines: readonly string[]) =>
    lines
      .join('')
      .replace(/''(?:\+?'')+/g, "''")
      .replace(/,(?=[)\]}])/g, '');
  return [...old].sort().join('\n') !== [...now].sort().join('\n') && joined(old) !== joined(now);
}

/** A call whose failure is handed on in one of the two and not in the other; a method that says it fails in other ways. */
function handsOnOtherwise({ code }: FailureSide, other: FailureSide): boolean {
  const isChecked = code.some((line) => checked.test(line));
  if (isChecked && !other.code.some((line) => checked.test(line))) return true;
  const declared = declaredFailures(code);
  if (declared !== undefined && declared !== declaredFailures(other.code)) return true;
  const others = new Map(other.code.map((line) => [withoutHandingOn(line), line]));
  return code.some((line) => (others.get(withoutHandingOn(line)) ?? line) !== line);
}

/** A failure is handed on, taken for none, or ends the program. */
function withoutHandingOn(line: string): string {
  return line
    .replace(/(?<=\)(?:\.await)?)(?:\?(?![.:?])|\.unwrap\(\)|\.expect\(''\))/g, '')
    .replace(/\btry[?!]/g, 'try');
}

function declaredFailures(code: readonly string[]): string | undefined {
  return /(?:\)|^)throws([\w.,]+)/.exec(code.join(''))?.[1];
}
