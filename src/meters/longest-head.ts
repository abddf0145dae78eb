// The longest head of a text that weighs at most a limit, cut between code points. It always fits; for meters whose
// weight is not monotone (tokenizers) a head a few code points longer was tried, too.
import type { Meter } from '../core/model/meter.js';
import { codePointBorder } from '../core/model/utf8.js';

const rounds = 4;
const reach = 8;
const nearby = 2048;

export function longestHead(text: string, limitWeight: number, meter: Meter): string {
  if (limitWeight < 0) return '';
  let end = 0;
  let weight = 0;
  for (let round = 0; round < rounds && end < text.length; round += 1) {
    const grown = grow(text, end, { meter, room: limitWeight - weight });
    if (grown === end) break;
    end = grown;
    // Joined, the parts may weigh less than their sum: then there is room for another round.
    weight = meter.weigh(text.slice(0, end));
  }
  return text.slice(0, stretch(text, end, { meter, limitWeight }));
}

/** Doubles and then halves a step beyond the head; each part is weighed once, so the work is linear in the answer. */
function grow(text: string, from: number, options: { meter: Meter; room: number }): number {
  const { meter } = options;
  let { room } = options;
  let end = from;
  let step = Math.max(16, Math.floor(room / meter.scale));
  let doubling = true;
  while (step >= 1 && end < text.length) {
    const next = end + step >= text.length ? text.length : codePointBorder(text, end + step);
    const part = text.slice(end, next);
    const cost = next > end ? meter.weigh(part) + (meter.seam?.(text.slice(0, end), part) ?? 0) : 0;
    if (next > end && cost <= room) {
      end = next;
      room -= cost;
      if (doubling) step *= 2;
    } else {
      doubling = false;
    }
    if (!doubling) step = Math.floor(step / 2);
  }
  return end;
}

/** A few code points more may weigh the same or less; only the text around the cut is weighed again for each. */
function stretch(text: string, from: number, options: { meter: Meter; limitWeight: number }): number {
  const { meter, limitWeight } = options;
  if (from >= text.length) return from;
  const line = text.lastIndexOf('\n', from - 1) + 1;
  const anchor = from - line <= nearby ? line : codePointBorder(text, from - nearby);
  const before = text.slice(0, anchor);
  const room = limitWeight - meter.weigh(before);
  let best = from;
  let end = from;
  for (let tries = 0; tries < reach && end < text.length; tries += 1) {
    end += text.codePointAt(end)! > 0xffff ? 2 : 1;
    const part = text.slice(anchor, end);
    if (meter.weigh(part) + (meter.seam?.(before, part) ?? 0) <= room) best = end;
  }
  return best;
}
