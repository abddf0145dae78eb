// One assembly from request to set prompt, without writing anything: what `context:assemble` and `context:inspect` share.
import type { Dialect } from '../../core/model/dialect.js';
import { GalleyError, isGalleyError } from '../../core/model/error.js';
import type { Fragment } from '../../core/model/fragment.js';
import type { Meter } from '../../core/model/meter.js';
import type { Warning } from '../../core/model/warning.js';
import { cjkEstimateMeter } from '../../meters/cjk-estimate-meter.js';
import { hashText } from '../../meters/content-hash.js';
import type { Skill } from '../../skills/skill.js';
import type { Store } from '../../store/store.js';
import { estimateTokens } from '../layers/estimate-tokens.js';
import { gatherLayers } from '../layers/gather-layers.js';
import type { LayerBody } from '../layers/layer-body.js';
import { itemSource, type LayerItemSource } from '../layers/layer-item.js';
import { layeredDialect } from '../layers/layered-dialect.js';
import { layeredRecipe } from '../layers/layered-recipe.js';
import { type LayerPress, type PressedLayers, pressLayers } from '../layers/press-layers.js';
import type { Scene } from '../layers/scene.js';
import { wantedBy } from '../layers/wanted.js';
import type { EmbeddingSource } from '../retrieval/embedding-source.js';
import { withUntoldLines } from '../story/left-out.js';
import { type BudgetProfile, defaultBudgetProfile } from './budget-profile.js';
import { type LoadMeter, readMeter, type Weighing } from './context-meter.js';
import type { CheckedContextRequest } from './context-request.js';
import { budgetFallback } from './context-warnings.js';
import { deadline } from './deadline.js';
import { type FoundSkill, findSkill } from './find-skill.js';
import { type LaneRecord, type LaneState, laneDigest, laneName, readLane } from './lane.js';
import { readBudget } from './read-budget.js';
import { readScene } from './read-scene.js';
import { shortenedWindow, steadyLayout } from './steady-layout.js';
import { withUnreadText } from './with-unread-text.js';
import { withWithheldLines } from './with-withheld-lines.js';

export const mostInputTokens = 64_000;

export interface ContextPorts {
  readonly store: Store;
  readonly signal: AbortSignal;
  /** A skill the caller has found already. */
  readonly skill?: Skill;
  readonly sources?: readonly LayerItemSource[];
  readonly loadMeter?: LoadMeter;
  /** Whether a text tells what must not be known at this point of the story. */
  readonly tellsSecret?: ((text: string) => boolean) | undefined;
  /** Off unless given. */
  readonly embeddings?: EmbeddingSource | undefined;
}

export interface SetContext extends PressedLayers {
  readonly scene: Scene;
  readonly dialect: LayerPress['dialect'];
  readonly profile: BudgetProfile;
  readonly version: number;
  readonly total: number;
  readonly system: string;
  readonly meter: Meter;
  readonly lane: LaneState | undefined;
  readonly laneName: string;
  readonly laneRecord: LaneRecord;
  readonly window: ReturnType<typeof shortenedWindow>;
  readonly warnings: readonly Warning[];
}

export async function setContext(request: CheckedContextRequest, ports: ContextPorts): Promise<SetContext> {
  const { store, signal } = ports;
  const { projectId, skillId, language, model = '' } = request;
  const warnings: Warning[] = [];
  const note = (warning: Warning) => warnings.push(warning);
  const lane = laneName(skillId, model);
  const [found, budget, previous, weighing] = await Promise.all([
    ports.skill === undefined ? findSkill(store, request) : given(ports.skill),
    readBudget(store, projectId),
    store.lanes.get(projectId, lane).then(readLane, () => {
      note({ code: 'LANE_UNAVAILABLE', message: 'LANE_UNAVAILABLE: 上次请求的记录无法读取' });
      return undefined;
    }),
    readMeter(model, ports.loadMeter),
  ]);
  for (const { warning } of [found, budget, weighing]) if (warning !== undefined) note(warning);

  const wanted = wantedBy(found.skill, found.readsChapter);
  const read = await readScene(request, store, { surrounding: wanted.surrounding, note });
  const scene = ports.tellsSecret === undefined ? read : { ...read, tellsSecret: ports.tellsSecret };
  const gathered = await gatherLayers(
    { store, scene, wanted, entities: request.entities, embeddings: ports.embeddings },
    { deadline, signal, sources: (ports.sources ?? []).map((source) => itemSource(source, scene, note)) },
  );
  signal.throwIfAborted();
  const dialect = layeredDialect(scene.title, language);
  const guess = guessTokens(gathered.fragments, dialect);
  if (guess > 2 * mostInputTokens) throw inputTooLarge(guess);

  const system = found.skill?.prompt.system ?? '';
  const press = (meter: Meter, profile: BudgetProfile) => {
    const total = totalOf(profile, meter, system);
    const recipe = layeredRecipe(profile, { total, refill: request.refill });
    return { recipe, dialect, meter, hash: hashText, project: projectId, total };
  };
  const attempt = (meter: Meter, profile: BudgetProfile) => {
    const pressing = press(meter, profile);
    const set = layOut(guarded(gathered.fragments, pressing, guess), pressing, {
      lane: request.layout === 'exact' ? undefined : previous,
      scene,
    });
    return { ...set, profile, meter, total: pressing.total };
  };
  const { laneRecord, ...set } = withFallback(weighing, (meter) =>
    attempt(meter, weighing.failed() ? defaultBudgetProfile : budget.profile),
  );
  if (weighing.failed()) note(budgetFallback);
  const told = withUntoldLines(set.receipt, gathered.untold);
  return {
    ...set,
    dialect,
    // A skill that asks for a stretch of its own has all it asked for.
    receipt: wanted.surrounding === undefined ? withUnreadText(told, scene) : told,
    scene,
    version: budget.version,
    system,
    lane: previous,
    laneName: lane,
    laneRecord: { ...laneRecord, digest: laneDigest(previous, hashText) },
    warnings: [...warnings, ...gathered.warnings],
  };
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

function given(skill: Skill): FoundSkill {
  return { skill, readsChapter: false };
}

interface Laid extends PressedLayers {
  readonly window: ReturnType<typeof shortenedWindow>;
  readonly laneRecord: Omit<LaneRecord, 'digest'>;
}

interface LayOutOptions {
  readonly lane: LaneState | undefined;
  readonly scene: Scene;
}

function layOut(exact: PressedLayers, press: LayerPress, { lane, scene }: LayOutOptions): Laid {
  const untouched = { used: false, withheld: 0 };
  if (exact.receipt.concessions.made === 0) return { ...exact, window: undefined, laneRecord: untouched };
  const window = shortenedWindow(exact, lane, scene);
  if (lane === undefined) return { ...exact, window, laneRecord: untouched };
  const steady = held(() =>
    steadyLayout(exact, { lane, scene }, (fragments) => pressLayers(fragments, press)),
  );
  if (steady === undefined) return { ...exact, window, laneRecord: untouched };
  const { withheld, ...set } = { ...steady, receipt: withWithheldLines(steady.receipt, exact.receipt) };
  const record = { used: true, withheld, ...(set.window === undefined ? {} : { window: set.window.moved }) };
  return { ...set, laneRecord: record };
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
    const offered = set.receipt.ledger.reduce((sum, { amount }) => sum + (amount ?? 0), 0);
    if (offered > mostInputTokens) throw inputTooLarge(offered);
    return set;
  } catch (error) {
    const infeasible = isGalleyError(error) && error.code === 'CONTEXT_BUDGET_INFEASIBLE';
    throw infeasible && guess > mostInputTokens ? inputTooLarge(guess) : error;
  }
}

function guessTokens(fragments: readonly Fragment<LayerBody>[], dialect: Dialect<LayerBody>): number {
  const words = fragments.flatMap((fragment) => {
    const body = fragment.levels[0]?.body;
    return body === undefined ? [] : dialect.word(body, fragment, 1);
  });
  // A code unit is a token at most: what is short enough needs no closer look.
  const most = words.reduce((sum, { length }) => sum + length, 0);
  if (most <= mostInputTokens) return most;
  return Math.ceil(words.reduce((sum, text) => sum + estimateTokens(text), 0));
}

function inputTooLarge(tokens: number): GalleyError {
  return new GalleyError(
    'CONTEXT_INPUT_TOO_LARGE',
    `The input is about ${tokens} tokens before trimming and at most ${mostInputTokens} are taken; narrow retrieval, the selection or the extra input (请缩小检索范围).`,
    { details: { tokens, limit: mostInputTokens } },
  );
}

function totalOf({ window, outputReserve }: BudgetProfile, meter: Meter, system: string): number {
  const systemTokens = system === '' ? 0 : Math.ceil(meter.weigh(system) / meter.scale);
  const total = window - systemTokens - outputReserve;
  if (total > 0) return total;
  throw new GalleyError(
    'CONTEXT_BUDGET_INFEASIBLE',
    `The window of ${window} tokens is used up by the system prompt (${systemTokens}) and the output reserve (${outputReserve}).`,
    { details: { window, system: systemTokens, outputReserve, missing: 1 - total } },
  );
}
