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
