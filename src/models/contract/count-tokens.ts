// Tokens of a text by the public tokenizer that never counts more than the private ones. It is loaded when first asked.
import { amountOf, type Meter } from '../../core/model/meter.js';
import { createCountCache, withCountCache } from '../../meters/count-cache.js';
import { loadMeter } from '../../meters/load-meter.js';

const cache = createCountCache({ maxEntries: 1_000 });
let loading: Promise<Meter> | undefined;

export async function countTokens(text: string): Promise<number> {
  loading ??= loadMeter('o200k_base').then((meter) => withCountCache(meter, cache));
  const meter = await loading;
  return amountOf(meter, meter.weigh(text)).n;
}
