// Text that no file has yet, kept by the browser until it is written. Each page has its own place, so that two tabs on one chapter
// never overwrite each other; a page that died leaves its text to the next one.
import { pageId } from './writing-mark.js';

export interface KeptText {
  readonly text: string;
  /** Hash of the chapter it was typed over; absent where there was none. */
  readonly hash?: string | undefined;
  /** Mark of the text that was sent last and may have arrived. */
  readonly sent?: number | undefined;
  readonly at: number;
}

/** Tells texts apart; no two that one person types in a row have the same. */
export function markOf(text: string): number {
  let [a, b] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    a = Math.imul(a ^ unit, 2654435761);
    b = Math.imul(b ^ unit, 1597334677);
  }
  return 4294967296 * (2097151 & b) + (a >>> 0);
}

export interface Keeper {
  /** False where this browser keeps nothing, or no more. */
  keep(kept: KeptText): boolean;
  drop(): void;
  /** What pages before this one left, newest first. `living`: pages that still have theirs. */
  left(
    living: ReadonlySet<string>,
  ): readonly { readonly page: string; readonly kept: KeptText; drop(): void }[];
}

export function keeperOf(project: string, document: string): Keeper {
  const prefix = `galley.unsaved ${JSON.stringify([project, document])} `;
  const own = prefix + pageId;
  let isKept = false;
  return {
    keep: (kept) => {
      try {
        isKept = true;
        localStorage.setItem(own, JSON.stringify(kept));
        return true;
      } catch {
        return false;
      }
    },
    drop: () => {
      if (isKept) remove(own);
      isKept = false;
    },
    left: (living) =>
      keysWith(prefix)
        .filter((key) => key !== own && !living.has(key.slice(prefix.length)))
        .flatMap((key) => {
          const kept = read(key);
          return kept === undefined
            ? []
            : [{ page: key.slice(prefix.length), kept, drop: () => remove(key) }];
        })
        .sort((a, b) => b.kept.at - a.kept.at),
  };
}

function keysWith(prefix: string): string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(prefix));
  } catch {
    return [];
  }
}

function read(key: string): KeptText | undefined {
  try {
    const { text, hash, sent, at } = JSON.parse(localStorage.getItem(key) ?? '') as Record<string, unknown>;
    if (typeof text !== 'string') return undefined;
    return {
      text,
      at: Number(at),
      ...(typeof hash === 'string' ? { hash } : {}),
      ...(typeof sent === 'number' ? { sent } : {}),
    };
  } catch {
    return undefined;
  }
}

function remove(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // Where nothing can be kept, nothing is there.
  }
}
