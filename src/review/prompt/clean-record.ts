// What finishing did to the words of a review: by fragment while it is set, then by page; in a diff, on which line of which side.
import { type CleanText, cleanLines } from '../../cleaning/clean-text.js';
import { byCodePoint } from '../../core/model/code-points.js';
import type { FragmentChoice } from '../../core/model/priced-set.js';
import { printablePath } from '../change/safe-text.js';
import type { Piece } from '../pieces/piece.js';
import type { Fence } from './reviewer-system.js';

type CleanFacts = Omit<CleanText, 'text'>;

export interface CleanRecord {
  note(id: string, clean: CleanText): void;
  of(id: string): CleanFacts | undefined;
  /** Everything on a zero-based page, by what was chosen for it; what stands on every page is told with the first. */
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
  // By fragment, for each of its wordings that anything was found in.
  const facts = new Map<string, CleanText[]>();
  let held = before?.holdsFence() ?? false;
  const of = (id: string) => facts.get(id)?.at(-1) ?? before?.of(id);
  const inForce = ({ level = 0, wording }: FragmentChoice) => {
    const notes = facts.get(wording.fragment.id);
    const text = notes === undefined ? undefined : wording.levels[level]?.textAt(1);
    return notes?.find((note) => note.text === text);
  };
  return {
    note(id, clean) {
      held ||= fence.isIn(clean.text);
      const { redactions, hidden, altered, text } = clean;
      if (redactions.length + hidden.length === 0 && !altered) return;
      const notes = facts.get(id) ?? [];
      if (!notes.some((note) => note.text === text)) facts.set(id, [...notes, clean]);
    },
    of,
    on(page, choices, pieces) {
      const found: { readonly clean: CleanFacts | undefined; readonly here: boolean }[] = [];
      for (const choice of choices)
        if (choice.wording.fragment.layer !== 'diff')
          found.push({ clean: inForce(choice), here: choice.page !== undefined });
      const byPath = [...pieces].sort((a, b) => byCodePoint(a.path, b.path) || a.part - b.part);
      found.push(...byPath.map(({ id }) => ({ clean: of(id), here: true })));
      return found.flatMap(({ clean, here }) => {
        const { redactions = [], hidden = [] } = clean ?? {};
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
