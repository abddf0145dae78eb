// Every term of a text as a number, straight from its bytes: what `termsIn` says in strings, for whole trees at once. No string is made,
// so a tree of thousands of files is counted in the time git needs to hand them over.
import { ordinary, shortestPart, termsOf } from './task-words.js';

export interface HashedTerms {
  /** In their order, as often as they stand there; only until the next text is hashed. */
  readonly terms: Int32Array;
  /** Terms of names that are defined here. */
  readonly defined: readonly number[];
  /** How many words the text has. */
  readonly words: number;
}

const lower = 1;
const upper = 2;
const digit = 3;
const joint = 4;
/** The first of the two bytes of a letter beyond ASCII. */
const wide = 5;

const kinds = new Uint8Array(256);
for (let byte = 0; byte < 256; byte += 1) {
  if (byte >= 97 && byte <= 122) kinds[byte] = lower;
  else if (byte >= 65 && byte <= 90) kinds[byte] = upper;
  else if (byte >= 48 && byte <= 57) kinds[byte] = digit;
  else if (byte === 95 || byte === 36) kinds[byte] = joint;
  else if (byte >= 0xc3 && byte <= 0xdf) kinds[byte] = wide;
}

const prime = 0x01000193;
const partSeed = 0x811c9dc5 | 0;
const wholeSeed = 0x2b5d3a91;

/** The number of a term as `termsIn` writes it. */
export function hashTerm(term: string): number {
  const isWhole = term.startsWith('=');
  let hash = isWhole ? wholeSeed : partSeed;
  for (const byte of Buffer.from(isWhole ? term.slice(1) : term, 'utf8'))
    hash = Math.imul(hash ^ byte, prime);
  return hash;
}

/** What undoes a multiplication with the prime, so that the last letters of a hashed part can be taken off again. */
const inverse = inverseOf(prime);

function inverseOf(odd: number): number {
  let found = odd;
  for (let step = 0; step < 5; step += 1) found = Math.imul(found, 2 - Math.imul(odd, found));
  return found;
}

const ordinaryHashes = new Set([...ordinary].map(hashTerm));
const definers = new Set(
  'function class interface type const let var def func fn fun struct enum trait impl module object record'
    .split(' ')
    .map(hashTerm),
);
const longestDefiner = 9;

/** Most hashes are in neither set: a look here spares the look there. */
const sieve = new Uint8Array(1 << 14);
const sieved = sieve.length - 1;
for (const hash of [...ordinaryHashes, ...definers]) sieve[hash & sieved] = 1;

// Filled anew by every call; nothing waits in between.
let found = new Int32Array(1 << 16);
let count = 0;
/** Where the last part of the word just hashed begins, and its hash. */
let lastFrom = 0;
let lastHash = 0;

export function hashTerms(bytes: Uint8Array): HashedTerms {
  if (found.length < bytes.length + 16) found = new Int32Array(bytes.length * 2 + 16);
  count = 0;
  const defined: number[] = [];
  let words = 0;
  /** The word before announced a definition, and nothing but blanks or a receiver stands between. */
  let isAnnounced = false;
  let at = 0;
  while (at < bytes.length) {
    const byte = bytes[at]!;
    const kind = kinds[byte]!;
    if (kind !== 0 && kind !== digit) {
      const before = count;
      const end = hashWord(bytes, at);
      words += 1;
      if (isAnnounced) for (let term = before; term < count; term += 1) defined.push(found[term]!);
      isAnnounced = end - at <= longestDefiner && end - at > 1 && isDefiner(bytes, at, end);
      at = end;
    } else if (byte >= 0xe3 && isPairing(bytes, at)) {
      at = hashPairs(bytes, at);
      isAnnounced = false;
    } else {
      if (isAnnounced && byte !== 32 && byte !== 9) {
        if (byte === 40) at = endOfReceiver(bytes, at);
        else isAnnounced = false;
      }
      at += 1;
    }
  }
  return { terms: found.subarray(0, count), defined, words };
}

function isDefiner(bytes: Uint8Array, start: number, end: number): boolean {
  const hash = lastFrom === start ? lastHash : hashPart(bytes, start, end);
  return sieve[hash & sieved] === 1 && definers.has(hash);
}

/** Adds the terms of the identifier that begins here, and says where it ends. */
function hashWord(bytes: Uint8Array, start: number): number {
  const before = count;
  let whole = wholeSeed;
  let part = partSeed;
  let from = start;
  let last = 0;
  let hasDigit = false;
  let at = start;
  for (; at < bytes.length; at += 1) {
    const byte = bytes[at]!;
    const kind = kinds[byte]!;
    if (kind === lower) {
      whole = Math.imul(whole ^ byte, prime);
      part = Math.imul(part ^ byte, prime);
    } else if (kind === upper) {
      whole = Math.imul(whole ^ (byte | 32), prime);
      if (last === lower || (last === upper && kinds[bytes[at + 1] ?? 0] === lower)) {
        if (at - from >= shortestPart) addPart(bytes, { from, to: at, hash: part, before });
        from = at;
        part = partSeed;
      }
      part = Math.imul(part ^ (byte | 32), prime);
    } else if (kind === 0) break;
    else if (kind === wide) return hashWideWord(bytes, start, before);
    else {
      if (kind === digit) {
        whole = Math.imul(whole ^ byte, prime);
        hasDigit = true;
      }
      if (at - from >= shortestPart) addPart(bytes, { from, to: at, hash: part, before });
      from = at + 1;
      part = partSeed;
    }
    last = kind;
  }
  if (at - from >= shortestPart) addPart(bytes, { from, to: at, hash: part, before });
  if (count - before > 1 || (hasDigit && hasLetter(bytes, start, at))) {
    found[count] = whole;
    count += 1;
  }
  lastFrom = from;
  lastHash = part;
  return at;
}

function hasLetter(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    const kind = kinds[bytes[at]!]!;
    if (kind === lower || kind === upper) return true;
  }
  return false;
}

/** Letters beyond ASCII are rare in code; their words take the way of strings. */
function hashWideWord(bytes: Uint8Array, start: number, before: number): number {
  let end = start;
  while (end < bytes.length && kinds[bytes[end]!] !== 0) end += kinds[bytes[end]!] === wide ? 2 : 1;
  count = before;
  const word = Buffer.from(bytes.buffer, bytes.byteOffset + start, Math.min(end, bytes.length) - start);
  for (const term of termsOf(word.toString('utf8'))) {
    found[count] = hashTerm(term);
    count += 1;
  }
  lastFrom = end;
  return end;
}

interface WordPart {
  readonly from: number;
  readonly to: number;
  readonly hash: number;
  /** Where the terms of its word begin. */
  readonly before: number;
}

/** A part that is ordinary or short, or that the identifier has already, adds nothing. */
function addPart(bytes: Uint8Array, { from, to, hash: whole, before }: WordPart): void {
  if (sieve[whole & sieved] === 1 && ordinaryHashes.has(whole)) return;
  const hash = to - from > 4 ? stemHash(bytes, from, to, whole) : whole;
  for (let at = before; at < count; at += 1) if (found[at] === hash) return;
  found[count] = hash;
  count += 1;
}

/** As `stem` does it: without its ending, an e before that too, and a y for ies. */
function stemHash(bytes: Uint8Array, from: number, to: number, whole: number): number {
  const ending = endingLength(bytes, to, to - from);
  const isPlural = ending === 3 && bytes[to - 1]! !== 103 && bytes[to - 1]! !== 71;
  let end = to - ending;
  if (!isPlural && end - from > 4 && (bytes[end - 1]! | 32) === 101) end -= 1;
  let hash = whole;
  for (let at = to - 1; at >= end; at -= 1) hash = Math.imul(hash, inverse) ^ (bytes[at]! | 32);
  return isPlural ? Math.imul(hash ^ 121, prime) : hash;
}

function hashPart(bytes: Uint8Array, from: number, to: number): number {
  let hash = partSeed;
  for (let at = from; at < to; at += 1) hash = Math.imul(hash ^ (bytes[at]! | 32), prime);
  return hash;
}

/** As `stem` does it: ing, ies, ed, es, s. */
function endingLength(bytes: Uint8Array, to: number, length: number): number {
  const last = bytes[to - 1]! | 32;
  const second = bytes[to - 2]! | 32;
  if (last === 103) return length > 6 && second === 110 && (bytes[to - 3]! | 32) === 105 ? 3 : 0;
  if (last === 100) return length > 5 && second === 101 ? 2 : 0;
  if (last !== 115) return 0;
  if (second !== 101) return 1;
  if (length > 6 && (bytes[to - 3]! | 32) === 105) return 3;
  return length > 5 ? 2 : 1;
}

/** East Asian text has no blanks between its words: every pair of neighbours is a term. */
function isPairing(bytes: Uint8Array, at: number): boolean {
  const byte = bytes[at]!;
  if (byte < 0xe3 || byte > 0xed || at + 2 >= bytes.length) return false;
  const second = bytes[at + 1]!;
  return byte === 0xe3 ? second >= 0x81 : byte !== 0xed || second <= 0x9f;
}

function hashPairs(bytes: Uint8Array, start: number): number {
  let at = start;
  while (isPairing(bytes, at + 3)) {
    let hash = partSeed;
    for (let each = at; each < at + 6; each += 1) hash = Math.imul(hash ^ bytes[each]!, prime);
    found[count] = hash;
    count += 1;
    at += 3;
  }
  return at + 3;
}

const longestReceiver = 80;

function endOfReceiver(bytes: Uint8Array, open: number): number {
  const end = Math.min(bytes.length, open + longestReceiver);
  for (let at = open; at < end; at += 1) {
    if (bytes[at] === 41) return at;
    if (bytes[at] === 10) break;
  }
  return open;
}
