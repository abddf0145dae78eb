// What weighs for a model, with a memory shared by all assemblies: short pieces are remembered by their text, long ones by
// their hash, and so is what a join of two pieces costs.
import type { Warning } from '../../core/model/error.js';
import type { Meter } from '../../core/model/meter.js';
import { borderAfter, borderBefore, isBorder } from '../../meters/bpe/pre-token.js';
import { cjkEstimateMeter } from '../../meters/cjk-estimate-meter.js';
import { createCountCache } from '../../meters/count-cache.js';
import { loadMeter as loadByName } from '../../meters/load-meter.js';
import { meterForModel } from '../../meters/meter-for-model.js';
import { type RecentMemory, recentMemory } from '../../meters/recent-memory.js';
import { safeMeter } from '../../meters/safe-meter.js';

export type LoadMeter = (id: string) => Promise<Meter>;

const defaultMeter = 'o200k_base';
const shortText = 600;
/** Tokenizers and estimates made from them; other meters are cheaper than a memory. */
const tokenizers = /_base$|-estimate(?:-[\d.]+)?$/;
const counts = createCountCache({ maxEntries: 100_000 });
const remembered = new WeakMap<Meter, Meter>();

export interface Weighing {
  readonly meter: Meter;
  /** Whether the tokenizer could not be loaded or broke while weighing. */
  failed(): boolean;
  readonly warning?: Warning;
}

export async function readMeter(model: string, loadMeter: LoadMeter = loadByName): Promise<Weighing> {
  const { meter: id, warning } =
    model === '' ? { meter: defaultMeter, warning: undefined } : meterForModel(model);
  let failed = false;
  try {
    const meter = safeMeter(rememberingMeter(await loadMeter(id)), cjkEstimateMeter, () => {
      failed = true;
    });
    return { meter, failed: () => failed, ...(warning === undefined ? {} : { warning }) };
  } catch {
    return { meter: cjkEstimateMeter, failed: () => true };
  }
}

function rememberingMeter(meter: Meter): Meter {
  const known = remembered.get(meter);
  if (known !== undefined) return known;
  if (!tokenizers.test(meter.id) || meter.id === cjkEstimateMeter.id) return meter;
  // By what stands behind a text: a separator of which there are few.
  const weights = new Map<string, RecentMemory<string, number>>();
  const seams = recentMemory<string, number>(25_000);
  const weighWith = (text: string, behind: string): number => {
    if (text.length > shortText) return counts.weigh(meter, text, behind);
    const known = weights.get(behind) ?? recentMemory<string, number>(50_000);
    weights.set(behind, known);
    const found = known.get(text);
    if (found !== undefined) return found;
    const weight = meter.weigh(text + behind);
    known.set(text, weight);
    return weight;
  };
  const remembering: Meter = {
    id: meter.id,
    unit: meter.unit,
    exact: meter.exact,
    scale: meter.scale,
    weigh: (text) => weighWith(text, ''),
    weighWith,
    seam(left, right) {
      if (meter.seam === undefined || left === '' || right === '') return 0;
      if (isBorder(left.charCodeAt(left.length - 1), right.charCodeAt(0))) return 0;
      // What a join costs is decided between the nearest borders on both sides.
      const tail = left.slice(borderBefore(left, left.length));
      const head = right.slice(0, borderAfter(right, 0));
      const key = `${tail}\0${head}`;
      const found = seams.get(key);
      if (found !== undefined) return found;
      const cost = meter.seam(tail, head);
      seams.set(key, cost);
      return cost;
    },
  };
  remembered.set(meter, remembering);
  return remembering;
}
