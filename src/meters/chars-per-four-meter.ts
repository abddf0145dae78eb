// The rule of thumb "four characters are a token", literally: ceil(code points / 4), rounded once per prompt.
// It is far too low for Chinese; it exists because limits were written in it.
import type { Meter } from '../core/model/meter.js';
import { countCodePoints } from './count-code-points.js';

export const charsPerFourMeter: Meter = {
  id: 'chars/4',
  unit: 'tokens',
  exact: false,
  scale: 4,
  weigh: countCodePoints,
};
