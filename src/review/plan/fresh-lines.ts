// What of a change is new? Lines that only moved are not, and two ways to write the same thing are one.
import { escapePattern } from '../../core/model/escape-pattern.js';
import { rangesOf } from '../units/changed-lines.js';
import { isCallable } from '../units/line-owner.js';
import type { ReviewUnit } from '../units/unit.js';

export type FreshLines = Pick<ReviewUnit, 'added' | 'removed'>;

/** Lines that only moved or were indented anew say nothing about the change, unless all of them did. */
export function freshLines(unit: ReviewUnit): FreshLines {
  const bare = (text: string) => text.replace(/\s+/g, '');
  const texts = { added: new Set<string>(), removed: new Set<string>() };
  for (const { kind, text } of unit.lines) texts[kind].add(bare(text));
  const fresh = (kind: 'added' | 'removed', other: 'added' | 'removed') =>
    rangesOf(
      unit.lines
        .filter((line) => line.kind === kind && !texts[other].has(bare(line.text)))
        .map(({ number }) => number),
    );
  const found = { added: fresh('added', 'removed'), removed: fresh('removed', 'added') };
  return found.added.length + found.removed.length === 0 ? unit : found;
}

/** The same said in another spelling: quotes, braces around one statement, names of types with or without their module. */
export function isRestyled(unit: ReviewUnit): boolean {
  const old = oneSpelling(renamed(unit, textOf(unit, 'removed')));
  const fresh = oneSpelling(textOf(unit, 'added'));
  return old !== '' && (old === fresh || onlyModulesDiffer(old, fresh));
}

function textOf({ lines }: ReviewUnit, kind: 'added' | 'removed'): string {
  return lines
    .filter((line) => line.kind === kind)
    .map(({ text }) => text)
    .join('\n');
}

/** A function that the file calls otherwise now is still the same. */
function renamed({ file }: ReviewUnit, text: string): string {
  let now = text;
  for (const change of file.symbolChanges)
    if (change.kind === 'kept' && change.renamed && isCallable(change.after))
      now = now.replaceAll(
        new RegExp(`(?<![\\w$])${escapePattern(change.before.name)}(?![\\w$])`, 'g'),
        () => change.after.name,
      );
  return now;
}

function oneSpelling(text: string): string {
  return (
    text
      .replace(/\s+/g, '')
      .replace(/"([^"'`\\$]*)"/g, "'$1'")
      // Brackets around a string that was broken over lines.
      .replace(/(?<![\w$)\]])\(([a-zA-Z]{0,2}(["']).*?\2)\)/g, '$1')
      .replace(/(\)|\belse)\{([^{};]*);?\}/g, '$1$2')
      .replace(/(?<![\w$])\(([\w$]+)\)=>/g, '$1=>')
      // From the beginning of a name only: a line of a million letters would else be read from each of them.
      .replace(/(?<![\w$.])([\w$.]+)&&\1\./g, '$1?.')
      .replace(/!([\w$.]+)\|\|!\1\./g, '!$1?.')
      .replace(/,(?=[)\]}])/g, '')
      .replace(/\binterface\{\}/g, 'any')
      .replace(/\?(?=[\w\\]+\$\w+=null)/g, '')
      // Names from the outermost scope, and a bar before the first of several types.
      .replace(/(?<![\w\\])\\(?=\p{Lu})/gu, '')
      .replace(/(?<![\w:>\])])::(?=\p{Lu})/gu, '')
      .replace(/([:=<(,])\|(?!\|)/g, '$1')
      .replace(/;/g, '')
  );
}

const pathOfName = /[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::)[\p{L}_$][\p{L}\p{N}_$]*)*/gu;

/** `typing.Any` is `Any` once it is imported by name. */
function onlyModulesDiffer(old: string, fresh: string): boolean {
  if (old.replace(pathOfName, '_') !== fresh.replace(pathOfName, '_')) return false;
  const after = fresh.match(pathOfName) ?? [];
  return (old.match(pathOfName) ?? []).every((name, at) => {
    const [short = '', long = ''] = [name, after[at] ?? ''].sort((a, b) => a.length - b.length);
    return (
      short === long ||
      (/^\p{Lu}/u.test(short) &&
        /^\p{Ll}[\p{L}\p{N}_]*(?:\.|::)/u.test(long) &&
        /(?:\.|::)$/.test(long.slice(0, -short.length)) &&
        long.endsWith(short))
    );
  });
}
