// What must not be told yet at this place of the story, and which of it does a text tell? One answer for prompts and for the judge.
import type { Entity } from '../../store/tables/entities.js';
import { datedEntity } from './entity.js';
import { around, copular, isSign, isThin, plainly, type ToldPlace, type Words } from './same-statement.js';
import { noNumbering } from './story-numbering.js';
import { storyWords } from './story-words.js';

interface OpenSecret extends SecretStatement {
  readonly entityId: string;
  /** First chapter in which it may be told. */
  readonly hiddenUntil: number;
}

/** Without a place in the story every secret is kept. */
export function openSecrets(
  entities: readonly Entity[],
  storyPosition: number | undefined,
  numbering = noNumbering,
): readonly OpenSecret[] {
  return entities.flatMap((stored) => {
    const { entity } = datedEntity(stored, numbering);
    const names = [entity.name, ...entity.aliases].filter((name) => name.trim() !== '');
    return entity.secrets
      .filter(({ hiddenUntil }) => storyPosition === undefined || storyPosition < hiddenUntil)
      .map(({ text, hiddenUntil }) => ({ entityId: entity.id, names, text, hiddenUntil }));
  });
}

export function secretTold(text: string, secret: SecretStatement): boolean {
  return tells(text, [secret]).length > 0;
}

/** In the order given. */
export function tells<S extends SecretStatement>(text: string, secrets: readonly S[]): readonly S[] {
  if (secrets.length === 0) return [];
  see(text);
  // Most texts lack a sign of every secret; only the others are read sentence by sentence.
  const possible = secrets.filter((secret) => readyFor(secret).clauses.some(allSeen));
  if (possible.length === 0) return [];
  const told = new Set<S>();
  for (const sentence of sentencesOf(text)) {
    see(sentence[0]);
    for (const secret of possible) {
      const { clauses, prepared } = readyFor(secret);
      if (!told.has(secret) && clauses.some(allSeen) && toldInSentence(text, sentence, prepared).length > 0)
        told.add(secret);
    }
  }
  return possible.filter((secret) => told.has(secret));
}

function allSeen(signs: readonly number[]): boolean {
  for (const sign of signs) if (seenIn[sign] !== generation) return false;
  return true;
}

interface Ready {
  readonly prepared: PreparedSecret;
  /** Signs that a text must show to tell a clause at all. */
  readonly clauses: readonly (readonly number[])[];
}

const ready = new WeakMap<SecretStatement, Ready>();

function readyFor(secret: SecretStatement): Ready {
  const known = ready.get(secret);
  if (known !== undefined) return known;
  const prepared = prepareSecret(secret);
  const clauses = prepared.statements
    .flat()
    .map((words) => [...new Set(words.flatMap(({ key }) => signsOf(key)))]);
  const made = { prepared, clauses };
  ready.set(secret, made);
  return made;
}

const firstHan = 0x3400;
const endHan = 0xa000;
const hashed = 1 << 16;
/** In which text a sign was last seen: Han characters, and the first three and four letters of words. */
const seenIn = new Uint32Array(hashed + endHan - firstHan);
let generation = 0;

function see(text: string): void {
  generation += 1;
  let letters = 0;
  let prefix = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit >= firstHan && unit < endHan) seenIn[hashed + unit - firstHan] = generation;
    const small = unit | 0x20;
    if (small < 0x61 || small > 0x7a || unit > 0x7f) {
      letters = 0;
      prefix = 0;
      continue;
    }
    letters += 1;
    if (letters > 4) continue;
    prefix = prefix * 27 + small - 0x60;
    if (letters > 2) seenIn[prefix & (hashed - 1)] = generation;
  }
}

/** A stem may differ from its words in its last letter. */
function signsOf(key: string): number[] {
  if (!/^[a-z]/u.test(key)) {
    return [...key].flatMap((point) => {
      const unit = point.charCodeAt(0);
      return unit >= firstHan && unit < endHan ? [hashed + unit - firstHan] : [];
    });
  }
  const stem = /^[a-z]+/u.exec(key)![0];
  if (stem.length < 4) return [];
  const letters = [...stem.slice(0, stem.length > 4 ? 4 : 3)];
  return [letters.reduce((sum, letter) => sum * 27 + letter.charCodeAt(0) - 0x60, 0) & (hashed - 1)];
}

// Does a text tell a secret? Clause by clause, in other words of the same clauses: particles, tense, order of clauses, active or
// passive, who is named first do not matter. In doubt it does not: denied, asked, supposed, or of someone else is not told.
interface SecretStatement {
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
interface PreparedSecret {
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
type PlacedSentence = readonly [sentence: string, at: number];

function toldInSentence(
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

function sentencesOf(text: string): readonly PlacedSentence[] {
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
