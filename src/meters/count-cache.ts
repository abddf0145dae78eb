// Remembers what texts weigh, by content: shared by assemblies and meters, bounded, and readable for benchmarks.
import { LRUCache } from 'lru-cache';
import type { Meter } from '../core/model/meter.js';
import { hashText } from './content-hash.js';

const shortText = 64;
const mostHeld = 2_000_000;
const cheapMeters = new Set(['bytes', 'codepoints', 'chars/4', 'cjk-estimate']);

export interface CountStatistics {
  readonly hits: number;
  readonly misses: number;
  /** UTF-16 units that really went through a tokenizer. */
  readonly measured: number;
}

export interface CountCache {
  weigh(meter: Meter, text: string): number;
  statistics(): CountStatistics;
  clear(): void;
}

export function createCountCache(options: { maxEntries?: number } = {}): CountCache {
  const weights = new LRUCache<string, number>({ max: options.maxEntries ?? 50_000 });
  let hits = 0;
  let misses = 0;
  let measured = 0;
  const hashOf = recentHashes();
  return {
    weigh(meter, text) {
      if (text.length <= shortText) {
        measured += text.length;
        return meter.weigh(text);
      }
      const content = hashOf(text);
      const known = weights.get(`${meter.id}\n${content}`);
      if (known !== undefined) {
        hits += 1;
        return known;
      }
      misses += 1;
      measured += text.length;
      const weight = meter.weigh(text);
      // A safe meter may have changed its name while it weighed.
      weights.set(`${meter.id}\n${content}`, weight);
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

/** Texts of the last few assemblies are recognised without hashing them again; only so many characters are held. */
function recentHashes(): (text: string) => string {
  const hashes = new Map<string, string>();
  let held = 0;
  return (text) => {
    const known = hashes.get(text);
    if (known !== undefined) return known;
    const hash = hashText(text);
    held += text.length;
    if (held > mostHeld) {
      hashes.clear();
      held = text.length;
    }
    hashes.set(text, hash);
    return hash;
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
    seam: (left, right) => meter.seam?.(left, right) ?? 0,
  };
}
