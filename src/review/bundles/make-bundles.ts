// The context of every unit of a plan as bundles: diff always, its level from the syntax tree, what was asked for, and under a
// budget the lines most worth seeing. No line of a side stands in two snippets, and none that the diff shows anyway.
import { typeset } from '../../core/assemble.js';
import type { Warning } from '../../core/model/error.js';
import { formatRef } from '../../core/model/fragment.js';
import type { Meter } from '../../core/model/meter.js';
import type { Receipt } from '../../core/model/receipt.js';
import type { Dialect, Recipe } from '../../core/model/recipe.js';
import { hashText } from '../../meters/content-hash.js';
import { type SecretWatch, secretWatch } from '../secret-watch.js';
import { besideNeighbours, joinNeighbours } from './arrange-pieces.js';
import type { ContextBundle } from './bundle.js';
import {
  type ContextBody,
  chooseContext,
  contextFragments,
  contextLayers,
  levelsShown,
} from './choose-context.js';
import { composeBundle } from './compose-bundle.js';
import { type ContextPiece, inOrderOfWorth } from './context-pieces.js';
import type { GatheredContext } from './gather-context.js';
import type { PlannedUnit } from './planned-unit.js';
import type { Snippet } from './snippet.js';
import { type UnitDiff, unitDiff } from './unit-diff.js';
import { shownByDiff } from './visible-change-of.js';

export interface BundleWish {
  readonly meter: Meter;
  /** In units of the meter; absent for everything the plan asks for and no more. */
  readonly budget?: number | undefined;
  readonly mostDiffCharacters?: number | undefined;
  /** Looks at every text that is handed over. */
  readonly secrets?: SecretWatch | undefined;
}

export interface MadeBundles {
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
  { answers, warnings, files, opened, pieces }: GatheredContext,
  wish: BundleWish,
): MadeBundles {
  const { meter, budget, secrets = secretWatch(false) } = wish;
  const dialect = snippetDialect(secrets);
  const shown = shownByDiff(files);
  const chosen = chooseContext(
    { units, requests: answers, shown, pieces, files: opened },
    { wish: budget ?? 'plan', diff: 0, meter, dialect, arrange: besideNeighbours },
  );
  const { receipt } = typeset(
    { recipe, dialect, meter, hash: hashText },
    {
      scope,
      budget: { limit: { unit: meter.unit, n: budget ?? unlimited }, lines: chosen.lines },
      rejections: chosen.rejections,
    },
    contextFragments(chosen.pieces, (_, position) => ({ section: 'snippets', position, scope })),
  );
  const present = new Set(
    receipt.ledger.filter(({ level }) => level !== undefined).map(({ fragment }) => fragment),
  );
  const kept = inOrderOfWorth(joinNeighbours(chosen.pieces.filter(({ id }) => present.has(id))), pieces).map(
    (piece) => ({ ...piece, snippet: safeSnippet(piece, secrets) }),
  );
  const levelOf = levelsShown(chosen, present);
  const diffs = new Map(units.map((one) => [one, unitDiff(one.unit, wish.mostDiffCharacters)]));
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

const mostNamed = 20;

export function loweredWarning(lowered: readonly PlannedUnit[], total: number): Warning {
  return {
    code: 'CONTEXT_LEVELS_LOWERED',
    message: `${lowered.length} of ${total} units are shown with less context than planned, because the room is too small.`,
    details: {
      lowered: lowered.length,
      total,
      units: lowered.slice(0, mostNamed).map(({ unit }) => unit.id),
    },
  };
}
