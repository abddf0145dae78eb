// The longest head of a text that weighs no more than allowed, ending on a code-point border.
import type { Meter } from '../model/meter.js';
import { codePointBorder } from '../model/utf8.js';

const stride = 4096;

export function longestHead(text: string, room: number, meter: Meter): number {
  if (room <= 0) return 0;
  // Strides are weighed once each to come near; the bisection then measures whole heads, so the result is exact.
  let near = 0;
  let weight = 0;
  while (near < text.length) {
    const next = codePointBorder(text, Math.min(text.length, near + stride));
    weight += meter.weigh(text.slice(near, next));
    near = next;
    if (weight > room) break;
  }
  const fits = (end: number) => meter.weigh(text.slice(0, end)) <= room;
  if (near === text.length && fits(near)) return near;
  let high = near;
  let low = codePointBorder(text, Math.max(0, near - 2 * stride));
  while (low > 0 && !fits(low)) {
    high = low;
    low = codePointBorder(text, Math.max(0, low - stride));
  }
  while (high - low > 1) {
    const middle = codePointBorder(text, low + Math.ceil((high - low) / 2));
    if (middle <= low) break;
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return low;
}
