// Numbers for words: identifiers become small integers so that files compare cheaply.

export interface Lexicon {
  readonly ids: Map<string, number>;
  readonly words: string[];
  /** Ids of the parts of each word (`parseQuery` → parse, query), filled on demand. */
  readonly parts: (readonly number[] | undefined)[];
}

export function makeLexicon(): Lexicon {
  return { ids: new Map(), words: [], parts: [] };
}

export function wordId(lexicon: Lexicon, word: string): number {
  const known = lexicon.ids.get(word);
  if (known !== undefined) return known;
  const id = lexicon.words.length;
  lexicon.ids.set(word, id);
  lexicon.words.push(word);
  return id;
}

const shortestPart = 3;

/** The lower-case parts of an identifier, itself included in lower case; empty when it has only one part as written. */
export function partsOf(lexicon: Lexicon, id: number): readonly number[] {
  const known = lexicon.parts[id];
  if (known !== undefined) return known;
  const word = lexicon.words[id] ?? '';
  const pieces = splitIdentifier(word);
  const parts = pieces.map((piece) => wordId(lexicon, `~${piece}`));
  lexicon.parts[id] = parts;
  return parts;
}

export function splitIdentifier(word: string, shortest = shortestPart): string[] {
  const pieces = word
    .replace(/([a-z0-9])([A-Z])/gu, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/gu, '$1 $2')
    .split(/[\s_$\d]+/u)
    .map((piece) => piece.toLowerCase())
    .filter((piece) => piece.length >= shortest);
  return [...new Set(pieces)];
}

const identifier = /[A-Za-z_$\u0080-\uffff][\w$\u0080-\uffff]*/gu;

export function identifiersOf(line: string): string[] {
  const found = line.match(identifier);
  return found === null ? [] : found.filter((word) => word.length > 1);
}
