// A meter that survives its tokenizer: after the first failure it weighs with the fallback, in the same scale, and
// says so once. Wrap the cached meter, so that a fallback weight is never remembered as an exact one.
import { GalleyError, toGalleyError } from '../core/model/error.js';
import type { Meter } from '../core/model/meter.js';

export function safeMeter(meter: Meter, fallback: Meter, onFailure: (error: GalleyError) => void): Meter {
  let failed = false;
  const converted = (weight: number): number => Math.ceil((weight * meter.scale) / fallback.scale);
  const attempt = (first: () => number, second: () => number): number => {
    if (!failed) {
      try {
        return checked(first());
      } catch (error) {
        failed = true;
        onFailure(toGalleyError(error));
      }
    }
    return converted(second());
  };
  return {
    get id() {
      return failed ? fallback.id : meter.id;
    },
    get exact() {
      return !failed && meter.exact;
    },
    unit: meter.unit,
    scale: meter.scale,
    weigh: (text) =>
      attempt(
        () => meter.weigh(text),
        () => fallback.weigh(text),
      ),
    weighWith: (text, behind) =>
      attempt(
        () => meter.weighWith?.(text, behind) ?? meter.weigh(text + behind),
        () => fallback.weigh(text + behind),
      ),
    seam: (left, right) =>
      attempt(
        () => meter.seam?.(left, right) ?? 0,
        () => fallback.seam?.(left, right) ?? 0,
      ),
  };
}

function checked(weight: number): number {
  if (Number.isSafeInteger(weight) && weight >= 0) return weight;
  throw new GalleyError('INTERNAL', 'The tokenizer answered with something that is not a weight.');
}
