// A task in words as what can be looked for: words by their stems, whole identifiers, and the places it names itself. A title says more
// than what follows it, a word in code more than one in prose, and a paste of any length becomes a bounded question.
import { splitIdentifier } from '../related/lexicon.js';

export interface TaskPlace {
  /** As written; a path of the repository may end with it. */
  readonly path: string;
  readonly line?: number;
}

export interface TaskWords {
  /** Stem or `=identifier`, and how much it counts. */
  readonly weights: ReadonlyMap<string, number>;
  /** Each term as the task writes it. */
  readonly written: ReadonlyMap<string, string>;
  /** Names only code has, as the task writes them: those of several parts, and a word that is the whole task. */
  readonly identifiers: ReadonlySet<string>;
  /** Files a stack trace or the text itself names, in their order. */
  readonly places: readonly TaskPlace[];
}

const maxRead = 60_000;
const maxTerms = 120;
const maxPlaces = 40;
const titleWeight = 2;
const codeWeight = 1.6;

export const ordinary: ReadonlySet<string> = new Set(
  'the a an is are was were be been to of in on at for and or not no it its this that with as by from if when then than so we you he they there here has have had do does did can could should would will may might must but into out up down about after before also more most such only just like use using used get set new old make made add added adds remove removed fix fixes fixed bug issue close closes closed see which what where how all any each other same one two describe reproduction expected actual behavior behaviour steps version please thanks http https www com github me my us vs eg ie etc am'.split(
    ' ',
  ),
);

const fenced = /```[\s\S]*?```|`[^`\n]+`/g;
/** Letters of two bytes are letters; scripts without blanks come after them. */
const identifier = /[A-Za-z_$\u00c0-\u07ff][\w$\u00c0-\u07ff]*/g;
const eastAsian = /[\u3040-\ud7ff]+/g;
const named =
  /((?:[\w@.-]+\/)*[\w@.-]+\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|rb|php|cs|c|h|cc|cpp|hpp|swift|scala|svelte|vue|dart|lua|exs?))(?:"?, line (\d+)|:(\d+)|\((\d+)|#L(\d+))?/g;

export function taskWords(task: string): TaskWords {
  const text = task.length <= maxRead ? task : `${task.slice(0, maxRead - 10_000)}\n${task.slice(-10_000)}`;
  const weights = new Map<string, number>();
  const times = new Map<string, number>();
  const add = (words: Iterable<string>, weight: number): void => {
    for (const word of words) {
      weights.set(word, Math.max(weights.get(word) ?? 0, weight));
      times.set(word, (times.get(word) ?? 0) + 1);
    }
  };
  const [title = ''] = text.trimStart().split('\n', 1);
  add(termsIn(title), titleWeight);
  for (const [code] of text.matchAll(fenced)) add(termsIn(code), codeWeight);
  add(termsIn(text), 1);
  const ranked = [...weights]
    .map(([word, weight]): [string, number] => [word, weight * (1 + Math.log(times.get(word) ?? 1))])
    .sort((a, b) => b[1] - a[1])
    .slice(0, maxTerms);
  const identifiers = identifiersIn(text);
  return { weights: new Map(ranked), written: writtenIn(text), identifiers, places: placesIn(text) };
}

function identifiersIn(text: string): Set<string> {
  const words = wordsIn(text);
  const isAlone = words.length === 1 && words[0] === text.trim();
  // Ordinary words may be parts of a name: should_set_cookie is one though only its cookie is looked for.
  return new Set(
    isAlone ? words : words.filter((word) => splitIdentifier(word, 1).length > 1 || hasDigit(word)),
  );
}

/** The words of a text as they are written, names in code among them. */
export function wordsIn(text: string): readonly string[] {
  return text.match(identifier) ?? [];
}

function writtenIn(text: string): Map<string, string> {
  const written = new Map<string, string>();
  for (const word of wordsIn(text))
    for (const term of termsOf(word)) {
      const known = written.get(term);
      if (known === undefined || (word.length < known.length && !term.startsWith('=')))
        written.set(term, word);
    }
  return written;
}

function placesIn(text: string): TaskPlace[] {
  const places = new Map<string, TaskPlace>();
  for (const [, path = '', ...lines] of text.matchAll(named)) {
    const line = lines.find((found) => found !== undefined);
    const known = places.get(path);
    if (known === undefined || (known.line === undefined && line !== undefined))
      places.set(path, line === undefined ? { path } : { path, line: Number(line) });
    if (places.size >= maxPlaces) break;
  }
  return [...places.values()];
}

/** Every term of a text, as often as it stands there. */
export function termsIn(text: string): string[] {
  const terms: string[] = [];
  for (const word of wordsIn(text)) terms.push(...termsOf(word));
  for (const run of text.match(eastAsian) ?? []) {
    const characters = [...run];
    characters.forEach((character, at) => {
      const next = characters[at + 1];
      if (next !== undefined) terms.push(character + next);
    });
  }
  return terms;
}

/** `sha256`, `s3` and `$2a`, but no number. */
const hasDigit = (word: string): boolean => /\d/.test(word) && /\p{L}/u.test(word);

const known = new Map<string, readonly string[]>();
const maxKnown = 200_000;

export const shortestPart = 2;

/** The stems of an identifier's parts, and where it has several or digits, as sha256 has, the whole of it without its joints. */
export function termsOf(word: string): readonly string[] {
  const before = known.get(word);
  if (before !== undefined) return before;
  const parts = splitIdentifier(word, shortestPart).filter((part) => !ordinary.has(part));
  const stems = [...new Set(parts.map(stem))];
  const isWhole = stems.length > 1 || hasDigit(word);
  const terms = isWhole ? [...stems, `=${word.toLowerCase().replace(/[_$]/g, '')}`] : stems;
  if (known.size >= maxKnown) known.clear();
  known.set(word, terms);
  return terms;
}

const endings = ['ing', 'ies', 'ed', 'es', 's'];

/** Expire, expires, expired and expiring are one word. */
function stem(word: string): string {
  const ending = endings.find((each) => word.length > each.length + 3 && word.endsWith(each)) ?? '';
  const bare = word.slice(0, word.length - ending.length);
  if (ending === 'ies') return `${bare}y`;
  return bare.length > 4 && bare.endsWith('e') ? bare.slice(0, -1) : bare;
}
