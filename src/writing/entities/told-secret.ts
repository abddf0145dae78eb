// Does a text tell a secret? Clause by clause, in other words of the same clauses: particles, tense, order of clauses, active or
// passive, who is named first do not matter. In doubt it does not: denied, asked, supposed, or of someone else is not told.
import { around, copular, isSign, isThin, plainly, type ToldPlace, type Words } from './same-statement.js';
import { storyWords } from './story-words.js';

export interface SecretStatement {
  readonly text: string;
  /** Everything the one it is about is called. */
  readonly names: readonly string[];
}

/** A stop behind a capital or title ends nothing: Dr. Vane. */
const sentenceEnd = /[。！？!?；;…．\n“”「」『』"]|(?<!\b(?:[A-Z]|Dr|Mr|Mrs|Ms|St|Prof))\.(?=\s|$)/g;
const clauseMarks = /[，,：:—]+|、/u;
/** Said of a time, not of anyone. */
const setting = /(?:时|时候|年|夜|天|后|前|那日|那晚)$/u;
const mostClauses = 3;

/** The clauses of a secret, ready to be looked for. */
export interface PreparedSecret {
  readonly names: readonly string[];
  readonly statements: readonly (readonly Words[])[];
}

export function prepareSecret({ text, names }: SecretStatement): PreparedSecret {
  const statements = sentencesOf(text).map(([sentence]) =>
    clausesOf(sentence, 0)
      .filter(([clause]) => !setting.test(clause.trim()))
      .map(([clause]) => storyWords(clause, names))
      .filter((words) => words.some(({ key }) => !isSign(key))),
  );
  return { names, statements: statements.filter((clauses) => clauses.length > 0) };
}

export function findTold(text: string, secret: PreparedSecret): readonly ToldPlace[] {
  return sentencesOf(text).flatMap(([sentence, at]) => toldInSentence(text, [sentence, at], secret));
}

/** A sentence and where it begins in the text. */
export type PlacedSentence = readonly [sentence: string, at: number];

export function toldInSentence(
  text: string,
  [sentence, at]: PlacedSentence,
  { names, statements }: PreparedSecret,
): readonly ToldPlace[] {
  if (/[?？]$/u.test(sentence.trim())) return [];
  if (!statements.some((statement) => statement.some((clause) => mayHold(sentence, clause)))) return [];
  const clauses = clausesOf(sentence, at).map(([clause, start]) => storyWords(clause, names, start));
  return statements.flatMap((statement) => {
    const told = statement.map((clause) => placeOf(clause, clauses, text));
    const found = told.filter((place) => place !== undefined);
    return found.length > 0 && isEnough(statement, told) ? [around(found)] : [];
  });
}

/** Cheap, and never wrong about what cannot be there: Han words stand as they are. */
function mayHold(sentence: string, clause: Words): boolean {
  return clause.every(({ key }) => !/^\p{sc=Han}/u.test(key) || sentence.includes(key));
}

/** A clause about the one it is about is enough; of the others, most of the words. */
function isEnough(statement: readonly Words[], told: readonly (ToldPlace | undefined)[]): boolean {
  const weight = (words: Words) => words.filter(({ key }) => !isSign(key)).length;
  const all = statement.reduce((sum, words) => sum + weight(words), 0);
  const found = statement.filter((_, index) => told[index] !== undefined);
  if (found.some((words) => words.some(({ key }) => key.startsWith('@')))) return true;
  return found.reduce((sum, words) => sum + weight(words), 0) * 2 >= all;
}

function placeOf(secret: Words, all: readonly Words[], text: string): ToldPlace | undefined {
  const clauses = isThin(secret)
    ? all.map((words) => words.filter(({ key, named }) => !key.startsWith('@') || named))
    : all;
  // 林远来了，也是卧底: who begins the sentence goes on through it.
  const topic = clauses[0]?.[0]?.key === '@' ? [clauses[0][0]] : [];
  for (let size = 1; size <= mostClauses; size += 1) {
    for (let first = 0; first + size <= clauses.length; first += 1) {
      const words = clauses.slice(first, first + size).flat();
      const found = secret.some(({ key }) => key === '=')
        ? copular(secret, words[0]?.key === '=' ? [...topic, ...words] : words, text)
        : plainly(secret, words, text);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

export function sentencesOf(text: string): readonly PlacedSentence[] {
  const found: PlacedSentence[] = [];
  let from = 0;
  for (const { index, 0: mark } of text.matchAll(sentenceEnd)) {
    const end = index + mark.length;
    if (index > from) found.push([text.slice(from, end), from]);
    from = end;
  }
  if (from < text.length) found.push([text.slice(from), from]);
  return found;
}

function clausesOf(sentence: string, at: number): readonly (readonly [string, number])[] {
  const clauses: [string, number][] = [];
  let from = 0;
  for (const { index, 0: mark } of sentence.matchAll(new RegExp(clauseMarks, 'gu'))) {
    clauses.push([sentence.slice(from, index), at + from]);
    from = index + mark.length;
  }
  clauses.push([sentence.slice(from), at + from]);
  return clauses.filter(([clause]) => clause.trim() !== '');
}
