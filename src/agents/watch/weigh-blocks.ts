// What the blocks of a request weigh, brought to what the provider counted where the meter only estimates.
import { loadMeter } from '../../meters/load-meter.js';
import { meterForModel } from '../../meters/meter-for-model.js';
import type { Usage } from '../../models/contract/model.js';
import type { ModelRequestBody } from './request-blocks.js';

const maxWeights = 200_000;

export type BlockWeigher = ReturnType<typeof createWeigher>;

export const sum = (weights: readonly number[]) => weights.reduce((total, weight) => total + weight, 0);

/** The same blocks come again with every request, so each is weighed once. */
export function createWeigher() {
  const known = new Map<string, number>();
  const meters = new Map<string, boolean>();
  return {
    async weigh({ model, blocks }: ModelRequestBody, usage: Usage | undefined): Promise<readonly number[]> {
      const meter = await loadMeter(meterForModel(model).meter);
      meters.set(meter.id, meter.exact);
      if (known.size > maxWeights) known.clear();
      const raw = blocks.map(({ hash, text }) => {
        const key = `${meter.id} ${hash}`;
        const weight = known.get(key) ?? meter.weigh(text) / meter.scale;
        known.set(key, weight);
        return weight;
      });
      // An estimate errs on the safe side; what the provider counted is the whole.
      const factor = meter.exact || usage === undefined ? 1 : usage.inputTokens / sum(raw);
      return factor > 0.5 && factor < 1.5 ? raw.map((weight) => weight * factor) : raw;
    },
    told: () => ({ meters: [...meters.keys()], exact: [...meters.values()].every((exact) => exact) }),
  };
}
