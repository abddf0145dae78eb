// Which changed lines of a file could matter to security? Not those that bring names in, say to which package a file belongs, speak to
// a compiler, or hand a value from one name to another.
import { isImported, type LineRange } from '../../code/range-evidence.js';
import { plainLanguages } from '../../code/tables/plain-languages.js';
import type { FileSide } from '../units/changed-file.js';
import { isCallable } from '../units/line-owner.js';
import { spokenLines } from './spoken-code.js';

const silent =
  /^\s*(?:(?:package|namespace|module)\s+[\w.\\]+\s*;?\s*$|#\s*(?:if|ifdef|ifndef|elif|else|endif|undef|pragma)\b|(?:private|public|protected|private_class_method|module_function|attr_reader|attr_accessor|attr_writer|delegate)\b\s*:\w|@(?:Suppress\w*|Deprecated|OptIn|Override)\b|#\[(?:allow|deny|warn|expect|inline|must_use|deprecated|derive|cfg\w*)\b|\[(?:Obsolete|SuppressMessage)\b)/;

const doing =
  /\b(?:if|return|throw|raise|case|when|unless|else|while|assert|require|true|false|yield|match)\b|''|==|!=|&&|\|\||(?<![\w$])\d|[\w$)\]]!?\s*\(/;
const handingOver = /^[\s.]*(?:\w+\s*[:=]\s*)?(?:\w+\.)*(?:[sS]et|[wW]ith)_?[\w$]+\([\w$.>-]*\)?[\s.,;]*$/;
/** What weakens a guard does so wherever it is written. */
const weakening =
  /insecure|skip_?verify|reject_?unauthorized|http_?only|same_?site|csrf|sensitive_?parameter/i;

/** A parameter, a field or an argument that is handed from one name to another decides nothing. */
function carries(code: string): boolean {
  return (!doing.test(code) || handingOver.test(code)) && !weakening.test(code);
}

/** Names of texts for people. */
const texts = /\b(?:R\.string|\w*Strings?|i18n)\.\w+/g;

export interface ActingLine {
  /** Without comments and the text of strings. */
  readonly code: string;
  readonly isHead: boolean;
  /** Whether somebody is turned away, or something held to be invalid, right here or as the first thing behind it. */
  turnsAway(): boolean;
}

const refusing =
  /\b(?:throw|raise|return|abort|deny|denied|reject|refuse|panic|exit|die|halt|fail|false|False)\b|\b[eE]rr!?\(|\.failure\(|[fF]orbid|[uU]nauthori[sz]ed/;
/** A condition may take two lines. */
const refusedWithin = 2;

/** Of lines that bring names in, say to which package a file belongs or speak to a compiler, one learns nothing. */
export function actingLines(side: FileSide | undefined, ranges: readonly LineRange[]): ActingLine[] {
  if (side === undefined || !isCode(side)) return [];
  const { outline, lines } = side;
  const isSilent = (line: number) => silent.test(lines[line - 1] ?? '') || isImported(outline, line);
  const turnsAway = (line: number) =>
    spokenLines(side, { startLine: line, endLine: line + refusedWithin }).some((code) => refusing.test(code));
  return ranges.flatMap((range) =>
    spokenLines(side, range).flatMap((code, at) => {
      const line = range.startLine + at;
      if (isSilent(line) || carries(code)) return [];
      const spoken = code.replace(texts, '');
      return [{ code: spoken, isHead: isHead(side, line), turnsAway: () => turnsAway(line) }];
    }),
  );
}

/** What a function is called and takes is not what it does. */
function isHead({ outline: { symbols }, lines }: FileSide, line: number): boolean {
  return (
    /^\s*(?:[\w@]+\s+)*(?:func|fun|fn|def|function)\s+\w[^{=]*\{?\s*$/.test(lines[line - 1] ?? '') ||
    symbols.some(
      (symbol) =>
        isCallable(symbol) &&
        symbol.startLine <= line &&
        line <= symbol.signatureEndLine &&
        symbol.endLine > line,
    )
  );
}

/** Translations, lists of what to overlook and declarations without a body speak of everything and do nothing. */
function isCode({ path, outline: { parsed, language } }: FileSide): boolean {
  return (parsed || Object.hasOwn(plainLanguages, language)) && !/\.d\.[cm]?ts$/.test(path);
}
