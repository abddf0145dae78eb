// One assembly from request to sealed prompt, without writing anything: what `context:assemble`, `context:inspect` and every run
// of a skill share.

import { wished } from '../../core/admit/wished.js';
import { isGalleyError } from '../../core/model/error.js';
import type { Fragment } from '../../core/model/fragment.js';
import type { Meter } from '../../core/model/meter.js';
import type { SealedPrompt } from '../../core/model/press.js';
import { type Page, partText } from '../../core/model/prompt.js';
import type { Rejection } from '../../core/model/receipt.js';
import type { Dialect } from '../../core/model/recipe.js';
import { cjkEstimateMeter } from '../../meters/cjk-estimate-meter.js';
import { hashText } from '../../meters/content-hash.js';
import { promptCapacity } from '../../models/catalog/catalog.js';
import { type Placement, placed } from '../../models/contract/placement.js';
import type { ContextOrder } from '../layers/context-request.js';
import { anySpelling, fenceId, textsOf } from '../layers/fence.js';
import type { LayerBody } from '../layers/layer-fragment.js';
import { layeredDialect } from '../layers/layered-dialect.js';
import {
  type BudgetProfile,
  defaultBudgetProfile,
  layeredRecipe,
  type PromptFormat,
  scaledLayers,
} from '../layers/layered-recipe.js';
import { layeredWords } from '../layers/layered-words.js';
import { estimateTokens, type Scene } from '../layers/scene.js';
import { budgetFallback, overLineWarning, trimWarnings } from '../layers/warnings.js';
import { readTask } from '../sources/read-task.js';
import type { Weighing } from './context-meter.js';
import type { ContextReceipt } from './context-result.js';
import {
  aimedAt,
  doesNotFit,
  inputTooLarge,
  mostInputTokens,
  windowTotal,
  withOthersApart,
} from './context-room.js';
import { type ContextPorts, type GatheredScene, gatherContext } from './gather-context.js';
import { gaveWay, type LayerPress, type PressedLayers, pressLayers } from './press-layers.js';
import {
  anchorOf,
  type HistoryRecord,
  historyDigest,
  type PromptHistory,
  type StablePrefix,
  stablePrefix,
} from './prompt-history.js';
import { shortenedWindow, steadyLayout } from './steady-layout.js';

export interface SetContext extends PressedLayers, GatheredScene {
  readonly format: PromptFormat;
  readonly dialect: Dialect<LayerBody>;
  readonly meter: Meter;
  /** Tokens there are for everything that is set; a skill may aim at less. */
  readonly total: number;
  /** The skill's own system text, where it is not part of what is set. */
  readonly apart: string;
  readonly page: Page;
  readonly sealed: SealedPrompt & { readonly receipt: ContextReceipt };
  readonly prefix: StablePrefix;
  readonly window: ReturnType<typeof shortenedWindow>;
  /** Names of the levels a piece can stand at, fullest first. */
  levelsOf(id: string): readonly string[];
}

export interface SetOptions {
  /** Id of the receipt of the call before, in a conversation. */
  readonly previous?: string | undefined;
  /** How the model takes its texts. */
  readonly placement?: Placement | undefined;
}

export async function setContext(
  order: ContextOrder,
  ports: ContextPorts,
  options: SetOptions = {},
): Promise<SetContext> {
  const gathered = await gatherContext(order, ports);
  await ports.giveWay?.();
  const { skill, scene, weighing, budget } = gathered;
  const format = skill === undefined ? 'layers' : order.format;
  const isInText = anySpelling([scene.indexed.text]);
  const isBeside = anySpelling(textsBeside(gathered));
  const fence = fenceId(scene.project, (id) => isInText(id) || isBeside(id));
  const dialect = layeredDialect({
    ...{ language: order.language, format, fence },
    titles: { text: scene.title, task: skill?.name ?? '' },
    marksTaken: isInText('【光标') || isInText('<<cursor'),
  });
  const words = layeredWords[order.language];
  const { offered, left } = wished(
    skill === undefined
      ? gathered.fragments
      : [
          ...withOthersApart(gathered.fragments, new Set(order.entities)),
          ...(format === 'layers' ? [] : readTask({ skill, scene, words, fence })),
        ],
    order,
  );
  const guess = guessTokens(offered, dialect);
  const selected = selectedTokens(scene);
  if (guess > 2 * mostInputTokens || selected > mostInputTokens)
    throw inputTooLarge(Math.max(guess, selected));
  const apart = format === 'layers' ? (skill?.prompt.system ?? '') : '';
  const set = withFallback(weighing, (meter) => {
    const profile = weighing.failed() ? defaultBudgetProfile : budget.profile;
    const laid = layLayers(offered, {
      ...{ order, gathered, format, dialect, meter, profile, apart, guess },
      placement: options.placement,
    });
    const told = { ...laid, rejections: [...left, ...laid.rejections] };
    return { ...told, ...sealLayers(told, { order, gathered, dialect, meter, options }) };
  });
  const { fragments } = gathered;
  const levelsOf = (id: string) =>
    fragments.find((fragment) => fragment.id === id)?.levels.map(({ name }) => name) ?? [];
  return { ...gathered, ...set, format, dialect, apart, levelsOf };
}

/** A selection is never cut, so it must be small enough by itself. */
function selectedTokens({ indexed, window }: Scene): number {
  if (window.end - window.start <= mostInputTokens) return 0;
  return Math.ceil(estimateTokens(indexed.text.slice(window.start, window.end)));
}

/** Everything that is offered beside the text at hand, in words that are not ours. */
function textsBeside({ fragments, scene: { title, instruction } }: GatheredScene): Iterable<string> {
  return [title, instruction, ...textsOf(fragments.filter(({ section }) => section !== 'text'))];
}

/** A tokenizer that failed half-way leaves mixed weights behind: all is set again with the fallback. */
function withFallback<T>(weighing: Weighing, attempt: (meter: Meter) => T): T {
  try {
    const outcome = attempt(weighing.meter);
    if (!weighing.failed() || weighing.meter === cjkEstimateMeter) return outcome;
  } catch (error) {
    if (!weighing.failed() || weighing.meter === cjkEstimateMeter) throw error;
  }
  return attempt(cjkEstimateMeter);
}

interface Setting {
  readonly order: ContextOrder;
  readonly gathered: GatheredScene;
  readonly dialect: Dialect<LayerBody>;
  readonly meter: Meter;
  readonly profile: BudgetProfile;
}

interface Laid extends PressedLayers {
  readonly meter: Meter;
  readonly total: number;
  /** Tokens that Rules keep to. */
  readonly line: number;
  readonly window: ReturnType<typeof shortenedWindow>;
  readonly record: Omit<HistoryRecord, 'digest'>;
  readonly rejections: readonly Rejection[];
}

function layLayers(
  offered: readonly Fragment<LayerBody>[],
  setting: Setting & {
    format: PromptFormat;
    apart: string;
    guess: number;
    placement?: Placement | undefined;
  },
): Laid {
  const { order, gathered, format, dialect, meter, profile, apart, guess, placement } = setting;
  const { skill, scene } = gathered;
  const window = Math.min(windowTotal(profile, meter, apart), roomIn(order, meter, apart));
  const wall = Math.min(order.budget?.tokens ?? window, window);
  const pressOf = (total: number, lineOf: number): LayerPress => {
    const recipe = layeredRecipe(format === 'layers' ? profile : scaledLayers(profile, wall), {
      ...{ total, lineOf, format, refill: order.refill, people: skill !== undefined },
    });
    const press = { recipe, dialect, meter, hash: hashText };
    const asTaken = placement === undefined ? press : placed(press, placement);
    return { ...press, ...asTaken, meter, project: scene.project, total };
  };
  const figure = order.budget === undefined ? skill?.budgetTokens : undefined;
  const target = figure === undefined ? undefined : figure - Math.ceil(meter.weigh(apart) / meter.scale);
  // Rules keep to their part of the window; only where that does not fit, to their part of what there is.
  for (const lineOf of wall < window ? [window, wall] : [wall]) {
    const aimed = aimedAt(target, offered, pressOf(wall, lineOf));
    const press = pressOf(aimed.total, lineOf);
    try {
      const exact = guarded(aimed.fragments, press, guess);
      const laid = layOutSteadily(exact, press, { order, gathered });
      const line = Math.floor((press.recipe.layers[0]?.share ?? 1) * aimed.total);
      const rejections = [...aimed.rejections, ...laid.rejections];
      return { ...laid, meter, total: wall, line, rejections };
    } catch (error) {
      if (!isGalleyError(error) || error.code !== 'CONTEXT_BUDGET_INFEASIBLE') throw error;
      if (lineOf === wall) throw doesNotFit(error, aimed.fragments, press);
    }
  }
  throw inputTooLarge(guess);
}

/** The window of the model less its answer, where it is known. */
function roomIn({ model = '' }: ContextOrder, meter: Meter, apart: string): number {
  const room = model === '' ? undefined : promptCapacity(model, { meter: meter.id });
  return room === undefined
    ? Number.POSITIVE_INFINITY
    : Math.max(1, room - Math.ceil(meter.weigh(apart) / meter.scale));
}

function layOutSteadily(
  exact: PressedLayers,
  press: LayerPress,
  { order, gathered }: Pick<Setting, 'order' | 'gathered'>,
): Omit<Laid, 'meter' | 'total' | 'line'> {
  const { scene } = gathered;
  const history = order.layout === 'exact' ? undefined : gathered.history;
  const window = shortenedWindow(exact, history, scene);
  const untouched = { ...exact, window, record: { used: false, withheld: 0 }, rejections: [] };
  if (history === undefined || !(gaveWay(exact) || hasStretch(history, scene))) return untouched;
  const steady = held(() =>
    steadyLayout(exact, { history, scene, dialect: press.dialect.id }, (fragments) =>
      pressLayers(fragments, press),
    ),
  );
  if (steady === undefined) return untouched;
  const { withheld, window: moved, ...set } = steady;
  return {
    ...set,
    window: moved,
    record: { used: true, withheld, ...movedIn(moved) },
    rejections: withheldLines(exact, set),
  };
}

/** Text that keeps its start for a while, and with it what stands before it. */
function hasStretch(history: PromptHistory, { stretch, documentId }: Scene): boolean {
  return stretch !== undefined && anchorOf(history, documentId) !== undefined;
}

function movedIn(window: { readonly moved: string } | undefined): { window?: string } {
  return window === undefined ? {} : { window: window.moved };
}

/** A prompt that stays like the one before is set from fewer fragments than were gathered: those held back have their lines, too. */
function withheldLines(exact: PressedLayers, set: PressedLayers): Rejection[] {
  const known = new Set(set.layout.choices.map(({ wording }) => wording.fragment.id));
  return exact.layout.choices.flatMap(({ wording: { fragment } }): Rejection[] => {
    const { id, source, layer } = fragment;
    if (known.has(id)) return [];
    return [
      { id, source, layer, verdict: 'withheld', reason: 'so that the prompt stays like the one before' },
    ];
  });
}

/** What was shown before may have become too large to be held; then the literal result stands. */
function held<T>(attempt: () => T): T | undefined {
  try {
    return attempt();
  } catch (error) {
    if (isGalleyError(error) && error.code === 'CONTEXT_BUDGET_INFEASIBLE') return undefined;
    throw error;
  }
}

/** Refuses what is too large before trimming; what cannot fit because of its size says so as well. */
function guarded(fragments: readonly Fragment<LayerBody>[], press: LayerPress, guess: number): PressedLayers {
  try {
    const set = pressLayers(fragments, press);
    // A code unit is a token at most: what is short enough need not be weighed.
    if (guess <= mostInputTokens) return set;
    let offered = 0;
    for (const { wording } of set.layout.choices) offered += wording.levels[0]?.weight() ?? 0;
    if (offered > mostInputTokens * press.meter.scale)
      throw inputTooLarge(Math.ceil(offered / press.meter.scale));
    return set;
  } catch (error) {
    const infeasible = isGalleyError(error) && error.code === 'CONTEXT_BUDGET_INFEASIBLE';
    throw infeasible && guess > mostInputTokens ? inputTooLarge(guess) : error;
  }
}

function guessTokens(fragments: readonly Fragment<LayerBody>[], dialect: Dialect<LayerBody>): number {
  const said = (fragment: Fragment<LayerBody>) => {
    const body = fragment.levels[0]?.body;
    return body === undefined ? '' : dialect.word(body, fragment, 1);
  };
  const most = fragments.reduce((sum, fragment) => sum + said(fragment).length, 0);
  if (most <= mostInputTokens) return most;
  return Math.ceil(fragments.reduce((sum, fragment) => sum + estimateTokens(said(fragment)), 0));
}

function sealLayers(
  { fragments, layout, record, line, rejections }: Laid,
  { order, gathered, dialect, meter, options }: Omit<Setting, 'profile'> & { options: SetOptions },
): Pick<SetContext, 'page' | 'sealed' | 'prefix'> {
  const page = layout.set(0);
  const isExact = order.layout === 'exact';
  const prefix = stablePrefix(page, fragments, { dialect: dialect.id, hash: hashText });
  const { history, weighing, scene, wanted } = gathered;
  const receipt = layout.seal({
    rejections: [...gathered.rejections, ...rejections, ...unreadText(scene, wanted.surrounding)],
    warnings: [
      ...gathered.warnings,
      ...(weighing.failed() ? [budgetFallback] : []),
      ...overLineWarning(layout.choices, line, meter),
      ...trimWarnings(layout.choices, rejections),
    ],
    facts: {
      // An exact layout does not look at it.
      lane: { ...record, digest: isExact ? undefined : historyDigest(history, hashText) },
      stablePrefixHash: prefix.hash,
    },
    ...(options.previous === undefined ? {} : { previous: options.previous }),
  }) as ContextReceipt;
  return {
    page,
    prefix,
    sealed: { system: partText(page, 'system'), prompt: partText(page, 'prompt'), receipt },
  };
}

/** A chapter longer than what is read around the cursor: the rest of it was not offered. */
function unreadText({ indexed, window }: Scene, surrounding: number | undefined): Rejection[] {
  // A skill that asks for a stretch of its own has all it asked for.
  if (surrounding !== undefined) return [];
  const line = (id: string): Rejection => ({
    ...{ id, source: 'document', layer: 'immediate' },
    verdict: 'over-limit',
    reason: 'farther from the cursor than is read',
  });
  return [
    ...(window.from > 0 ? [line('text:before:0')] : []),
    ...(window.to < indexed.text.length ? [line(`text:after:${window.to}`)] : []),
  ];
}
