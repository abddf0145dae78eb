// The context of every unit of a plan: diff always, its level from the syntax tree, what was asked for, and under a budget the
// lines most worth seeing. No line of a side stands in two snippets.
import type { Meter } from '../../core/model/meter.js';
import type { Receipt } from '../../core/model/receipt.js';
import type { Warning } from '../../core/model/warning.js';
import type { Repository } from '../../git/repository/open-repository.js';
import { makeLexicon } from '../related/lexicon.js';
import { type RankedPiece, rankPieces } from '../related/rank-pieces.js';
import type { ChangedFile } from '../units/changed-file.js';
import type { ContextBundle } from './bundle.js';
import { levelsKept, pressBundles, type SnippetFragment, snippetText } from './bundle-press.js';
import { claimedLines } from './claimed-lines.js';
import { composeBundle } from './compose-bundle.js';
import { type FittedLevels, fitLevels } from './fit-levels.js';
import { byRisk, levelSnippets, type PlannedUnit, riskRank } from './planned-unit.js';
import { relatedContext } from './related-context.js';
import { repositoryCorpus } from './repository-corpus.js';
import { homeOf, orderSnippets, type PlacedSnippet } from './snippet-order.js';
import { type TreeLibrary, treeLibrary } from './tree-library.js';
import { type UnitDiff, unitDiff } from './unit-diff.js';
import { answerRequests, type RequestAnswers } from './unit-requests.js';
import { shownByDiff, visibleChangeOf } from './visible-change-of.js';

export interface ContextGround {
  readonly repository: Repository;
  readonly files: readonly ChangedFile[];
  readonly tree: string;
  /** The commit whose history may be read. */
  readonly past: string | undefined;
  /** Also ranks what lies around the change, which only a budget asks for. */
  readonly ranked: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** What could be shown, whatever the budget. */
export interface GatheredContext extends RequestAnswers {
  readonly files: readonly ChangedFile[];
  readonly library: TreeLibrary;
  readonly pieces: readonly RankedPiece[];
}

export interface BundleWish {
  readonly meter: Meter;
  /** In units of the meter; absent for everything the plan asks for and no more. */
  readonly budget?: number | undefined;
  readonly mostDiffCharacters?: number | undefined;
}

export interface MadeBundles {
  readonly bundles: readonly ContextBundle[];
  readonly diffs: ReadonlyMap<PlannedUnit, UnitDiff>;
  readonly receipt: Receipt;
  readonly warnings: readonly Warning[];
}

/** The part of a budget that levels and requests may claim before anything is ranked; what ranking puts first is worth more. */
const planShare = 0.25;
const unlimited = 2 ** 40;

export async function gatherContext(
  units: readonly PlannedUnit[],
  ground: ContextGround,
): Promise<GatheredContext> {
  const { repository, files, tree, signal } = ground;
  const library = treeLibrary(repository, { tree, signal });
  const asked = await answerRequests(units, { repository, library, tree, signal });
  return { ...asked, files, library, pieces: ground.ranked ? await rankedPieces(ground, library) : [] };
}

export async function makeBundles(
  units: readonly PlannedUnit[],
  { answers, warnings, files, library, pieces }: GatheredContext,
  wish: BundleWish,
): Promise<MadeBundles> {
  const { meter, budget } = wish;
  const limit = budget === undefined ? unlimited : Math.floor(budget * planShare);
  // Under a budget nothing is paid for that the diff shows anyway.
  const shown = budget === undefined ? [] : shownByDiff(files);
  const fitted = fitLevels(units, { meter, limit, requests: answers, shown });
  const claimed = claimedLines(shown);
  const placed = placePlanned(units, fitted, claimed);
  if (budget !== undefined) {
    const room = { meter, limit: budget - weightOf(placed, meter), claimed, library };
    for (const snippet of await relatedContext(pieces, room)) {
      const home = homeOf(snippet, units);
      if (home !== undefined) placed.push({ snippet, layer: 'related', home });
    }
  }
  const { kept, receipt } = settle(orderSnippets(placed, pieces), { meter, limit: budget ?? unlimited });
  const diffs = new Map(units.map((one) => [one, unitDiff(one.unit, wish.mostDiffCharacters)]));
  const lowered = units.filter((one) => fitted.levels.get(one) !== one.row.final_context_level);
  return {
    bundles: units.map((one) =>
      composeBundle(one, {
        diff: diffs.get(one)?.text ?? '',
        level: fitted.levels.get(one) ?? 'diff_only',
        requests: answers.get(one),
        placed: kept.filter(({ home }) => home === one),
        limited: budget !== undefined,
      }),
    ),
    diffs,
    receipt,
    warnings: lowered.length === 0 ? warnings : [...warnings, loweredWarning(lowered.length, units.length)],
  };
}

function placePlanned(
  units: readonly PlannedUnit[],
  { levels, requested }: FittedLevels,
  claimed: ReturnType<typeof claimedLines>,
): PlacedSnippet[] {
  const inOrder = [...units].sort(byRisk);
  const place = (home: PlannedUnit, layer: PlacedSnippet['layer']) => {
    const wanted =
      layer === 'levels' ? levelSnippets(home, levels.get(home) ?? 'diff_only') : (requested.get(home) ?? []);
    return wanted.flatMap((one) => claimed.claim(one)).map((snippet) => ({ snippet, layer, home }));
  };
  return [
    ...inOrder.flatMap((one) => place(one, 'levels')),
    ...inOrder.flatMap((one) => place(one, 'requests')),
  ];
}

function rankedPieces(ground: ContextGround, library: TreeLibrary): Promise<RankedPiece[]> {
  const { repository, tree, past, signal, files } = ground;
  const lexicon = makeLexicon();
  const corpus = repositoryCorpus(repository, { library, lexicon, tree, past, signal });
  return rankPieces({ change: visibleChangeOf(files), corpus, lexicon });
}

/** The last word of the press on what was chosen: its ledger, and nothing above the budget. */
function settle(
  placed: readonly PlacedSnippet[],
  budget: { readonly meter: Meter; readonly limit: number },
): { kept: PlacedSnippet[]; receipt: Receipt } {
  const idOf = ({ snippet }: PlacedSnippet) =>
    `${snippet.side}:${snippet.path}:${snippet.startLine}-${snippet.endLine}`;
  const fragments = placed.map((one, position): SnippetFragment => {
    const rank = one.layer === 'levels' ? riskRank(one.home) : -position;
    return {
      id: idOf(one),
      layer: one.layer,
      rank,
      position,
      levels: [{ name: one.layer, snippets: [one.snippet] }],
    };
  });
  const assembly = pressBundles(fragments, budget);
  const kept = levelsKept(assembly);
  return { kept: placed.filter((one) => kept.has(idOf(one))), receipt: assembly.receipt };
}

function weightOf(placed: readonly PlacedSnippet[], meter: Meter): number {
  return placed.reduce(
    (sum, { snippet }) => sum + Math.ceil(meter.weigh(snippetText(snippet)) / meter.scale),
    0,
  );
}

function loweredWarning(lowered: number, total: number): Warning {
  return {
    code: 'CONTEXT_LEVELS_LOWERED',
    message: `${lowered} of ${total} units are shown with less context than planned, because the budget is too small.`,
    details: { lowered, total },
  };
}
