// The answer of review:bundles: one bundle for each unit that is reviewed, and everything that is not in one. No line of a side
// stands in two snippets, and none that the diff shows anyway.
import { typeset } from '../../core/assemble.js';
import type { Warning } from '../../core/model/error.js';
import { formatRef } from '../../core/model/fragment.js';
import type { Meter } from '../../core/model/meter.js';
import type { Receipt } from '../../core/model/receipt.js';
import type { Dialect, Recipe } from '../../core/model/recipe.js';
import { hashText } from '../../meters/content-hash.js';
import { loadMeter } from '../../meters/load-meter.js';
import type { Omission } from '../change/omission.js';
import { type OpenReviewOptions, openReview } from '../change/open-review.js';
import { defaultMeter, type ReviewRequest } from '../change/review-request.js';
import { type SecretWatch, secretWatch } from '../change/safe-text.js';
import { type PlannedUnit, plannedUnits, planReview } from '../plan/plan-review.js';
import type { Snippet } from '../units/snippet.js';
import { addedCount, removedCount } from '../units/unit.js';
import { besideNeighbours, joinNeighbours } from './arrange-pieces.js';
import { type ContextBundle, composeBundle, type UnitDiff, unitDiff } from './bundle.js';
import {
  type ContextBody,
  chooseContext,
  contextFragments,
  contextLayers,
  levelsShown,
  loweredWarning,
} from './choose-context.js';
import { type ContextPiece, inOrderOfWorth } from './context-pieces.js';
import { contextSourceOf, type FoundContext, shownByDiff } from './gather-context.js';

export interface BundleAnswer {
  readonly bundles: readonly ContextBundle[];
  readonly omitted: readonly Omission[];
  readonly warnings: readonly Warning[];
  readonly receipt: Receipt;
}

interface BundleRequest extends ReviewRequest {
  /** Cuts the diff of a unit; without it every diff is whole. */
  readonly maxDiffChars?: number | undefined;
  /** Takes out what looks like a secret; without it such values are only counted. */
  readonly redact?: boolean | undefined;
}

export function reviewBundles(request: BundleRequest, context: OpenReviewOptions): Promise<BundleAnswer> {
  const { maxDiffChars, redact = false, ...common } = request;
  const secrets = secretWatch(redact);
  return openReview(common, context, async (opened) => {
    const { request: asked } = opened;
    const meter = await loadMeter(asked.meter ?? defaultMeter);
    const planned = await planReview(opened);
    const units = plannedUnits(planned);
    const reviewed = units.filter(({ row }) => !row.skip_review);
    const source = contextSourceOf(opened, planned, asked.budget?.tokens ?? 'plan');
    const gathered = {
      files: planned.files,
      ...(await source.answer(reviewed)),
      // Only a budget asks for what lies around the change.
      ...(asked.budget === undefined ? { pieces: [], opened: new Map() } : await source.rank(planned.files)),
    };
    const made = makeBundles(reviewed, gathered, {
      meter,
      budget: asked.budget?.tokens,
      maxDiffCharacters: maxDiffChars,
      secrets,
    });
    return {
      bundles: made.bundles,
      omitted: [...planned.omitted, ...skipped(units), ...shortened(made)],
      warnings: [...planned.warnings, ...made.warnings, ...secrets.warnings()],
      receipt: made.receipt,
    };
  });
}

function skipped(units: readonly PlannedUnit[]): Omission[] {
  return units
    .filter(({ row }) => row.skip_review)
    .map(({ unit }) => ({
      path: unit.path,
      reason: 'skipped by the plan',
      rule: 'skip-review',
      added: addedCount(unit),
      removed: removedCount(unit),
      partial: true,
    }));
}

function shortened({ diffs }: MadeBundles): Omission[] {
  return [...diffs].flatMap(([{ unit }, { leftOut }]) =>
    leftOut.added + leftOut.removed === 0
      ? []
      : [
          {
            path: unit.path,
            reason: 'diff above its length limit',
            rule: 'diff-limit',
            ...leftOut,
            partial: true,
          },
        ],
  );
}

interface BundleOptions {
  readonly meter: Meter;
  /** In units of the meter; absent for everything the plan asks for and no more. */
  readonly budget?: number | undefined;
  readonly maxDiffCharacters?: number | undefined;
  /** Looks at every text that is handed over. */
  readonly secrets?: SecretWatch | undefined;
}

interface MadeBundles {
  readonly bundles: readonly ContextBundle[];
  readonly diffs: ReadonlyMap<PlannedUnit, UnitDiff>;
  readonly receipt: Receipt;
  readonly warnings: readonly Warning[];
}

const unlimited = 2 ** 40;
const scope = { project: 'review' };

const recipe: Recipe = {
  id: 'review-bundles',
  version: 2,
  overflow: 'concede',
  layers: contextLayers,
  sections: [{ id: 'snippets', channel: 'prompt' }],
};

function snippetDialect(secrets: SecretWatch): Dialect<ContextBody> {
  return {
    id: 'review-snippets',
    version: 1,
    apart: '',
    section: () => ({ heading: '', between: '' }),
    word({ piece }) {
      const snippet = safeSnippet(piece, secrets);
      return piece.leansOn === undefined ? snippetText(snippet) : `\n\n${snippet.text}\n`;
    },
    finish: (text, { id }) => ({ text, hits: secrets.hitsOf(id) }),
  };
}

function safeSnippet({ id, snippet }: ContextPiece, secrets: SecretWatch): Snippet {
  return { ...snippet, text: secrets.see(id, snippet.text, snippet.path) };
}

export function snippetText({ path, startLine, endLine, text }: Snippet): string {
  return `${formatRef({ path, lines: { start: startLine, end: endLine } })}\n${text}\n`;
}

export function makeBundles(
  units: readonly PlannedUnit[],
  { answers, warnings, files, opened, pieces }: FoundContext,
  options: BundleOptions,
): MadeBundles {
  const { meter, budget, secrets = secretWatch(false) } = options;
  const dialect = snippetDialect(secrets);
  const shown = shownByDiff(files);
  const chosen = chooseContext(
    { units, requests: answers, shown, pieces, files: opened },
    { contextBudget: budget ?? 'plan', diff: 0, meter, dialect, arrange: besideNeighbours },
  );
  const fragments = contextFragments(chosen.pieces, (_, position) => ({
    section: 'snippets',
    position,
    scope,
  }));
  const { receipt } = typeset(
    { recipe, dialect, meter, hash: hashText },
    {
      scope,
      budget: { limit: { unit: meter.unit, n: budget ?? unlimited }, lines: chosen.lines },
      rejections: chosen.rejections,
    },
    fragments,
  );
  const levels = new Map(receipt.ledger.map(({ fragment, level }) => [fragment, level]));
  const standing = fragments.flatMap(({ id, levels: offered }) => {
    const level = levels.get(id);
    return level === undefined ? [] : (offered.find(({ name }) => name === level)?.body.piece ?? []);
  });
  const present = new Set(standing.map(({ id }) => id));
  const kept = inOrderOfWorth(joinNeighbours(standing), pieces).map((piece) => ({
    ...piece,
    snippet: safeSnippet(piece, secrets),
  }));
  const levelOf = levelsShown(chosen, present);
  const diffs = new Map(units.map((one) => [one, unitDiff(one.unit, options.maxDiffCharacters)]));
  const lowered = units.filter((one) => levelOf(one) !== one.row.final_context_level);
  return {
    bundles: units.map((one) =>
      composeBundle(one, {
        diff: diffs.get(one)?.text ?? '',
        level: levelOf(one),
        requests: answers.get(one),
        placed: kept.filter(({ home }) => home === one),
        limited: budget !== undefined,
        safe: (name, text) => secrets.see(`${one.unit.id}:${name}`, text, one.unit.path),
      }),
    ),
    diffs,
    receipt,
    warnings: lowered.length === 0 ? warnings : [...warnings, loweredWarning(lowered, units.length)],
  };
}
