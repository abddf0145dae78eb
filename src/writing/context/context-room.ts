// How much room does an assembly have? Walls: what the request allows, or the window less the answer. A skill's own figure is no
// wall: it is where optional text stops, and what must be there may exceed it.
import { roomBeside } from '../../core/lay-out.js';
import { GalleyError } from '../../core/model/error.js';
import type { Fragment } from '../../core/model/fragment.js';
import { amountOf, type Meter } from '../../core/model/meter.js';
import type { Rejection } from '../../core/model/receipt.js';
import type { LayerBody } from '../layers/layer-fragment.js';
import { detectedRank } from '../sources/read-entities.js';
import { assembleOptionsOf, type LayerPress } from './press-layers.js';

export const mostInputTokens = 64_000;

const optionalSections: ReadonlySet<string> = new Set(['story', 'promises', 'cases', 'retrieved']);

/** What a skill can do without: passages, the story so far, and people who are not in the scene. */
function isOptional({ layer, section }: Fragment): boolean {
  return layer === 'people' || optionalSections.has(section);
}

/** People who are not in the scene give way on their own; who was asked for by name is in it. */
export function withOthersApart(
  fragments: readonly Fragment<LayerBody>[],
  asked: ReadonlySet<string>,
): readonly Fragment<LayerBody>[] {
  return fragments.map((fragment) => {
    const body = fragment.levels[0]?.body;
    if (body?.kind !== 'entity' || fragment.pinned || fragment.rank >= detectedRank) return fragment;
    const isAsked = asked.has(body.name) || asked.has(fragment.id.slice('entity:'.length));
    return isAsked ? { ...fragment, rank: detectedRank } : { ...fragment, layer: 'people' };
  });
}

export interface Aimed {
  /** The limit to set with. */
  readonly total: number;
  readonly fragments: readonly Fragment<LayerBody>[];
  readonly rejections: readonly Rejection[];
}

/** What is offered within a skill's figure; where that is used up by what must be there, optional text stays out altogether. */
export function aimedAt(
  target: number | undefined,
  fragments: readonly Fragment<LayerBody>[],
  press: LayerPress,
): Aimed {
  const whole = { total: press.total, fragments, rejections: [] };
  if (target === undefined || target >= press.total || !fragments.some(isOptional)) return whole;
  const must = fragments.filter((fragment) => !isOptional(fragment));
  const filled = new Set(must.map(({ section }) => section));
  const spread = [...new Set(fragments.map(({ section }) => section))].filter((id) => !filled.has(id));
  const needed = amountOf(press.meter, roomBeside(press, assembleOptionsOf(press), must, spread).needed).n;
  if (needed < target) return { ...whole, total: target };
  const rejections = fragments.filter(isOptional).map(
    ({ id, source, layer }): Rejection => ({
      ...{ id, source, layer },
      verdict: 'over-limit',
      reason: `what the skill must have takes up the ${target} tokens it aims at`,
    }),
  );
  return { ...whole, fragments: must, rejections };
}

/** The refusal when what must stay does not fit: which parts need how much, which floors they stand on, which rules are too many. */
export function doesNotFit(
  error: GalleyError,
  fragments: readonly Fragment<LayerBody>[],
  press: LayerPress,
): GalleyError {
  const { needed = 0, limit = press.total, missing = 0, parts } = error.details ?? {};
  const offered = new Set(fragments.map(({ layer }) => layer));
  const floors = press.recipe.layers
    .filter(({ id, floor = 0 }) => floor > 0 && offered.has(id))
    .map(({ id, floor }) => `${id} ${floor}`);
  const said = Array.isArray(parts) ? parts.join(', ') : '';
  const kept = floors.length === 0 ? '' : `; layers keep at least: ${floors.join(', ')}`;
  const left = constraintsTooMany(fragments, press);
  return new GalleyError(
    'CONTEXT_BUDGET_INFEASIBLE',
    `What must stay needs ${needed} tokens and there are ${limit}: ${missing} too many (${said}${kept}). Select less text, ask with a larger budget or a model with a larger window, shorten the rules, or lower the floors of the layers.`,
    { details: { ...error.details, floors, ...(left.length === 0 ? {} : { constraints: left }) } },
  );
}

/** The task and the text first: without them there would be nothing to keep rules for. */
function constraintsTooMany(
  fragments: readonly Fragment<LayerBody>[],
  { dialect, meter, total }: LayerPress,
): string[] {
  const pinned = fragments.filter((fragment) => fragment.pinned);
  pinned.sort(
    (a, b) => Number(a.section === 'constraints') - Number(b.section === 'constraints') || b.rank - a.rank,
  );
  const left: string[] = [];
  let used = 0;
  for (const fragment of pinned) {
    const body = fragment.levels[0]?.body;
    if (body === undefined) continue;
    used += amountOf(meter, meter.weigh(dialect.word(body, fragment, 1))).n;
    if (used > total && fragment.section === 'constraints')
      left.push(fragment.id.slice('constraint:'.length));
  }
  return left;
}

export function inputTooLarge(tokens: number): GalleyError {
  return new GalleyError(
    'CONTEXT_INPUT_TOO_LARGE',
    `The input is about ${tokens} tokens before trimming and at most ${mostInputTokens} are taken; narrow retrieval, the selection or the extra input (请缩小检索范围).`,
    { details: { tokens, limit: mostInputTokens } },
  );
}

/** Window less the system text of the caller and the answer. */
export function windowTotal(
  { window, outputReserve }: { readonly window: number; readonly outputReserve: number },
  meter: Meter,
  system: string,
): number {
  const systemTokens = system === '' ? 0 : Math.ceil(meter.weigh(system) / meter.scale);
  const total = window - systemTokens - outputReserve;
  if (total > 0) return total;
  throw new GalleyError(
    'CONTEXT_BUDGET_INFEASIBLE',
    `The window of ${window} tokens is used up by the system prompt (${systemTokens}) and the output reserve (${outputReserve}).`,
    { details: { window, system: systemTokens, outputReserve, missing: 1 - total } },
  );
}
