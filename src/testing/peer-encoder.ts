// An encoder of the vocabulary that gpt-tokenizer ships: the judge of ours.
import { createEncoder, type Encoder, type EncodingName } from '../meters/bpe/encoder.js';

export async function loadPeerEncoder(encoding: EncodingName): Promise<Encoder> {
  const vocabulary = await loadVocabulary(encoding);
  const tokens = vocabulary.map((entry) =>
    typeof entry === 'string' ? Buffer.from(entry, 'utf8') : Buffer.from(entry),
  );
  let size = 0;
  const ends = Uint32Array.from(tokens, (token) => {
    size += token.length;
    return size;
  });
  return createEncoder({ bytes: Buffer.concat(tokens), ends });
}

async function loadVocabulary(encoding: EncodingName): Promise<readonly (string | readonly number[])[]> {
  const module =
    encoding === 'o200k_base'
      ? await import('gpt-tokenizer/bpeRanks/o200k_base')
      : await import('gpt-tokenizer/bpeRanks/cl100k_base');
  return module.default;
}
