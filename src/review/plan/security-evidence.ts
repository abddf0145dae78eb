// Does a change touch secrets, identity, permission or encryption? Names tell. Some say enough by themselves; where only the place is
// about security, what changed there must be a thing that security is made of.

import { languageOf } from '../units/changed-file.js';
import { isCallable } from '../units/line-owner.js';
import type { ReviewUnit } from '../units/unit.js';
import type { FreshLines } from './fresh-lines.js';
import { pathEvidence } from './path-evidence.js';
import { doesSecurity, sets } from './security-deeds.js';
import { type ActingLine, actingLines } from './security-lines.js';
import {
  guards,
  isAboutSecurity,
  isCloseName,
  isPartOfSecurity,
  speaksOfSecurity,
} from './security-words.js';
import { namesOf } from './spoken-code.js';

/** How sure it is: a line decides, acts or sets something; or something of security is named where things change. */
export type SecurityEvidence = 'done' | 'named';

interface SecurityPlace {
  /** The file is about security. */
  readonly isSecurityPath: boolean;
  /** Nothing but the text of strings changed. */
  readonly isText: boolean;
}

export function securityEvidence(
  unit: ReviewUnit,
  fresh: FreshLines,
  place: SecurityPlace,
): SecurityEvidence | undefined {
  const [oldLines, newLines] = [
    actingLines(unit.file.before, fresh.removed),
    actingLines(unit.file.after, fresh.added),
  ];
  const [old, now] = [oldLines.map(({ code }) => code), newLines.map(({ code }) => code)];
  const [gone, here] = [old.flatMap(namesOf), now.flatMap(namesOf)];
  if (gone.length + here.length === 0 || onlyOwnershipDiffers(gone, here) || onlyDeclares(unit))
    return undefined;
  if (onlyRenames(gone, here)) return undefined;
  const differing = new Set(differingNames(gone, here));
  const isAuthority = [...gone, ...here].some((name) => /^(?:scheme|authority)$/i.test(name));
  const isPlace = place.isSecurityPath || unit.chain.some(isAboutSecurity);
  const isMatter = (name: string) =>
    // The middle of an address is called auth as well.
    (speaksOfSecurity(name) && !(isAuthority && name === 'auth')) || (isPlace && isPartOfSecurity(name));
  const own = unit.chain.at(-1) ?? '';
  const owner = unit.symbol ?? unit.oldSymbol;
  const isGuard =
    owner !== undefined && isCallable(owner) && guards(own) && (isPlace || speaksOfSecurity(own));
  const isNamed = [...old, ...now].some((line) => {
    const names = namesOf(line);
    if (differing.size > 0 && !names.some((name) => differing.has(name))) return false;
    if (sets(line, isMatter)) return true;
    if (isGuard && !place.isText && (/\breturn\b/.test(line) || decides(line))) return !names.every(isTold);
    // A number or a comparison in a file about security: how long a token lives, who is let in.
    if (place.isSecurityPath && differing.size === 0 && !place.isText) return true;
    if (!names.some(isMatter)) return false;
    return acts(line) || (!place.isText && decides(line));
  });
  const isWhole = isGuard && !place.isText && (gone.length === 0 || here.length === 0);
  if (!isNamed && !isWhole) return undefined;
  const bodyOf = (lines: readonly ActingLine[]) => lines.filter(({ isHead }) => !isHead);
  // Sessions are also those of visitors that are counted, of databases and of shells.
  const isSurePlace =
    unit.chain.some(isAboutSecurity) ||
    pathEvidence(unit.path.replace(/sessions?/gi, '')).includes('security-path');
  const isDone = doesSecurity(
    { old: bodyOf(oldLines), now: bodyOf(newLines) },
    {
      own,
      isWhole,
      isText: place.isText,
      ...{ differing, isSurePlace, isLargeMade: !largeFunctions.has(languageOf(unit.file)) },
      isMatter: (name) => isMatter(name) && (isSurePlace || speaksOfSecurity(name)),
    },
  );
  return isDone ? 'done' : 'named';
}

/** Where functions begin large as types do. */
const largeFunctions: ReadonlySet<string> = new Set(['go', 'csharp', 'c', 'cpp']);

/** What becomes of an error or is written to a log, and names of types and of nothing. */
const told =
  /err|wrap|log|debug|warn|message|msg|stack|trace|^(?:string|str|null|nil|none|undefined|int|bool|boolean|void|any|optional|const|final|public|static|return|new)$/i;

function isTold(name: string): boolean {
  return told.test(name);
}

const asking =
  /\b(?:if|unless|elif|elsif|while|case|when|guard|assert|require|throw|raise)\b|[!=]==?(?!>)|&&|\|\||[<>]=?\s/;
/** What Go asks after every call. */
const handedOn = /\berr\w*\s*[!=]=\s*nil/;

function decides(line: string): boolean {
  return asking.test(line) && !handedOn.test(line);
}

const passing = /^(?:get|to|into|as|from|scan|find|list|load|save|store|put|copy|with|map|new|key)(?![a-z])/i;

/** A call of something that guards, or of what is itself about security and more than passing it on. */
function acts(line: string): boolean {
  return [...line.matchAll(/([\p{L}_$][\p{L}\p{N}_$]*)\s*[!?]?(?:<[\w, ]*>)?\(/gu)].some(
    ([, called = '']) => !passing.test(called) && (guards(called) || speaksOfSecurity(called)),
  );
}

/** What prints something prints what is there. */
const printing =
  /^(?:[tT]o_?[sS]tring|[sS]tring|inspect|__str__|__repr__|[sS]et_?[lL]ogger|[pP]rint\w*|[lL]og(?!_?(?:[iI]n|[oO]ut|[oO]ff)(?![a-z]))(?:[A-Z_]\w*)?|[dD]ebug\w*|(?:[gG]et)?[hH]ash[cC]ode|__hash__|__eq__|[eE]quals)$/;

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
  if (owner.kind === 'type' || owner.kind === 'interface' || owner.kind === 'enum' || isAccessor(lines))
    return true;
  return (
    owner.kind === 'class' &&
    !lines.some(({ text }) => !/^\s*(?:\/\/|\*|#|\/\*)/.test(text) && /[=(]/.test(text))
  );
}

/** A new or a gone function that hands out a value, takes one or passes a call on. */
function isAccessor(lines: ReviewUnit['lines']): boolean {
  if (new Set(lines.map(({ kind }) => kind)).size !== 1) return false;
  const code = lines
    .map(({ text }) => text.trim())
    .filter((text) => text !== '' && !/^(?:\/\/|\/\*|\*|#|@|'''|"""|[{}]+;?$|end$)/.test(text));
  const [head = '', ...body] = code;
  if (
    !/^(?:.*\b(?:func|fun|fn|def|function)\b.*|.*\))\s*(?:[\w:>\-&<' ]*)?[{:]?$/.test(head) ||
    body.length !== 1
  )
    return false;
  return /^(?:return\s+)?(?:(?:this|self|\$this|@\w+|[a-z]\w*)(?:(?:\.|->)\w+)*(?:\(\))?|:\w+|(['"])[^'"]*\1)(?:\s*=\s*\$?\w+)?;?$/.test(
    body[0]!,
  );
}

/** Names that stand on one side more often than on the other. */
function differingNames(gone: readonly string[], here: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const name of here) counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const name of gone) counts.set(name, (counts.get(name) ?? 0) - 1);
  return [...counts].filter(([, count]) => count !== 0).map(([name]) => name);
}

/** Word for word the same, where most of each name that differs stays and what is left of it says nothing. */
function onlyRenames(gone: readonly string[], here: readonly string[]): boolean {
  if (gone.length !== here.length || gone.length === 0) return false;
  const pairs = gone.flatMap((name, at) => (name === here[at] ? [] : [[name, here[at]!] as const]));
  return pairs.length > 0 && pairs.every(([old, now]) => isCloseName(old, now));
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
