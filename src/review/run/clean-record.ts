// What finishing did to the words of a review: by fragment while it is set, then by page.
import type { CleanText } from '../../cleaning/clean-text.js';
import { byCodePoint } from '../../core/model/code-points.js';
import type { FragmentChoice } from '../../core/model/priced-set.js';
import type { Piece } from '../pages/piece.js';
import type { Fence } from './fence.js';

export type CleanFacts = Omit<CleanText, 'text'>;

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

export function cleanRecord(fence: Fence): CleanRecord {
  const facts = new Map<string, CleanFacts>();
  let held = false;
  return {
    note(id, { text, ...rest }) {
      held ||= fence.isIn(text);
      facts.set(id, rest);
    },
    of: (id) => facts.get(id),
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
        const { redactions = [], hidden = [] } = facts.get(id) ?? {};
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
