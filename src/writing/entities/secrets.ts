// What must not be told yet at this place of the story, and which of it does a text tell? One answer for prompts and for the judge.
import type { Entity } from '../../store/tables/entities.js';
import { datedEntity } from './dated-entity.js';
import { noNumbering } from './story-numbering.js';
import {
  type PreparedSecret,
  prepareSecret,
  type SecretStatement,
  sentencesOf,
  toldInSentence,
} from './told-secret.js';

export interface OpenSecret extends SecretStatement {
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
