// Where a provider may keep the prefix of a page: the breakpoints of its parts, as the press recorded them.
import type { PageRecord } from '../core/model/receipt.js';
import type { CachePoints } from './model.js';

export function cachePointsOf(page: PageRecord | undefined): CachePoints {
  const offsets = (channel: 'system' | 'prompt') =>
    (page?.parts ?? [])
      .filter((part) => part.channel === channel)
      .flatMap(({ breakpoints }) => breakpoints.map(({ offset }) => offset));
  return { system: offsets('system'), prompt: offsets('prompt') };
}
