// Does a line do something to secrets, identity, permission or encryption? It decides (who is let in, whether something is valid),
// acts (verifies, signs, encrypts, revokes) or sets (a name about security gets a value right here). Heads of functions do nothing.
import { decidesAccess, guards, holdsAgainst, speaksOfSecurity, tellsOf } from './security-words.js';
import { namesOf } from './spoken-code.js';

interface Deeds {
  /** What the changed function is called. */
  readonly own: string;
  /** It came or went, and guards something. */
  readonly isWhole: boolean;
  /** Nothing but the text of strings changed. */
  readonly isText: boolean;
  /** Names that stand on one side more often than on the other. */
  readonly differing: ReadonlySet<string>;
  isMatter(name: string): boolean;
}

/** What both sides say alike, but for braces and the place, was done before. */
export function onOneSide(old: readonly string[], now: readonly string[]): string[] {
  const bare = (line: string) => line.replace(/[\s{};]/g, '').replace(/^else(?=if)/, '');
  const only = (lines: readonly string[], others: readonly string[]) => {
    const said = new Set(others.map(bare));
    return lines.filter((line) => !said.has(bare(line)));
  };
  return [...only(old, now), ...only(now, old)];
}

export function doesSecurity(lines: readonly string[], deeds: Deeds): boolean {
  const { own, isWhole, isText, differing } = deeds;
  const isFresh = (names: readonly string[]) =>
    differing.size === 0 || names.some((name) => differing.has(name));
  const isMatter = (name: string) => deeds.isMatter(name) && !tellsOf(name);
  // A function that calls the one of its own name only passes on what it was given.
  const calls = (line: string) => calledIn(line).filter((name) => name !== own);
  const doing = lines.filter((line) => line.length <= longestLine && !fails.test(line));
  if (isWhole && isDecisive(own) && doing.some((line) => asks(line) || calls(line).some(isDecisive)))
    return true;
  return doing.some((line) => {
    if (!isFresh(namesOf(line))) return false;
    const names = namesOf(line).filter(isMatter);
    if (sets(line, isMatter)) return true;
    // Something else that is handed to the same deed leaves the deed as it was.
    if (calls(line).some((name) => isDoneTo(name, names) && isFresh([name, ...names]))) return true;
    return !isText && decidesOn(line, isMatter);
  });
}

/** What is longer was written by a machine. */
const longestLine = 2000;

/** What is thrown, logged or answered on failure tells of a deed; it is none. */
const fails =
  /^\s*(?:throw|raise|log|logger|logging|slog|console|print\w*|debug|warn|error)\b|\b(?:Error|Exception)\s*\(|\.failure\(/;

/** A function called after a deed of security alone, or after another deed and what it is done to. */
function isDecisive(name: string): boolean {
  return decidesAccess(name) || (guards(name) && speaksOfSecurity(name));
}

const called = /(?<!\bnew\s+)(?<![\p{L}\p{N}_$])([\p{L}_$][\p{L}\p{N}_$]*)\s*[!?]?(?:<[\w, ]*>)?\(/gu;
const passing =
  /^(?:get|set|to|into|as|from|scan|find|list|load|save|store|put|copy|with|map|new|key|parse|is)(?![a-z])/i;
/** Types are made, not called; in C# and Go functions are written like them. */
const made =
  /^\p{Lu}\p{L}*(?:Error|Exception|Info|Data|Type|Response|Request|Result|Spec|Builder|Config|Options|Manager|Challenge)$/u;

/** To lead to a deed (`bounceToLogin`) is another one. */
const goal = /(?<=[a-z])To\p{Lu}.*$|_to_.*$/u;

function calledIn(line: string): string[] {
  return [...line.matchAll(called)]
    .map(([, name = '']) => name.replace(goal, ''))
    .filter((name) => !passing.test(name) && !made.test(name));
}

function isDoneTo(called: string, names: readonly string[]): boolean {
  if (isDecisive(called)) return speaksOfSecurity(called) || names.some((name) => name !== called);
  return holdsAgainst(called) && names.some((name) => name !== called && speaksOfSecurity(name));
}

const asking =
  /\b(?:if|unless|elif|elsif|while|guard|assert|require)\b|[!=]==?(?![>=])|&&|\|\||\s[<>]=?\s|\breturn\b.*\s(?:and|or|not|in)\s/;

function asks(line: string): boolean {
  return asking.test(withoutPresence(line));
}

/** Whether something is there at all is asked of everything; what is done then stands behind the condition. */
function withoutPresence(line: string): string {
  return line
    .replace(/^(.*?\b(?:if|while|elsif|unless)\s*\((?:[^()]|\([^()]*\))*\)).*$/, '$1')
    .replace(
      /!?(?:[\w.]+\.)?(?:IsNullOr\w+|hasText|isset|empty|blank\?|present\?|nil\?|is(?:Not)?(?:Empty|Blank|Null))\s*\([^()]*\)/g,
      '',
    )
    .replace(/\b(?:if|while|guard)\s+(?:let|var|case)\b[^,&|]*?=(?!=)/g, '')
    .replace(/[\w.?>()[\]-]+(?:\.is_?(?:none|some|empty|ok|err|null|present|blank)\b(?:\(\))?)/gi, '')
    .replace(
      /[\w.?>()[\]-]+\s*(?:[!=]==?|\bis(?:\s+not)?)\s*(?:null|nil|None|undefined|nullptr|NULL|''|0)(?![\w.])/g,
      '',
    )
    .replace(/\b(?:if|while|guard)\s+(?:let|var)\s+\w+\s*(?=[{,])/g, '')
    .replace(
      /(?:\$?[\w.>-]+\s+)?\b(?:instanceof|is)\s+[\w.\\]+|\bas[?!]?\s+[\w.\\]+|\b[\w\\]+::class\b|\b\p{Lu}\w*\.(?:self|class)\b/gu,
      '',
    )
    .replace(
      /\b(?:is_(?:array|string|null|int|object|a|callable|numeric)|isinstance|issubclass)\s*\([^()]*\)|\btypeof\s+\S+/g,
      '',
    );
}

/** A condition in which something of security is held against something, or asked whether it is so. */
function decidesOn(line: string, isMatter: (name: string) => boolean): boolean {
  const rest = withoutPresence(line);
  return asking.test(rest) && namesOf(rest).some((name) => name !== 'guard' && isMatter(name));
}

const given =
  /([\p{L}_$][\p{L}\p{N}_$]*)['"]?\s*(?:[:=]>?|(?<=#\s*define\s.*))\s*(?:''|true\b|false\b|True\b|False\b|\d|[A-Z][A-Z_\d]{2,}\b)/gu;

/** A name about security that is given a value right here. */
export function sets(line: string, isMatter: (name: string) => boolean): boolean {
  return [...line.matchAll(given)].some(([, name = '']) => isMatter(name));
}
