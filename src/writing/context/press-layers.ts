// Sets the gathered layers. Above their line Rules keep only what the text at hand needs, and cards chosen that way move
// behind the cache boundary.
import { type Layout, layOut } from '../../core/lay-out.js';
import type { Fragment } from '../../core/model/fragment.js';
import { type Meter, weightOf } from '../../core/model/meter.js';
import type { AssembleOptions, PressSetup } from '../../core/model/press.js';
import type { FragmentChoice } from '../../core/model/priced-set.js';
import { withFences } from '../layers/fence.js';
import type { LayerBody } from '../layers/layer-fragment.js';
import { backgroundBond } from '../sources/read-entities.js';

export interface LayerPress extends Pick<PressSetup<LayerBody>, 'recipe' | 'dialect' | 'hash'> {
  readonly meter: Meter;
  readonly project: string;
  readonly total: number;
}

export interface PressedLayers {
  /** As they were offered in the end. */
  readonly fragments: readonly Fragment<LayerBody>[];
  readonly layout: Layout;
}

export function assembleOptionsOf({ project, meter, total }: LayerPress): AssembleOptions {
  return { scope: { project }, budget: { limit: { unit: meter.unit, n: total } } };
}

export function pressLayers(fragments: readonly Fragment<LayerBody>[], press: LayerPress): PressedLayers {
  const first = setOnce(fragments, press);
  const left = first.layout.choices.filter(({ verdict, wording }) => verdict !== 'kept' && isCard(wording));
  if (left.length === 0) return first;
  const oneByOne = mostOthersFit(first.layout.choices, press);
  return setOnce(
    fragments.map((fragment) => chosenByRelevance(fragment, oneByOne)),
    press,
  );
}

/** Whether a fragment stands in the text. */
export function isKept({ level }: FragmentChoice): boolean {
  return level !== undefined;
}

export function keptIds({ layout }: Pick<PressedLayers, 'layout'>): ReadonlySet<string> {
  return new Set(layout.choices.filter(isKept).map(({ wording }) => wording.fragment.id));
}

/** Shown with all its words. */
export function isWhole({ level, cutAt }: FragmentChoice): boolean {
  return level === 0 && cutAt === undefined;
}

export function wholeIds({ layout }: Pick<PressedLayers, 'layout'>): ReadonlySet<string> {
  return new Set(layout.choices.filter(isWhole).map(({ wording }) => wording.fragment.id));
}

/** Whether the budget of the whole cost anything; what Rules give up for their own line does not count. */
export function gaveWay({ layout }: Pick<PressedLayers, 'layout'>): boolean {
  return layout.choices.some(({ verdict }) => verdict !== 'kept' && verdict !== 'over-own-line');
}

function setOnce(fragments: readonly Fragment<LayerBody>[], press: LayerPress): PressedLayers {
  const { recipe, dialect, meter, hash, project } = press;
  return {
    fragments,
    layout: layOut(
      { recipe, dialect, meter, hash },
      assembleOptionsOf(press),
      withFences(fragments, project),
    ),
  };
}

function isCard({ fragment }: FragmentChoice['wording']): boolean {
  return fragment.section === 'entities' && fragment.source === 'entities';
}

function chosenByRelevance(fragment: Fragment<LayerBody>, oneByOne: boolean): Fragment<LayerBody> {
  if (fragment.section !== 'entities' || fragment.pinned) return fragment;
  const { bond, ...rest } = fragment;
  const isFree = bond === undefined || (oneByOne && bond === backgroundBond);
  return { ...rest, ...(isFree ? {} : { bond }), section: 'relevant-entities' };
}

/** A few cards too many go one by one; with less than half of them left a list of strangers would only mislead. */
function mostOthersFit(choices: readonly FragmentChoice[], { recipe, meter, total }: LayerPress): boolean {
  const share = recipe.layers.find(({ id }) => id === 'rules')?.share ?? 1;
  let others = 0;
  let rest = 0;
  for (const { wording } of choices) {
    // Whom a skill does not need stays or goes as one, so that the prefix holds.
    if (wording.fragment.layer === 'people') return false;
    if (wording.fragment.layer !== 'rules') continue;
    const weight = wording.levels[0]?.weight() ?? 0;
    if (wording.fragment.bond === backgroundBond) others += weight;
    else rest += weight;
  }
  return weightOf(meter, total * share) - rest >= others / 2;
}
