// Hands out a meter by its id. Tokenizers load on first use and once per process.
import { GalleyError } from '../core/model/error.js';
import type { Meter } from '../core/model/meter.js';
import { createBpeMeter } from './bpe/bpe-meter.js';
import type { EncodingName } from './bpe/encoder.js';
import { loadEncoder } from './bpe/load-encoder.js';
import { readVocabulary } from './bpe/read-vocabulary.js';
import { cjkEstimateMeter } from './cjk-estimate-meter.js';
import { bytesMeter, charsPerFourMeter, codepointsMeter } from './plain-meters.js';
import {
  loadPublicVocabulary,
  type PublicVocabularyName,
  publicVocabularies,
} from './public-vocabulary-meter.js';
import { createScaledEstimateMeter, type EstimateName, estimateFactors } from './scaled-estimate-meter.js';

const makers: Readonly<Record<string, () => Promise<Meter>>> = {
  bytes: async () => bytesMeter,
  codepoints: async () => codepointsMeter,
  'chars/4': async () => charsPerFourMeter,
  'cjk-estimate': async () => cjkEstimateMeter,
  o200k_base: () => loadBpe('o200k_base'),
  cl100k_base: () => loadBpe('cl100k_base'),
  ...Object.fromEntries(
    (Object.keys(publicVocabularies) as PublicVocabularyName[]).map((name) => [
      name,
      async () => loadPublicVocabulary(name) ?? loadMeter(`${name}-estimate`),
    ]),
  ),
  ...Object.fromEntries(
    (Object.keys(estimateFactors) as EstimateName[]).map((id) => [
      id,
      async () => createScaledEstimateMeter(id, await loadMeter('o200k_base')),
    ]),
  ),
};

export const meterIds: readonly string[] = Object.keys(makers);

const loading = new Map<string, Promise<Meter>>();

export async function loadMeter(id: string): Promise<Meter> {
  const make = Object.hasOwn(makers, id) ? makers[id] : undefined;
  if (make === undefined) {
    throw new GalleyError('INVALID_ARGUMENT', `meter: unknown; use one of ${meterIds.join(', ')}.`);
  }
  let meter = loading.get(id);
  if (meter === undefined) {
    meter = make();
    loading.set(id, meter);
    // A failed load may be tried again.
    meter.catch(() => loading.delete(id));
  }
  return meter;
}

async function loadBpe(encoding: EncodingName): Promise<Meter> {
  return createBpeMeter(encoding, loadEncoder(encoding, readVocabulary));
}
