// What finishing did to the words of a review: by fragment while it is set, then by page; in a diff, on which line of which side.
import { LRUCache } from 'lru-cache';
import { type CleanText, cleanLines, cleanText } from '../../cleaning/clean-text.js';
import { byCodePoint } from '../../core/model/code-points.js';
import type { FragmentChoice } from '../../core/model/priced-set.js';
import { printablePath } from '../change/safe-text.js';
import type { Piece } from '../pieces/piece.js';
import type { Fence } from './reviewer-system.js';

type CleanFacts = Omit<CleanText, 'text'>;

export interface CleanRecord {
  note(id: string, clean: CleanText): void;
  of(id: string): CleanFacts | undefined;
  /** Everything on a zero-based page; what stands on every page is told with the first. */
  on(
    page: number,
    choices: readonly FragmentChoice[],
    pieces: readonly Piece[],
  ): Pick<CleanFacts, 'redactions' | 'hidden'>[];
  /** Whether a text holds the id of its own fence. */
  holdsFence(): boolean;
}

/** `before`: what was noted of the diff already, when it is set once more. */
export function cleanRecord(fence: Fence, before?: CleanRecord): CleanRecord {
  const facts = new Map<string, CleanFacts>();
  let held = before?.holdsFence() ?? false;
  const of = (id: string) => facts.get(id) ?? before?.of(id);
  return {
    note(id, { text, ...rest }) {
      held ||= fence.isIn(text);
      facts.set(id, rest);
    },
    of,
    on(page, choices, pieces) {
      const found: { readonly id: string; readonly here: boolean }[] = [];
      for (const { page: at, level, wording } of choices) {
        const { id, layer } = wording.fragment;
        if (layer === 'diff' || level === undefined) continue;
        if (at === page || (at === undefined && page === 0)) found.push({ id, here: at !== undefined });
      }
      const byPath = [...pieces].sort((a, b) => byCodePoint(a.path, b.path) || a.part - b.part);
      found.push(...byPath.map(({ id }) => ({ id, here: true })));
      return found.flatMap(({ id, here }) => {
        const { redactions = [], hidden = [] } = of(id) ?? {};
        if (redactions.length + hidden.length === 0) return [];
        const place = here ? { page: page + 1 } : {};
        return [
          {
            redactions: redactions.map((hit) => ({ ...hit, ...place })),
            hidden: hidden.map((hit) => ({ ...hit, ...place })),
          },
        ];
      });
    },
    holdsFence: () => held,
  };
}

export type Clean = (words: string, place: { readonly path?: string }) => CleanText;

/** Characters that are held at most. */
const mostCleaned = 8_000_000;

/** The same words of the same file are cleaned once. */
export function rememberedClean(): Clean {
  const known = new LRUCache<string, CleanText>({
    maxSize: mostCleaned,
    sizeCalculation: ({ text }) => text.length + 1,
  });
  return (words, place) => {
    const key = `${place.path ?? ''}\0${words}`;
    const cleaned = known.get(key) ?? cleanText(words, place);
    known.set(key, cleaned);
    return cleaned;
  };
}

/** A diff as it may leave the machine, and where anything was replaced. */
export function cleanDiff(text: string, path: string, page: number): CleanText {
  let places: ReturnType<typeof linePlaces> | undefined;
  return cleanLines(text, path, (index) => {
    places ??= linePlaces(text);
    const { side, line } = places[index] ?? { side: 'new', line: 0 };
    return { page, path: printablePath(path), ...(line === 0 ? {} : { side, line }) };
  });
}

interface LinePlace {
  readonly side: 'new' | 'old';
  /** 0 above the hunks. */
  readonly line: number;
}

const header = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** The place of every line of the text, in order. */
export function linePlaces(text: string): LinePlace[] {
  let [oldLine, oldLeft, newLine, newLeft] = [0, 0, 0, 0];
  return text.split('\n').map((line): LinePlace => {
    if (oldLeft <= 0 && newLeft <= 0) {
      const found = header.exec(line);
      if (found !== null) {
        oldLine = Number(found[1]);
        oldLeft = Number(found[2] ?? 1);
        newLine = Number(found[3]);
        newLeft = Number(found[4] ?? 1);
      }
      return { side: 'new', line: 0 };
    }
    if (line.startsWith('\\')) return { side: 'new', line: 0 };
    if (line.startsWith('-')) {
      oldLeft -= 1;
      oldLine += 1;
      return { side: 'old', line: oldLine - 1 };
    }
    if (!line.startsWith('+')) {
      oldLeft -= 1;
      oldLine += 1;
    }
    newLeft -= 1;
    newLine += 1;
    return { side: 'new', line: newLine - 1 };
  });
}
