// Which names does an English text use? Words written with a capital where no sentence begins, alone or in sequence, with a title or
// a possessive, and seldom without the capital.
import type { FoundName } from './chinese-names.js';

const list = (words: string) => words.split(' ');

const title =
  '(?:Mr|Mrs|Ms|Miss|Dr|Sir|Lady|Lord|Madame|Madam|Monsieur|Captain|Colonel|Major|General|Professor|Inspector|Aunt|Uncle|Father|Mother|Sister|Brother|King|Queen|Prince|Princess|Reverend|St)\\.?';
const given = "(?:\\p{Lu}[\\p{Ll}’']*\\p{Ll}(?:-\\p{Lu}\\p{Ll}+)?)";
const initial = '(?:\\p{Lu}\\.)';
/** A title and a name, or names one after another; `de`, `of` and the like join them. */
const sequence = new RegExp(
  `(?<![\\p{L}\\p{N}’'])(?:${title}[ \\n](?:(?:de|du|von|van|la|le) )?)?(?:${initial} ?)*${given}(?:[ \\n](?:(?:de|du|von|van|la|le) )?${given}){0,2}(?![\\p{L}\\p{N}])`,
  'gu',
);
const sentenceStart = /(?:^|[.!?:;…]["”’'»)]*\s+|\n\s*\n\s*|["“‘«(—]\s*|--\s*|[_*#>]\s*)$/u;

const noNames = new Set(
  list(
    'I A An The This That These Those He She It We You They His Her Its Our Your Their My And But Or So If When While As At In On By For From With To Of No Not Yes Oh Ah Well Now Then There Here What Who Why How Where Which Chapter Part Book Volume Act Scene Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April May June July August September October November December Christmas Easter Michaelmas God Heaven Lord English French German Italian Spanish Latin Greek American British Irish Scottish Russian Chinese Sir Madam Mr Mrs Ms Miss Dr Lady Captain Colonel Major General Professor Inspector Aunt Uncle Father Mother Sister Brother King Queen Prince Princess Mamma Papa Mama Dad Mum Mom Ladyship Lordship Majesty Honour Project Gutenberg North South East West Let Do Did Is Was Are Were Have Had Has Will Would Shall Should Can Could May Might Must Never Ever All Some Any Every Each Both Such One Two Three Good Dear Poor Old Young',
  ),
);
const fewest = 3;
/** A longer form that stands for so few of the places is somebody else. */
const leastShare = 0.02;

interface Seen {
  inside: number;
  beginning: number;
}

export function englishNames(texts: readonly string[]): FoundName[] {
  const seen = new Map<string, Seen>();
  for (const text of texts) collect(text, seen);
  const lower = lowercaseCounts(texts, seen);
  const names = [...seen].filter(([name, { inside }]) => {
    if (inside < fewest) return false;
    const words = bare(name).split(' ');
    const isPlural = seen.has(name.replace(/e?s$/u, '')) && /s$/u.test(name) && !/ss$/u.test(name);
    if (isPlural && !name.includes(' ')) return false;
    return words.every((word) => (lower.get(word.toLowerCase()) ?? 0) <= inside * 0.2);
  });
  return joined(new Map(names));
}

function collect(text: string, seen: Map<string, Seen>): void {
  for (const { 0: found, index } of text.matchAll(sequence)) {
    const isBeginning = sentenceStart.test(text.slice(Math.max(0, index - 12), index));
    const said = found.replace(/\s+/gu, ' ').replace(/['’]s$/u, '');
    const name = trimmed(said);
    if (name === '' || /^I['’]/u.test(name)) continue;
    const known = seen.get(name) ?? { inside: 0, beginning: 0 };
    // A title says that it is a name wherever it stands.
    if (isBeginning && said.startsWith(name) && !isTitled(name)) known.beginning += 1;
    else known.inside += 1;
    seen.set(name, known);
  }
}

/** Without words at the beginning that only begin the sentence, and without a title that stands alone. */
function trimmed(said: string): string {
  const words = said.split(' ');
  while (words.length > 0 && noNames.has(words[0]?.replace('.', '') ?? '') && !isTitle(words[0] ?? ''))
    words.shift();
  while (words.length > 0 && noNames.has(words.at(-1)?.replace('.', '') ?? '')) words.pop();
  return words.length === 0 || words.every(isTitle) ? '' : words.join(' ');
}

const titleOnly = new RegExp(`^${title}$`, 'u');
const titleFirst = new RegExp(`^${title} `, 'u');
const isTitle = (word: string) => titleOnly.test(word);
const isTitled = (name: string) => titleFirst.test(name);
const bare = (name: string) => name.replace(titleFirst, '');

function lowercaseCounts(texts: readonly string[], seen: ReadonlyMap<string, Seen>): Map<string, number> {
  const wanted = new Set([...seen.keys()].flatMap((name) => bare(name).toLowerCase().split(' ')));
  const counts = new Map<string, number>();
  for (const text of texts)
    for (const [word] of text.matchAll(/(?<![\p{L}’'])\p{Ll}[\p{Ll}’']*/gu))
      if (wanted.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** Elizabeth and Elizabeth Bennet, Darcy and Mr. Darcy are one, where only one fits. */
function joined(names: ReadonlyMap<string, Seen>): FoundName[] {
  const owner = new Map<string, string>();
  for (const name of names.keys()) {
    const longer = [...names.keys()].filter(
      (other) => isLonger(other, name) && countOf(names, other) >= leastShare * countOf(names, name),
    );
    if (longer.length === 1 && longer[0] !== undefined) owner.set(name, longer[0]);
    else if (longer.length > 1 && !name.includes(' ')) {
      // Several bear the name: alone it means the man, or the one it is used for most by far.
      const [man, ...men] = longer.filter((other) => /^(?:Mr|Sir|Dr|Captain|Colonel|Major)\b/u.test(other));
      const [first, second] = longer.sort((a, b) => countOf(names, b) - countOf(names, a));
      if (man !== undefined && men.length === 0) owner.set(name, man);
      else if (countOf(names, first) > 4 * countOf(names, second)) owner.set(name, first ?? name);
    }
  }
  const rootOf = (name: string): string => (owner.has(name) ? rootOf(owner.get(name) ?? '') : name);
  const groups = new Map<string, string[]>();
  for (const name of names.keys()) groups.set(rootOf(name), [...(groups.get(rootOf(name)) ?? []), name]);
  return [...groups].map(([root, all]) => {
    // Without a title, where that is the usual way to say it.
    const usual = all.toSorted((a, b) => countOf(names, b) - countOf(names, a))[0] ?? root;
    const name = isTitled(root) ? usual : root;
    return { name, aliases: all.filter((each) => each !== name) };
  });
}

const countOf = (names: ReadonlyMap<string, Seen>, name: string | undefined) => {
  const { inside = 0, beginning = 0 } = names.get(name ?? '') ?? {};
  return inside + beginning;
};

function isLonger(other: string, name: string): boolean {
  if (other === name) return false;
  if (isTitled(name)) return other.startsWith(`${name} `);
  // Mrs. Joe is not Joe.
  if (other.startsWith('Mrs')) return false;
  if (isTitled(other)) return bare(other) === name;
  return other.startsWith(`${name} `) || other.endsWith(` ${name}`);
}
