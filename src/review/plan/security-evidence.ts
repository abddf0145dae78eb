// Does a change touch secrets, identity, permission or encryption? Names tell. Some say enough by themselves; where only the place is
// about security, what changed there must be a thing that security is made of.
import type { LineRange } from '../../code/range-evidence.js';
import { plainLanguages } from '../../code/tables/plain-languages.js';
import type { FileSide } from '../units/changed-file.js';
import { isCallable } from '../units/line-owner.js';
import type { ReviewUnit } from '../units/unit.js';
import type { FreshLines } from './fresh-lines.js';
import { isAboutSecurity, isPartOfSecurity, speaksOfSecurity } from './security-words.js';
import { namesOf, spokenLines } from './spoken-code.js';

interface SecurityPlace {
  /** The file is about security. */
  readonly isSecurityPath: boolean;
  /** Nothing but the text of strings changed. */
  readonly isText: boolean;
}

export function namesSecurity(unit: ReviewUnit, fresh: FreshLines, place: SecurityPlace): boolean {
  const gone = namesIn(unit.file.before, fresh.removed);
  const here = namesIn(unit.file.after, fresh.added);
  if (gone.length + here.length === 0 || onlyOwnershipDiffers(gone, here) || onlyDeclares(unit)) return false;
  const differing = differingNames(gone, here);
  const isAuthority = [...gone, ...here].some((name) => /^(?:scheme|authority)$/i.test(name));
  // The middle of an address is called auth as well.
  const speaks = (name: string) => speaksOfSecurity(name) && !(isAuthority && name === 'auth');
  if (differing.some(speaks)) return true;
  const isSpoken = [...gone, ...here].some(speaks);
  // The same names, and something else between them.
  if (isSpoken && differing.length === 0) return true;
  if (place.isText) return false;
  // A number or a comparison in a file about security: how long a token lives, who is let in.
  if (place.isSecurityPath && differing.length === 0) return true;
  const own = unit.chain.at(-1);
  const owner = unit.symbol ?? unit.oldSymbol;
  if (own !== undefined && owner !== undefined && isCallable(owner) && speaksOfSecurity(own))
    return (
      !differing.every((name) => telling.test(name) || plain.has(name)) &&
      ([...gone, ...here].some((name) => steering.has(name) || isPartOfSecurity(name)) ||
        decidesOtherwise(unit, fresh))
    );
  const isAbout = isSpoken || place.isSecurityPath || unit.chain.some((name) => isAboutSecurity(name));
  return isAbout && differing.some(isPartOfSecurity);
}

/** What becomes of an error or is written to a log is no matter of security by its place alone. */
const telling = /err|wrap|log|debug|warn|message|msg|stack|trace/i;

/** Names of types and of nothing. */
const plain = new Set(
  'string String str null nil None undefined int bool boolean Boolean void any Optional const final public static'.split(
    ' ',
  ),
);

/** Words by which a function goes one way or the other. */
const steering = new Set(
  'if else elif unless switch case match when while return throw raise rescue catch except not and or guard break continue require assert'.split(
    ' ',
  ),
);

/** Another comparison, another number: who is let in, how long. */
function decidesOtherwise({ file }: ReviewUnit, fresh: FreshLines): boolean {
  const signs = (side: FileSide | undefined, ranges: readonly LineRange[]) =>
    side === undefined
      ? ''
      : ranges
          .flatMap((range) => spokenLines(side, range))
          .flatMap((code) => code.match(/[!=]==?|&&|\|\||[<>]=|!(?=[\w(])|(?<![\w$.])\d[\w.]*/g) ?? [])
          .sort()
          .join(' ');
  return signs(file.before, fresh.removed) !== signs(file.after, fresh.added);
}

/** What prints something prints what is there. */
const printing =
  /^(?:[tT]o_?[sS]tring|[sS]tring|inspect|__str__|__repr__|[sS]et_?[lL]ogger|[pP]rint\w*|[lL]og(?!_?(?:[iI]n|[oO]ut|[oO]ff)(?![a-z]))(?:[A-Z_]\w*)?|[dD]ebug\w*)$/;

/** Fields without a value, types, stand-ins for tests and what prints them do nothing themselves. */
function onlyDeclares({ symbol, oldSymbol, chain, lines, file }: ReviewUnit): boolean {
  const owner = symbol ?? oldSymbol;
  if (owner === undefined) return false;
  if (lines.some(({ text }) => /\bSensitiveParameter\b/.test(text))) return false;
  const outline = (symbol === undefined ? file.before : file.after)?.outline;
  const around = outline?.symbols[owner.parent ?? -1]?.kind;
  const hasBody = owner.endLine > owner.signatureEndLine;
  if (isCallable(owner) && !hasBody && (around === 'interface' || around === 'type')) return true;
  if (/\bMock\p{Lu}|:\s*TypeAlias\b/u.test(owner.signature) || printing.test(chain.at(-1) ?? '')) return true;
  if (owner.kind === 'type' || owner.kind === 'interface' || isAccessor(lines)) return true;
  const isType = owner.kind === 'class' || owner.kind === 'enum';
  return isType && !lines.some(({ text }) => !/^\s*(?:\/\/|\*|#|\/\*)/.test(text) && /[=(]/.test(text));
}

const shortestDoing = 12;

/** A new or a gone function that hands out a value, takes one or passes a call on. */
function isAccessor(lines: ReviewUnit['lines']): boolean {
  if (lines.length > shortestDoing || new Set(lines.map(({ kind }) => kind)).size !== 1) return false;
  const code = lines
    .map(({ text }) => text.trim())
    .filter((text) => text !== '' && !/^(?:\/\/|\/\*|\*|#|@|'''|"""|[{}]+;?$|end$)/.test(text));
  const [head = '', ...body] = code;
  if (
    !/^(?:.*\b(?:func|fun|fn|def|function)\b.*|.*\))\s*(?:[\w:>\-&<' ]*)?[{:]?$/.test(head) ||
    body.length !== 1
  )
    return false;
  return /^(?:return\s+)?(?:(?:this|self|\$this|@\w+|[a-z]\w*)(?:(?:\.|->)\w+)*(?:\(\))?)(?:\s*=\s*\$?\w+)?;?$/.test(
    body[0]!,
  );
}

const silent =
  /^\s*(?:(?:package|namespace|module)\s+[\w.\\]+\s*;?\s*$|#\s*(?:if|ifdef|ifndef|elif|else|endif|undef|pragma)\b|(?:private|public|protected|private_class_method|module_function|attr_reader|attr_accessor|attr_writer|delegate)\b\s*:\w|@(?:Suppress\w*|Deprecated|OptIn|Override)\b|#\[(?:allow|deny|warn|expect|inline|must_use|deprecated|derive|cfg\w*)\b|\[(?:Obsolete|SuppressMessage)\b)/;

/** Of lines that bring names in, say to which package a file belongs or speak to a compiler, one learns nothing. */
function namesIn(side: FileSide | undefined, ranges: readonly LineRange[]): string[] {
  if (side === undefined || !isCode(side)) return [];
  const { outline, lines } = side;
  const isSilent = (line: number) =>
    silent.test(lines[line - 1] ?? '') ||
    outline.imports.some(({ startLine, endLine }) => startLine <= line && line <= endLine);
  return ranges.flatMap((range) =>
    spokenLines(side, range).flatMap((code, at) => (isSilent(range.startLine + at) ? [] : namesOf(code))),
  );
}

/** Translations, lists of what to overlook and declarations without a body speak of everything and do nothing. */
function isCode({ path, outline: { parsed, language } }: FileSide): boolean {
  return (parsed || Object.hasOwn(plainLanguages, language)) && !/\.d\.[cm]?ts$/.test(path);
}

/** Names that stand on one side more often than on the other. */
function differingNames(gone: readonly string[], here: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const name of here) counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const name of gone) counts.set(name, (counts.get(name) ?? 0) - 1);
  return [...counts].filter(([, count]) => count !== 0).map(([name]) => name);
}

const ownership = new Set(
  'clone cloned copied to_owned into as_ref as_mut as_deref borrow mut let const var final move ref'.split(
    ' ',
  ),
);

/** The same names, some of them copied, moved or held in another way. */
function onlyOwnershipDiffers(gone: readonly string[], here: readonly string[]): boolean {
  if (gone.join(' ') === here.join(' ')) return false;
  const rest = (names: readonly string[]) => names.filter((name) => !ownership.has(name)).join(' ');
  return rest(gone) !== '' && rest(gone) === rest(here);
}
