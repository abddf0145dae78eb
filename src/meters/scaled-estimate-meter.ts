// Estimates another tokenizer from o200k_base and the scripts of the text. What is added goes by the character, so
// joining texts costs what it costs in o200k_base.
import type { Meter } from '../core/model/meter.js';
import { digit, lower, mark, surrogate, unitClasses, upper } from './bpe/character-class.js';
import { type EstimateFactors, type EstimateName, estimateFactors } from './estimate-factors.js';

export function createScaledEstimateMeter(id: EstimateName, base: Meter): Meter {
  const factors = estimateFactors[id];
  const extras = extraWeights(factors);
  return {
    id,
    unit: 'tokens',
    exact: false,
    scale: 100,
    weigh(text) {
      let extra = 0;
      for (let index = 0; index < text.length; index += 1) extra += extras[text.charCodeAt(index)]!;
      // A long word of one token may take more off than it weighs.
      return Math.max(0, base.weigh(text) * factors.token + extra);
    },
    seam: (left, right) => (base.seam?.(left, right) ?? 0) * factors.token,
  };
}

function extraWeights(factors: EstimateFactors): Int8Array {
  const classes = unitClasses();
  return Int8Array.from(classes, (kind, unit) => {
    if (kind === digit) return factors.digit;
    if (kind === surrogate) return factors.surrogate;
    if (isHan(unit)) return factors.han;
    const letter = kind >= upper && kind <= mark;
    return letter && !isLatin(unit, kind) ? factors.otherScript : 0;
  });
}

function isHan(unit: number): boolean {
  return (unit >= 0x3400 && unit <= 0x9fff) || (unit >= 0xf900 && unit <= 0xfaff);
}

function isLatin(unit: number, kind: number): boolean {
  return unit < 0x250 && (kind === lower || kind === upper || unit < 0x100);
}
