// Weighs the UTF-8 bytes of a text.
import type { Meter } from '../core/model/meter.js';
import { utf8Length } from '../core/model/utf8.js';

export const bytesMeter: Meter = {
  id: 'bytes',
  unit: 'bytes',
  exact: true,
  scale: 1,
  // Node counts fastest; a browser has no buffers.
  weigh: typeof Buffer === 'undefined' ? utf8Length : (text) => Buffer.byteLength(text, 'utf8'),
};
