// The press's hash port: SHA-256 of the UTF-8 bytes, lowercase hexadecimal. Node has a fast one; it is asked for rather than
// imported, so that the assemblers also bundle for a browser.
import type { Hash } from '../core/model/press.js';

const { process: node }: { readonly process?: Partial<NodeJS.Process> } = globalThis;
const fast = node?.getBuiltinModule?.('node:crypto').hash;

export const hashText: Hash = fast === undefined ? sha256 : (text) => fast('sha256', text, 'hex');

const utf8 = new TextEncoder();
const initial = Uint32Array.of(
  0x6a09e667,
  0xbb67ae85,
  0x3c6ef372,
  0xa54ff53a,
  0x510e527f,
  0x9b05688c,
  0x1f83d9ab,
  0x5be0cd19,
);
const constants = roundConstants();

/** SHA-256 of the UTF-8 bytes of a text, for places without a synchronous one of their own: browsers and workers. */
export function sha256(text: string): string {
  const blocks = padded(utf8.encode(text));
  const state = initial.slice();
  const words = new Uint32Array(64);
  for (let at = 0; at < blocks.byteLength; at += 64) {
    for (let index = 0; index < 16; index += 1) words[index] = blocks.getUint32(at + 4 * index);
    mixIn(words, state);
  }
  return Array.from(state, (word) => word.toString(16).padStart(8, '0')).join('');
}

/** With a one bit, zeros and the length in bits behind it, to whole blocks of 64 bytes. */
function padded(bytes: Uint8Array): DataView {
  const blocks = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  blocks.set(bytes);
  blocks[bytes.length] = 0x80;
  const view = new DataView(blocks.buffer);
  view.setBigUint64(blocks.length - 8, BigInt(bytes.length) * 8n);
  return view;
}

function mixIn(words: Uint32Array, state: Uint32Array): void {
  for (let index = 16; index < 64; index += 1) {
    const early = words[index - 15]!;
    const late = words[index - 2]!;
    const first = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
    const second = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
    words[index] = words[index - 16]! + first + words[index - 7]! + second;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let index = 0; index < 64; index += 1) {
    const choice = (e & f) ^ (~e & g);
    const one = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + choice) | 0;
    const whole = (one + constants[index]! + words[index]!) | 0;
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const two = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + majority) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + whole) | 0;
    d = c;
    c = b;
    b = a;
    a = (whole + two) | 0;
  }
  [a, b, c, d, e, f, g, h].forEach((value, index) => {
    state[index]! += value;
  });
}

function turned(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

/** The first 32 bits behind the point of the cube roots of the first 64 primes. */
function roundConstants(): Uint32Array {
  const primes: number[] = [];
  for (let number = 2; primes.length < 64; number += 1)
    if (primes.every((prime) => number % prime !== 0)) primes.push(number);
  return Uint32Array.from(primes, (prime) => {
    const root = Math.cbrt(prime);
    return (root - Math.floor(root)) * 2 ** 32;
  });
}
