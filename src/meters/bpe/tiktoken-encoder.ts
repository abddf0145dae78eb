// The vocabulary of tiktoken. Its own tokenizer is not used: setting that up takes ten times as long as everything here.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { decodeRanks } from './decode-ranks.js';
import { createEncoder, type Encoder, type EncodingName } from './encoder.js';

const require = createRequire(import.meta.url);

export async function loadTiktokenEncoder(encoding: EncodingName): Promise<Encoder> {
  // The file is plain ASCII, which is read fastest as Latin-1.
  const file = readFileSync(require.resolve(`tiktoken/encoders/${encoding}.json`), 'latin1');
  const { bpe_ranks }: { readonly bpe_ranks: string } = JSON.parse(file);
  return createEncoder(decodeRanks(bpe_ranks));
}
