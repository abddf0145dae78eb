// The exact number of tokens of any text, in linear time. Merging is quadratic in the longest pre-token, so pre-tokens are
// found here and counted one by one: the long ones in windows, the short ones, which recur, from memory.

import { codePointBorder } from '../../core/model/code-points.js';
import type { Encoder, EncodingName } from './encoder.js';
import { preTokenEnd } from './pre-token.js';

const longRun = 512;
const rememberedLength = 32;
const rememberedPieces = 50_000;

export function createTokenCounter(encoding: EncodingName, encoder: Encoder): (text: string) => number {
  const countPiece = createPieceCounter(encoder);
  return (text) => {
    let total = 0;
    for (let start = 0; start < text.length; ) {
      const end = preTokenEnd(text, start, encoding);
      total += countPiece(text.slice(start, end));
      start = end;
    }
    return total;
  };
}

/** Counts pre-tokens, however they were found. A plain map that starts anew: pieces come by the million, and most are a few words. */
export function createPieceCounter(encoder: Encoder): (piece: string) => number {
  const counts = new Map<string, number>();
  return (piece) => {
    if (piece.length > longRun) return countLongRun(piece, encoder);
    if (piece.length > rememberedLength) return encoder.merge(piece).length;
    let count = counts.get(piece);
    if (count === undefined) {
      count = encoder.merge(piece).length;
      if (counts.size >= rememberedPieces) counts.clear();
      // A slice would keep the whole text in memory.
      counts.set(ownCopy(piece), count);
    }
    return count;
  };
}

/** Of a short text. */
function ownCopy(text: string): string {
  const units: number[] = [];
  for (let index = 0; index < text.length; index += 1) units.push(text.charCodeAt(index));
  return String.fromCharCode(...units);
}

const firstWidth = 64;
const overlap = 4;

interface Restart {
  readonly token: number;
  readonly index: number;
}

/**
 * The exact cost of one very long pre-token in linear time. A sequence of tokens is the encoding exactly when every
 * two neighbours encode to themselves, so overlapping windows may be spliced at any token they share.
 */
export function countLongRun(text: string, encoder: Encoder): number {
  let total: number | undefined;
  for (let width = firstWidth; total === undefined; width *= 4) total = countInWindows(text, encoder, width);
  return total;
}

/** Undefined where two windows shared no token: then the windows were too short. */
function countInWindows(text: string, encoder: Encoder, width: number): number | undefined {
  const seen = new Map<string, ArrayLike<number>>();
  const merge = (from: number, to: number): ArrayLike<number> => {
    const slice = text.slice(from, to);
    const known = seen.get(slice);
    if (known !== undefined) return known;
    const tokens = encoder.merge(slice);
    if (seen.size < 256) seen.set(slice, tokens);
    return tokens;
  };
  let end = windowEnd(text, 0, width);
  let tokens = merge(0, end);
  let total = 0;
  let counted = 0;
  while (end < text.length) {
    const restart = restartBefore(text, end, { encoder, tokens, counted });
    if (restart === undefined) return undefined;
    const nextEnd = windowEnd(text, restart.index, width);
    const next = merge(restart.index, nextEnd);
    const shared = firstShared(tokens, restart.token, { next, encoder });
    if (shared === undefined || nextEnd <= end) return undefined;
    total += shared.mine - counted;
    counted = shared.theirs;
    tokens = next;
    end = nextEnd;
  }
  return total + tokens.length - counted;
}

function windowEnd(text: string, start: number, width: number): number {
  return start + width >= text.length ? text.length : codePointBorder(text, start + width);
}

/** The last token border, some tokens before the end of the window, that does not split a character. */
function restartBefore(
  text: string,
  end: number,
  window: { encoder: Encoder; tokens: ArrayLike<number>; counted: number },
): Restart | undefined {
  const { encoder, tokens, counted } = window;
  let index = end;
  let textBytes = 0;
  let tokenBytes = 0;
  for (let token = tokens.length - 1; token > counted; token -= 1) {
    tokenBytes += encoder.bytesOf(tokens[token]!);
    while (textBytes < tokenBytes) {
      index = codePointBorder(text, index - 1);
      textBytes += utf8Bytes(text.codePointAt(index)!);
    }
    if (textBytes === tokenBytes && tokens.length - token >= overlap) return { token, index };
  }
  return undefined;
}

function utf8Bytes(point: number): number {
  if (point < 0x80) return 1;
  if (point < 0x800) return 2;
  return point < 0x10000 ? 3 : 4;
}

/** How many tokens of either window lie before the end of the first token that both have in the same place. */
function firstShared(
  tokens: ArrayLike<number>,
  from: number,
  other: { next: ArrayLike<number>; encoder: Encoder },
): { mine: number; theirs: number } | undefined {
  const { next, encoder } = other;
  let mine = from;
  let theirs = 0;
  let ahead = 0;
  while (mine < tokens.length && theirs < next.length) {
    if (ahead === 0 && tokens[mine] === next[theirs]) return { mine: mine + 1, theirs: theirs + 1 };
    if (ahead <= 0) {
      ahead += encoder.bytesOf(tokens[mine]!);
      mine += 1;
    } else {
      ahead -= encoder.bytesOf(next[theirs]!);
      theirs += 1;
    }
  }
  return undefined;
}
