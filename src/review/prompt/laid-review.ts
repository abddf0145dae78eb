// A review that is laid out: what stands on each of its pages, and their texts, which are read from where they were put aside when a page
// is composed and forgotten again.
import type { CleanText } from '../../cleaning/clean-text.js';
import type { wished } from '../../core/admit/wished.js';
import type { Layout } from '../../core/lay-out.js';
import type { Warning } from '../../core/model/error.js';
import type { SealedPrompt } from '../../core/model/press.js';
import type { Page } from '../../core/model/prompt.js';
import type { Receipt } from '../../core/model/receipt.js';
import type { Omission } from '../change/omission.js';
import { levelsShown, loweredWarning } from '../context/choose-context.js';
import {
  type ContextOnPages,
  type ContextPlace,
  pageNamedIn,
  shownContext,
} from '../pages/context-on-pages.js';
import {
  choicesByPage,
  idsOn,
  leftOutFindings,
  piecesByPage,
  refuseUnplaced,
} from '../pages/placed-pieces.js';
import type { ShownRules } from '../pages/yielding-rules.js';
import type { GatheredPieces } from '../pieces/gather-pieces.js';
import { type Accounting, accountFor, type Piece } from '../pieces/piece.js';
import type { UnitsByPath } from '../plan/plan-review.js';
import type { ShownRange } from '../units/snippet.js';
import { blockId } from './block-fragments.js';
import { type FileShown, filesShown } from './change-map.js';
import type { Typeset } from './steady-parts.js';
import type { WrittenPieces } from './written-pieces.js';

export interface SetReview {
  readonly pages: readonly (readonly Piece[])[];
  readonly omitted: readonly Omission[];
  readonly coverage: string;
  /** Rules of the project are shown in part. */
  readonly rulesInPart: boolean;
  readonly accounting: Accounting;
  readonly warnings: readonly Warning[];
  readonly units: UnitsByPath;
  contextOf(page: number): readonly ContextPlace[];
  /** Every line of a file that a reader of the page sees, in the diff and beside it. */
  linesOn(page: number): readonly ShownRange[];
  /** Why each file matters, and what its reviewer gets beside the diff. */
  filesShown(): ReadonlyMap<string, FileShown>;
  /** What was taken out or made visible: in the diffs of a page, and in everything else that stands on it. */
  cleanOf(page: number): readonly Pick<CleanText, 'redactions' | 'hidden'>[];
  isAltered(piece: Piece): boolean;
  /** The texts of a page, and where everything stands in them. */
  compose(page: number): Page;
  /** One page as one call. */
  seal(page: number): SealedPrompt;
  /** Of all pages, once each was composed or sealed. */
  receipt(facts: Readonly<Record<string, unknown>>): Receipt;
  close(): void;
}

interface LaidReview {
  readonly typeset: Typeset;
  readonly layout: Layout;
  readonly gathered: Pick<GatheredPieces, 'pieces' | 'omitted' | 'textStore'>;
  readonly written: WrittenPieces;
  readonly context: ContextOnPages | undefined;
  readonly handled: Pick<ReturnType<typeof wished>, 'left'>;
  readonly units: UnitsByPath;
  readonly coverage: string;
  /** What of the rules found no room. */
  readonly shown: Pick<ShownRules, 'rejections'>;
  /** Digest of where files stood in the run before; empty where nobody knows. */
  readonly stood: string;
  /** Of everything up to here. */
  readonly warnings: readonly Warning[];
}

export function laidReview(laid: LaidReview): SetReview {
  const { layout, context, handled, units, coverage, stood } = laid;
  const { pieces, omitted, textStore } = laid.gathered;
  const { texts, record } = laid.typeset;
  const { spans, close } = laid.written;
  refuseUnplaced(layout.choices);
  const pages = pieces.length === 0 ? [] : piecesByPage(layout, pieces);
  const warnings = [
    ...laid.warnings,
    ...(context?.warnings ?? []),
    ...leftOutFindings(layout.choices),
    ...lowered(context, layout, units),
  ];
  const placement = stood === '' ? {} : { placement: stood };
  const withTexts = <Set>(page: number, set: () => Set): Set => {
    for (const { id, blocks } of pages[page] ?? [])
      for (const [at, { place }] of blocks.entries())
        texts.set(blockId(id, at), textStore.read(place).toString('utf8'));
    try {
      return set();
    } finally {
      texts.clear();
    }
  };
  const onPage = choicesByPage(layout);
  return {
    ...{ pages, omitted, coverage, warnings, units, close },
    rulesInPart: laid.shown.rejections.length > 0,
    accounting: accountFor(pieces, omitted),
    contextOf: (page) => shownContext(onPage[page] ?? []),
    linesOn: (page) => [
      ...(pages[page] ?? []).flatMap(({ id, path }) =>
        (spans.get(id) ?? []).map((span) => ({ ...span, path })),
      ),
      ...shownContext(onPage[page] ?? []),
    ],
    filesShown: () => filesShown(layout.choices, units),
    cleanOf: (page) => record.on(page, onPage[page] ?? [], pages[page] ?? []),
    isAltered: ({ id }) => record.of(id)?.altered === true,
    compose: (page) => withTexts(page, () => layout.set(page)),
    seal: (page) =>
      withTexts(page, () => {
        const rejections = [
          ...laid.shown.rejections,
          ...(context?.chosen[page]?.rejections ?? []),
          ...handled.left.filter(({ id }) => pageNamedIn(id, pages.length) === page),
        ];
        return layout.sealPage(page, { rejections, facts: { page: page + 1, ...placement } });
      }),
    receipt: (more) =>
      layout.seal({
        ...{ warnings, facts: { ...placement, ...more } },
        rejections: [
          ...laid.shown.rejections,
          ...(context?.chosen.flatMap(({ rejections }) => rejections) ?? []),
          ...handled.left,
        ],
      }),
  };
}

/** Which units are shown with less than the plan asks for. */
function lowered(context: ContextOnPages | undefined, layout: Layout, units: UnitsByPath): Warning[] {
  if (context === undefined) return [];
  const kept = new Set(idsOn(layout));
  const short = context.chosen.flatMap((chosen) => {
    const levelOf = levelsShown(chosen, kept);
    const here = new Set(chosen.steps.map(({ home }) => home));
    return [...here].filter((one) => levelOf(one) !== one.row.final_context_level);
  });
  const total = [...units.values()].reduce((sum, list) => sum + list.length, 0);
  return short.length === 0 ? [] : [loweredWarning(short, total)];
}
