// Which implementation of an encoding runs here: the first that loads and can count.
import { GalleyError } from '../../core/model/error.js';
import type { Encoder, EncodingName } from './encoder.js';
import { loadGptTokenizerEncoder } from './gpt-tokenizer-encoder.js';
import { loadTiktokenEncoder } from './tiktoken-encoder.js';

export type EncoderLoader = (encoding: EncodingName) => Promise<Encoder>;

export async function loadEncoder(
  encoding: EncodingName,
  loaders: readonly EncoderLoader[] = [loadTiktokenEncoder, loadGptTokenizerEncoder],
): Promise<Encoder> {
  let cause: unknown;
  for (const load of loaders) {
    try {
      const encoder = await load(encoding);
      if (encoder.merge(' world').length === 1) return encoder;
    } catch (error) {
      cause = error;
    }
  }
  throw new GalleyError(
    'INTERNAL',
    `The tokenizer ${encoding} could not be loaded; reinstall Galley, or use the meter cjk-estimate meanwhile.`,
    { details: { meter: encoding }, cause },
  );
}
