// Weighs the code points of a text.
import type { Meter } from '../core/model/meter.js';
import { countCodePoints } from './count-code-points.js';

export const codepointsMeter: Meter = {
  id: 'codepoints',
  unit: 'codepoints',
  exact: true,
  scale: 1,
  weigh: countCodePoints,
};
