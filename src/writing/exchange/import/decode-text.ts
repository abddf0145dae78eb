// Which encoding is this text in? Told by what the bytes can be at all, then by how common the characters are that they would
// say. Nothing is replaced in silence: what no encoding explains is refused, and who names one is told how much was not in it.
import { GalleyError } from '../../../core/model/error.js';

export const encodings = ['utf-8', 'gb18030', 'big5', 'utf-16le', 'utf-16be', 'windows-1252'] as const;
export type Encoding = (typeof encodings)[number];

export interface DecodedText {
  readonly text: string;
  readonly encoding: Encoding;
  /** Characters that the named encoding could not explain; U+FFFD stands in their place. */
  readonly replaced: number;
}

/** Enough to tell; the whole is decoded strictly afterwards. */
const sampled = 64 * 1024;
/** Real prose reaches 0.3 and more; bytes read in a wrong encoding stay below 0.03. */
const leastCommon = 0.12;

const common = new Set(
  '的一是不了在人有我他这这這個个们們来來上大为為和国國地到以说說时時要就出会會可也你对對生能而子那得于於着著下自之年过過发發后後作里裡裏用道行所然家种種事成方多经經么麼去法学學如都同现現当當没沒动動面起看定天分还還进進好小部其些主样樣理心她本前开開但因只从從想实實回头頭问問见見两兩手知笑听聽话話老走',
);

export function decodeText(bytes: Uint8Array, name: string, asked?: Encoding): DecodedText {
  if (asked !== undefined) return decodeAs(bytes, asked);
  const marked = byMark(bytes);
  if (marked !== undefined) return strictly(bytes, marked) ?? decodeAs(bytes, marked);
  // Two bytes for each letter put a zero beside everything Latin, and UTF-8 text holds none.
  if (!bytes.includes(0)) {
    const plain = strictly(bytes, 'utf-8');
    if (plain !== undefined) return plain;
  }
  const best = likeliest(bytes);
  const decoded = best === undefined ? undefined : strictly(bytes, best);
  if (decoded !== undefined) return decoded;
  const hint = best === undefined ? '' : `; --encoding ${best} reads it and marks what is damaged`;
  throw new GalleyError(
    'FILE_UNREADABLE',
    `${name} cannot be read: it is not text in UTF-8, GB18030, Big5 or UTF-16${hint}.`,
    { details: { path: name } },
  );
}

function byMark(bytes: Uint8Array): Encoding | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
}

function strictly(bytes: Uint8Array, encoding: Encoding): DecodedText | undefined {
  if (encoding === 'windows-1252') return { text: westernText(bytes), encoding, replaced: 0 };
  try {
    return { text: new TextDecoder(encoding, { fatal: true }).decode(bytes), encoding, replaced: 0 };
  } catch {
    return undefined;
  }
}

/** What 0x80 to 0x9f say; some versions of the platform read them as control characters. */
const westernSigns = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

function westernText(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  return text.replace(/[\x80-\x9f]/g, (sign) => westernSigns.charAt(sign.charCodeAt(0) - 0x80));
}

function decodeAs(bytes: Uint8Array, encoding: Encoding): DecodedText {
  const exact = strictly(bytes, encoding);
  if (exact !== undefined) return exact;
  const text = new TextDecoder(encoding).decode(bytes);
  return { text, encoding, replaced: text.split('\ufffd').length - 1 };
}

function likeliest(bytes: Uint8Array): Encoding | undefined {
  const sample = bytes.subarray(0, sampled);
  let best: { encoding: Encoding; score: number } | undefined;
  for (const encoding of ['gb18030', 'big5', 'utf-16le', 'utf-16be'] as const) {
    if (encoding.startsWith('utf-16') && bytes.length % 2 !== 0) continue;
    const score = plausibility(sample, encoding);
    if (score >= leastCommon && score > (best?.score ?? 0)) best = { encoding, score };
  }
  return best?.encoding ?? (isWestern(sample) ? 'windows-1252' : undefined);
}

/**
 * The share of very common characters among all that are not marks; nothing where control characters turn up. ASCII says something
 * only where it takes two bytes: one byte of it is the same in every other encoding.
 */
function plausibility(sample: Uint8Array, encoding: Encoding): number {
  // The sample may end within a character.
  const text = new TextDecoder(encoding).decode(sample, { stream: true });
  const isWide = encoding.startsWith('utf-16');
  let [others, known, odd] = [0, 0, 0];
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (isOdd(code)) odd += 1;
    else if (code < 0x80 ? isWide : !isMark(code)) {
      others += 1;
      if (code < 0x80 || common.has(character)) known += 1;
    }
  }
  return others === 0 || odd * 50 > text.length ? 0 : known / others;
}

function isOdd(code: number): boolean {
  const isControl = code < 0x20 && code !== 9 && code !== 10 && code !== 13;
  return isControl || code === 0xfffd || (code >= 0xe000 && code < 0xf900);
}

function isMark(code: number): boolean {
  return (
    (code >= 0x2010 && code < 0x2040) ||
    (code >= 0x3000 && code < 0x3040) ||
    (code >= 0xff00 && code < 0xfff0)
  );
}

/** Mostly ASCII, and the rest are accented letters and typographic quotes that stand alone or in pairs. */
function isWestern(sample: Uint8Array): boolean {
  let [letters, high, control] = [0, 0, 0];
  for (const byte of sample) {
    if (byte >= 0x80) high += 1;
    else if ((byte | 32) >= 97 && (byte | 32) <= 122) letters += 1;
    else if (byte < 0x20 && byte !== 9 && byte !== 10 && byte !== 13 && byte !== 12) control += 1;
    if ([0x81, 0x8d, 0x8f, 0x90, 0x9d].includes(byte)) return false;
  }
  return control === 0 && letters > 0 && high * 8 < letters;
}
