// Weighs the UTF-8 bytes of a text.
import type { Meter } from '../core/model/meter.js';

export const bytesMeter: Meter = {
  id: 'bytes',
  unit: 'bytes',
  exact: true,
  scale: 1,
  weigh: (text) => Buffer.byteLength(text, 'utf8'),
};
