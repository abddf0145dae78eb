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
  try {
    return { text: new TextDecoder(encoding, { fatal: true }).decode(bytes), encoding, replaced: 0 };
  } catch {
    return undefined;
  }
}

function decodeAs(bytes: Uint8Array, encoding: Encoding): DecodedText {
  const exact = strictly(bytes, encoding);
  if (exact !== undefined) return exact;
  const text = new TextDecoder(encoding).decode(bytes);
  return { text, encoding, replaced: text.split('\ufffd').length - 1 };
}

function likeliest(bytes: Uint8Array): Encoding | undefined {
  const sample = bytes.subarray(0, sampled);
  const wide = zerosOf(sample);
  if (wide !== undefined) return wide;
  let best: { encoding: Encoding; score: number } | undefined;
  for (const encoding of ['gb18030', 'big5', 'utf-16le', 'utf-16be'] as const) {
    if (encoding.startsWith('utf-16') && bytes.length % 2 !== 0) continue;
    const score = plausibility(sample, encoding);
    if (score >= leastCommon && score > (best?.score ?? 0)) best = { encoding, score };
  }
  return best?.encoding ?? (isWestern(sample) ? 'windows-1252' : undefined);
}

/** UTF-16 without a mark: Latin letters, blanks and line ends have a zero on one side and never on the other. */
function zerosOf(sample: Uint8Array): Encoding | undefined {
  let [even, odd] = [0, 0];
  sample.forEach((byte, index) => {
    if (byte !== 0) return;
    if (index % 2 === 0) even += 1;
    else odd += 1;
  });
  const least = sample.length / 200;
  if (odd > least && even * 10 < odd) return 'utf-16le';
  return even > least && odd * 10 < even ? 'utf-16be' : undefined;
}

/** The share of very common characters among the Chinese ones; nothing where private or control characters turn up. */
function plausibility(sample: Uint8Array, encoding: Encoding): number {
  // The sample may end within a character.
  const text = new TextDecoder(encoding).decode(sample, { stream: true });
  let [han, known, odd] = [0, 0, 0];
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code >= 0x3400 && code <= 0x9fff) {
      han += 1;
      if (common.has(character)) known += 1;
    } else if (
      code === 0xfffd ||
      (code < 0x20 && code !== 9 && code !== 10 && code !== 13) ||
      (code >= 0xe000 && code < 0xf900)
    )
      odd += 1;
  }
  if (han === 0 || odd * 50 > text.length) return 0;
  return known / han;
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
