// How much do two remarks say the same? Shared words over all words; scripts without spaces are compared by pairs of characters.
import { normalMessage } from './normal-text.js';

export type MessageTokens = ReadonlySet<string>;

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

export function messageTokens(message: string): MessageTokens {
  const tokens = new Set<string>();
  for (const [word] of normalMessage(message).matchAll(/[\p{L}\p{N}_]+/gu)) {
    if (!unspaced.test(word)) tokens.add(word);
    else {
      const characters = [...word];
      if (characters.length === 1) tokens.add(word);
      for (let at = 0; at + 1 < characters.length; at += 1)
        tokens.add(`${characters[at]}${characters[at + 1]}`);
    }
  }
  return tokens;
}

/** From 0 to 1. */
export function messageOverlap(left: MessageTokens, right: MessageTokens): number {
  let shared = 0;
  for (const token of left) if (right.has(token)) shared += 1;
  const all = left.size + right.size - shared;
  return all === 0 ? 1 : shared / all;
}
