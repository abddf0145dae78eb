import { describe } from 'vitest';
import { sweepSize } from '../../test/sweep-size.js';
import { meterContract } from '../testing/meter-contract.js';
import { loadPeerEncoder } from '../testing/peer-encoder.js';
import { createBpeMeter } from './bpe/bpe-meter.js';
import { cjkEstimateMeter } from './cjk-estimate-meter.js';
import { createCountCache, withCountCache } from './count-cache.js';
import { loadMeter, meterIds } from './load-meter.js';
import { safeMeter } from './safe-meter.js';

describe.each(meterIds)('the meter %s keeps the contract [chunk.meter]', (id) => {
  const isExact = id === 'o200k_base' || id === 'cl100k_base';
  const size = isExact ? { everyRun: 2000, nightly: 20_000 } : { everyRun: 300, nightly: 1500 };
  meterContract(() => loadMeter(id), { cases: sweepSize('laws of meters', size) });
});

describe('o200k_base by the other vocabulary keeps the contract', () => {
  meterContract(async () => createBpeMeter('o200k_base', await loadPeerEncoder('o200k_base')), {
    cases: 300,
  });
});

describe('a cached meter keeps the contract', () => {
  const cache = createCountCache({ maxEntries: 100 });
  meterContract(async () => withCountCache(await loadMeter('o200k_base'), cache), { cases: 1000 });
});

describe('a meter whose tokenizer fails keeps the contract', () => {
  meterContract(async () => {
    const broken = {
      ...(await loadMeter('o200k_base')),
      weigh: () => Number.NaN,
    };
    const meter = safeMeter(broken, cjkEstimateMeter, () => undefined);
    meter.weigh('fails once');
    return meter;
  });
});
