// Does a line do something to secrets, identity, permission or encryption? It decides (who is let in, whether something is valid),
// acts (verifies, signs, encrypts, revokes) or sets (a name about security gets a value right here). Heads of functions do nothing.
import type { ActingLine } from './security-lines.js';
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
  /** The place is about security, whatever its names say. */
  readonly isSurePlace: boolean;
  /** Here names of functions begin small, so that what begins large and is called is made. */
  readonly isLargeMade: boolean;
  isMatter(name: string): boolean;
}

interface Sides {
  readonly old: readonly ActingLine[];
  readonly now: readonly ActingLine[];
}

/** What is longer was written by a machine. */
const longestLine = 2000;

/** What both sides say alike, but for braces and the place, was done before. */
function onOneSide({ old, now }: Sides): Sides {
  const bare = ({ code }: ActingLine) => code.replace(/[\s{};]/g, '').replace(/^else(?=if)/, '');
  const only = (lines: readonly ActingLine[], others: readonly ActingLine[]) => {
    const said = new Set(others.map(bare));
    return lines.filter((line) => line.code.length <= longestLine && !said.has(bare(line)));
  };
  return { old: only(old, now), now: only(now, old) };
}

export function doesSecurity(both: Sides, deeds: Deeds): boolean {
  const { own, isWhole, isText, differing, isSurePlace, isLargeMade } = deeds;
  const sides = onOneSide(both);
  if (isRenamed(sides) || isRewritten(sides)) return false;
  const isFresh = (names: readonly string[]) =>
    differing.size === 0 || names.some((name) => differing.has(name));
  const isMatter = (name: string) => deeds.isMatter(name) && !tellsOf(name);
  // A function that calls the one of its own name only passes on what it was given.
  const calls = (line: string) =>
    calledIn(line).filter((name) => name !== own && !(isLargeMade && /^\p{Lu}\p{L}*\p{Ll}/u.test(name)));
  const lines = [...sides.old, ...sides.now];
  const doing = lines.filter(({ code }) => !fails.test(code));
  if (isWhole && isDecisive(own) && doing.some(({ code }) => asks(code) || calls(code).some(isDecisive)))
    return true;
  const told = new Map<string, number>();
  for (const { code } of lines)
    for (const given of valuesIn(code)) told.set(textOf(given), (told.get(textOf(given)) ?? 0) + 1);
  const isGiven = (given: Given) =>
    isMatter(given.name) &&
    (isSurePlace || isOfSeveralWords(given.name)) &&
    // What has the same value on both sides was only written in another way.
    told.get(textOf(given)) === 1;
  return doing.some(({ code, turnsAway }) => {
    if (!isFresh(namesOf(code))) return false;
    const names = namesOf(code).filter(isMatter);
    if (valuesIn(code).some(isGiven)) return true;
    // Something else that is handed to the same deed leaves the deed as it was.
    if (calls(code).some((name) => isDoneTo(name, names) && isFresh([name, ...names]))) return true;
    // A condition that turns nobody away decides what is shown or kept, as conditions everywhere do.
    return !isText && decidesOn(code, isMatter) && turnsAway();
  });
}

const forms = new Set(
  'if else elif elsif then end do begin return true false let var const guard is and or'.split(' '),
);

/** The same names, values and comparisons in another form: a condition behind what it is for, a field that is asked for by a call. */
function isRewritten({ old, now }: Sides): boolean {
  if (old.length === 0 || now.length === 0) return false;
  const [before, after] = [old, now].map((lines) => {
    const code = lines.map((line) => line.code).join('\n');
    const names = namesOf(code).filter((name) => !forms.has(name));
    return [...names, ...valuesIn(code).map(textOf), ...(code.match(/[=!]==?(?!>)|!|[<>]=?(?=\s)/g) ?? [])]
      .sort()
      .join(' ');
  });
  return before === after;
}

/** Word for word the same, where one or two names became others, each of them several times. */
function isRenamed({ old, now }: Sides): boolean {
  const [before, after] = [old, now].map((lines) => lines.map(({ code }) => code).join('\n')) as [
    string,
    string,
  ];
  const [gone, here] = [namesOf(before), namesOf(after)];
  const others = (code: string) => code.replace(/[\p{L}\p{N}_$]+|\s+/gu, '');
  if (gone.length !== here.length || gone.length === 0 || others(before) !== others(after)) return false;
  const pairs = gone.flatMap((name, at) => (name === here[at] ? [] : [`${name} ${here[at]}`]));
  const distinct = new Set(pairs);
  return distinct.size > 0 && distinct.size <= 2 && pairs.length >= 2 * distinct.size;
}

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
  /^\p{Lu}\p{L}*(?:Error|Exception|Info|Data|Type|Response|Request|Result|Spec|Builder|Config|Options|Manager|Challenge|Transaction)$/u;

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
  /\b(?:if|unless|elif|elsif|while|assert|require)\b|^\s*guard\s|[!=]==?(?![>=])|&&|\|\||\s[<>]=?\s|\breturn\b.*\s(?:and|or|not|in)\s/;

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
  /([\p{L}_$][\p{L}\p{N}_$]*)['"]?\s*(?:[:=]>?|(?<=#\s*define\s.*))\s*(''|true\b|false\b|True\b|False\b|\d[\w.]*|[A-Z][A-Z_\d]{2,}\b(?!\s*[.(]))/gu;

/** A name about security that is given a value right here. */
export function sets(line: string, isMatter: (name: string) => boolean): boolean {
  return [...line.matchAll(given)].some(([, name = '']) => isMatter(name));
}

interface Given {
  readonly name: string;
  readonly value: string;
}

/** Texts are names, labels and addresses; switches and numbers say how much is allowed. */
function valuesIn(line: string): Given[] {
  return [...line.matchAll(given)].flatMap(([, name = '', value = '']) =>
    value === "''" ? [] : [{ name, value }],
  );
}

function textOf({ name, value }: Given): string {
  return `${name}=${value}`;
}

function isOfSeveralWords(name: string): boolean {
  return /[a-z0-9][A-Z_]|_[a-z]/.test(name);
}
