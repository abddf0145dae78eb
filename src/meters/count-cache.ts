// Remembers what texts weigh, by content: shared by assemblies and meters, bounded, and readable for benchmarks.
import { LRUCache } from 'lru-cache';
import type { Meter } from '../core/model/meter.js';
import { hashText } from './content-hash.js';

const shortText = 64;
const maxHeld = 2_000_000;
const cheapMeters = new Set(['bytes', 'codepoints', 'chars/4', 'cjk-estimate']);

export interface CountStatistics {
  readonly hits: number;
  readonly misses: number;
  /** UTF-16 units that really went through a tokenizer. */
  readonly measured: number;
}

export interface CountCache {
  /** Of the text with what stands behind it. */
  weigh(meter: Meter, text: string, behind?: string): number;
  statistics(): CountStatistics;
  clear(): void;
}

export function createCountCache(options: { maxEntries?: number } = {}): CountCache {
  const weights = new LRUCache<string, number>({ max: options.maxEntries ?? 50_000 });
  let hits = 0;
  let misses = 0;
  let measured = 0;
  const keyOf = recentKeys();
  return {
    weigh(meter, text, behind = '') {
      if (text.length + behind.length <= shortText) {
        measured += text.length + behind.length;
        return meter.weigh(text + behind);
      }
      const known = weights.get(keyOf(meter.id, text, behind));
      if (known !== undefined) {
        hits += 1;
        return known;
      }
      misses += 1;
      measured += text.length + behind.length;
      const weight = meter.weigh(text + behind);
      // A safe meter may have changed its name while it weighed.
      weights.set(keyOf(meter.id, text, behind), weight);
      return weight;
    },
    statistics: () => ({ hits, misses, measured }),
    clear() {
      weights.clear();
      hits = 0;
      misses = 0;
      measured = 0;
    },
  };
}

/** Texts of the last few assemblies are recognised without joining or hashing them again; only so many characters are held. */
function recentKeys(): (meter: string, text: string, behind: string) => string {
  const keys = new Map<string, Map<string, string>>();
  let held = 0;
  return (meter, text, behind) => {
    const name = `${meter}\n${behind}`;
    const known = keys.get(name)?.get(text);
    if (known !== undefined) return known;
    const key = `${meter}\n${hashText(text + behind)}`;
    held += text.length;
    if (held > maxHeld) {
      keys.clear();
      held = text.length;
    }
    const recent = keys.get(name) ?? new Map<string, string>();
    keys.set(name, recent.set(text, key));
    return key;
  };
}

/** Meters that are cheaper than a hash stay as they are. */
export function withCountCache(meter: Meter, cache: CountCache): Meter {
  if (cheapMeters.has(meter.id)) return meter;
  return {
    get id() {
      return meter.id;
    },
    get exact() {
      return meter.exact;
    },
    unit: meter.unit,
    scale: meter.scale,
    weigh: (text) => cache.weigh(meter, text),
    weighWith: (text, behind) => cache.weigh(meter, text, behind),
    seam: (left, right) => meter.seam?.(left, right) ?? 0,
  };
}
