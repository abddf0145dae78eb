// What goes into an index, and what is asked of it. A question asks by pairs; a lone character is asked for by itself,
// which finds it because the index holds the single characters too.

/** In order of appearance, with repetitions. */
export function termsOf(text: string): string[] {
  return tokensOf(text).map((token) => token.term);
}

/** Distinct, in order of appearance; words that only make it a question are left out where anything else remains. */
export function queryTermsOf(query: string): string[] {
  const tokens = tokensOf(query).filter((token) => token.kind !== 'single' || token.alone === true);
  const terms = [...new Set(tokens.map((token) => token.term))];
  const telling = terms.filter((term) => questionDamping(term) === 1);
  return telling.length > 0 ? telling : terms;
}

// Which searchable things stand where in a text? Pairs of characters for scripts without spaces (with the single characters
// beside them), folded and stemmed words for the others. Width, case and Latin accents are folded away.
export interface Token {
  readonly term: string;
  /** `single` characters stand beside the pairs that hold them and weigh less. */
  readonly kind: 'word' | 'pair' | 'single';
  /** Half-open, in code units of the given text. */
  readonly start: number;
  readonly end: number;
  /** Running number of the word or pair; a single shares that of the pair it begins. */
  readonly place: number;
  /** The character stands alone between other scripts or punctuation. */
  readonly alone?: boolean;
}

const spaceless = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}ー々\\uff70';
const runs = new RegExp(`[${spaceless}]+|(?:(?![${spaceless}])[\\p{L}\\p{N}\\p{M}])+`, 'gu');
const isSpaceless = new RegExp(`^[${spaceless}]`, 'u');
const accents = /[\u0300-\u036f]/g;

/** In order of appearance; with `wanted`, only those whose terms are among them. */
export function tokensOf(text: string, wanted?: Terms): Token[] {
  const tokens: Token[] = [];
  const into: Collecting = { tokens, wanted, first: wanted && firstCharacters(wanted) };
  let place = 0;
  for (const match of text.matchAll(runs)) {
    const run = match[0];
    if (isSpaceless.test(run)) place = addCharacters(into, run, { start: match.index, place });
    else place = addWords(into, run, { start: match.index, place });
  }
  return tokens;
}

type Terms = ReadonlyMap<string, unknown>;

interface Collecting {
  readonly tokens: Token[];
  readonly wanted: Terms | undefined;
  /** With which wanted terms begin: most characters of a text begin none, and are passed over for the price of a look. */
  readonly first: ReadonlySet<number> | undefined;
}

const knownFirst = new WeakMap<Terms, ReadonlySet<number>>();

function firstCharacters(terms: Terms): ReadonlySet<number> {
  const known = knownFirst.get(terms);
  if (known !== undefined) return known;
  const first = new Set<number>();
  for (const term of terms.keys()) first.add(term.codePointAt(0) ?? 0);
  knownFirst.set(terms, first);
  return first;
}

function foldWord(word: string): string {
  const folded = word.normalize('NFKC').toLowerCase();
  return /[\u0080-\uffff]/.test(folded)
    ? folded.normalize('NFD').replace(accents, '').normalize('NFC')
    : folded;
}

interface Spot {
  readonly start: number;
  readonly place: number;
}

function addCharacters({ tokens, wanted, first }: Collecting, run: string, { start, place }: Spot): number {
  // Most runs are folded already, and one look at all of it is much cheaper than one at each.
  const isFolded = run.normalize('NFKC') === run;
  const fold = (from: number, to: number) =>
    isFolded ? run.slice(from, to) : run.slice(from, to).normalize('NFKC');
  const add = (token: Token) => {
    if (wanted === undefined || wanted.has(token.term)) tokens.push(token);
  };
  const count = countCharacters(run);
  let index = 0;
  for (let unit = 0; unit < run.length; index += 1) {
    const end = unit + widthAt(run, unit);
    if (first === undefined || !isFolded || first.has(run.codePointAt(unit) ?? 0)) {
      const at = place + Math.min(index, Math.max(0, count - 2));
      const term = fold(unit, end);
      const single = { term, kind: 'single', start: start + unit, end: start + end, place: at } as const;
      add(count === 1 ? { ...single, alone: true } : single);
      if (end < run.length) {
        const next = end + widthAt(run, end);
        const pair = isFolded ? run.slice(unit, next) : term + fold(end, next);
        add({ term: pair, kind: 'pair', start: start + unit, end: start + next, place: at });
      }
    }
    unit = end;
  }
  return place + Math.max(1, count - 1);
}

function countCharacters(text: string): number {
  let count = 0;
  for (let unit = 0; unit < text.length; unit += widthAt(text, unit)) count += 1;
  return count;
}

/** Code units of the character that begins there. */
function widthAt(text: string, unit: number): number {
  return (text.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1;
}

function addWords({ tokens, wanted }: Collecting, run: string, { start, place }: Spot): number {
  const end = start + run.length;
  // Compatibility folding can split a run, as in a vulgar fraction.
  const words = foldWord(run).match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  words.forEach((word, index) => {
    const term = stem(word);
    if (wanted === undefined || wanted.has(term))
      tokens.push({ term, kind: 'word', start, end, place: place + index });
  });
  return place + words.length;
}

// Which word is meant? A light English stemmer: inflection and the commonest derivations, nothing clever.
// Equal words get equal stems; a stem need not be a word.
const vowel = /[aeiouy]/;
const derivations: readonly [RegExp, number][] = [
  [/(ance|ence|able|ible|ness|ment)$/, 4],
  [/(ion|ity|ive|ous|ful)$/, 3],
  [/(er|or|al|ic)$/, 2],
];

export function stem(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
  return withoutEnding(withoutDerivation(withoutInflection(withoutPlural(word))));
}

function withoutPlural(word: string): string {
  if (/ies$/.test(word) && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(ss|x|ch|sh|z)es$/.test(word)) return word.slice(0, -2);
  return /s$/.test(word) && !/(ss|us|is)$/.test(word) ? word.slice(0, -1) : word;
}

function withoutInflection(word: string): string {
  if (/ied$/.test(word) && word.length > 4) return `${word.slice(0, -3)}y`;
  for (const ending of ['ing', 'ed']) {
    const rest = word.slice(0, -ending.length);
    if (word.endsWith(ending) && rest.length > 2 && vowel.test(rest)) return undoubled(rest);
  }
  return /ly$/.test(word) && word.length > 5 ? word.slice(0, -2) : word;
}

function undoubled(word: string): string {
  return /([bdfgmnprt])\1$/.test(word) ? word.slice(0, -1) : word;
}

function withoutDerivation(word: string): string {
  if (/ation$/.test(word) && word.length > 7) return word.slice(0, -3);
  for (const [ending, length] of derivations) {
    if (ending.test(word) && word.length > length + 3) return word.slice(0, -length);
  }
  return word;
}

function withoutEnding(word: string): string {
  const bare = /e$/.test(word) && word.length > 4 ? word.slice(0, -1) : word;
  return /y$/.test(bare) && bare.length > 3 ? `${bare.slice(0, -1)}i` : bare;
}

// Words that make a question a question, or hold a sentence together, say little about where the answer stands.
const chinesePairs =
  '什么 哪些 哪个 哪里 哪位 哪一 哪种 哪年 多少 怎么 怎样 如何 为何 为什 几个 谁是 是谁 么时 时候 何时 是什 么是 是哪 有哪 有什 么样 样的'.split(
    ' ',
  );
const chineseSingles = [...'的是了在有和与之于为么吗呢哪几谁什'];
const english =
  'what which who whom whose when where why how many much did do does is was were are be been the a an of in to for on by with that as at from it its and or'.split(
    ' ',
  );

const damping: ReadonlyMap<string, number> = new Map([
  ...chinesePairs.map((pair) => [pair, 0.3] as const),
  ...chineseSingles.map((single) => [single, 0.2] as const),
  ...english.map((word) => [stem(word), 0.3] as const),
]);

const question =
  /什么|哪|多少|怎么|怎样|如何|为何|何[时地人]|几|谁|多[大长高久远]|\b(?:what|which|who|whom|whose|when|where|why|how)\b/i;

/** 1 for ordinary terms, less for question words and function words. */
export function questionDamping(term: string): number {
  return damping.get(term) ?? 1;
}

/** The code unit around which a question asks, or undefined for plain text. */
export function questionFocus(query: string): number | undefined {
  const match = question.exec(query);
  return match === null ? undefined : match.index + match[0].length / 2;
}
