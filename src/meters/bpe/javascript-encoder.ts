// The same encodings without WebAssembly, slower: the fallback where the fast one does not load. It pre-tokenises by
// our own scan, so that it agrees with the other one on every white space.
import { GalleyError } from '../../core/model/error.js';
import type { Encoder, EncodingName } from './encoder.js';
import { preTokenEnd } from './pre-token.js';

export async function loadJavascriptEncoder(encoding: EncodingName): Promise<Encoder> {
  const { BytePairEncodingCore } = await import('gpt-tokenizer/BytePairEncodingCore');
  const ranks = await loadRanks(encoding);
  const core = new BytePairEncodingCore({
    bytePairRankDecoder: ranks,
    tokenSplitRegex: /[\s\S]+/gu,
    mergeCacheSize: 0,
  });
  return {
    encode(text) {
      const tokens: number[] = [];
      for (let start = 0; start < text.length; ) {
        const end = preTokenEnd(text, start, encoding);
        for (const token of core.encodeNative(text.slice(start, end))) tokens.push(token);
        start = end;
      }
      return tokens;
    },
    merge: (text) => core.encodeNative(text),
    bytesOf(token) {
      const bytes = ranks[token];
      if (bytes === undefined)
        throw new GalleyError('INTERNAL', 'The tokenizer answered with an unknown token.');
      return typeof bytes === 'string' ? Buffer.byteLength(bytes, 'utf8') : bytes.length;
    },
  };
}

async function loadRanks(encoding: EncodingName): Promise<readonly (string | readonly number[])[]> {
  const module =
    encoding === 'o200k_base'
      ? await import('gpt-tokenizer/bpeRanks/o200k_base')
      : await import('gpt-tokenizer/bpeRanks/cl100k_base');
  return module.default;
}
