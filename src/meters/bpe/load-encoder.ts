// The encoder of an encoding, made of its vocabulary: the JSON that tiktoken publishes.
import { GalleyError } from '../../core/model/error.js';
import { createEncoder, type Encoder, type EncodingName, type TokenBytes } from './encoder.js';

export function loadEncoder(encoding: EncodingName, read: (encoding: EncodingName) => string): Encoder {
  let cause: unknown;
  try {
    const { bpe_ranks }: { readonly bpe_ranks: string } = JSON.parse(read(encoding));
    const encoder = createEncoder(decodeRanks(bpe_ranks));
    if (encoder.merge(' world').length === 1) return encoder;
  } catch (error) {
    cause = error;
  }
  throw new GalleyError(
    'INTERNAL',
    `The tokenizer ${encoding} could not be loaded; reinstall Galley, or use the meter cjk-estimate meanwhile.`,
    { details: { meter: encoding }, cause },
  );
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const head = '! 0 ';
const blank = 0x20;

/** Tokens as tiktoken lists them: a mark, the number of the first, then each in base64, all between blanks. */
function decodeRanks(ranks: string): TokenBytes {
  // Another line would begin at another number.
  if (!ranks.startsWith(head) || ranks.includes('\n')) {
    throw new GalleyError('INTERNAL', 'The list of tokens has another form than expected.');
  }
  const values = new Uint8Array(256).fill(64);
  for (let value = 0; value < alphabet.length; value += 1) values[alphabet.charCodeAt(value)] = value;
  const text = new TextEncoder().encode(ranks);
  const bytes = new Uint8Array(text.length);
  const ends = new Uint32Array(text.length);
  let size = 0;
  let count = 0;
  let held = 0;
  let bits = 0;
  for (let index = head.length; index < text.length; index += 1) {
    const unit = text[index]!;
    const value = values[unit]!;
    if (value < 64) {
      held = (held << 6) | value;
      bits += 6;
      if (bits >= 8) {
        bits -= 8;
        bytes[size] = held >> bits;
        size += 1;
      }
    } else if (unit === blank) {
      ends[count] = size;
      count += 1;
      held = 0;
      bits = 0;
    }
  }
  ends[count] = size;
  return { bytes: bytes.slice(0, size), ends: ends.slice(0, count + 1) };
}
