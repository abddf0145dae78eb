// How will it read? Every fragment in its final words at every level, finished before it is weighed, with a price that includes
// the separator behind it.

import type { FinishHits, Fragment } from '../model/fragment.js';
import type { Meter } from '../model/meter.js';
import type {
  PricedFragment,
  PricedLevel,
  PricedSet,
  PriceTable,
  SectionPrice,
} from '../model/priced-set.js';
import type { Dialect, FinishedWords, PagePlace, Recipe } from '../model/recipe.js';

export interface PhraseOptions {
  readonly recipe: Recipe;
  readonly dialect: Dialect;
  readonly meter: Meter;
}

export function phrase(fragments: readonly Fragment[], options: PhraseOptions): PricedSet {
  const { recipe, dialect, meter } = options;
  const counts = new Map<string, number>();
  for (const { section } of fragments) counts.set(section, (counts.get(section) ?? 0) + 1);

  // Page numbers and list numbers are priced at their widest, so that fewer survivors never cost more.
  const widest: PagePlace = { index: fragments.length, total: fragments.length };
  const sections = new Map<string, SectionPrice>();
  const settings = new Map<string, Setting>();
  const apart = meter.weigh(dialect.apart);
  for (const { id, channel } of recipe.sections) {
    const wording = dialect.section(id, widest);
    const between = meter.weigh(wording.between);
    sections.set(id, { channel, weight: meter.weigh(wording.heading) - between, between, apart });
    settings.set(id, { dialect, meter, between: wording.between, last: counts.get(id) ?? 1 });
  }

  const prices = emptyPrices(fragments);
  const priced = fragments.map((fragment, index): PricedFragment => {
    const setting = settings.get(fragment.section) ?? { dialect, meter, between: '', last: 1 };
    const levels = fragment.levels.map((level, at) => {
      const slot = (prices.first[index] ?? 0) + at;
      if (level.weight !== undefined) prices.weights[slot] = level.weight;
      return pricedLevel(level, fragment, { setting, weights: prices.weights, slot });
    });
    return { fragment, levels };
  });
  return { fragments: priced, sections, prices };
}

function emptyPrices(fragments: readonly Fragment[]): PriceTable {
  const first = new Int32Array(fragments.length);
  let slots = 0;
  fragments.forEach(({ levels }, index) => {
    first[index] = slots;
    slots += levels.length;
  });
  return { first, weights: new Float64Array(slots).fill(Number.NaN) };
}

/** What the words of a section have in common. */
interface Setting {
  readonly dialect: Dialect;
  readonly meter: Meter;
  readonly between: string;
  /** The costliest place. */
  readonly last: number;
}

/** Methods are shared: closures of their own for every level of every fragment would weigh more than all the rest. */
interface WordedLevel extends PricedLevel {
  readonly body: unknown;
  readonly fragment: Fragment;
  readonly setting: Setting;
  readonly weights: Float64Array;
  readonly slot: number;
  readonly given: FinishHits | undefined;
  priced: string | undefined;
  /** The last words that were finished, and what came of it. */
  raw: string | undefined;
  done: FinishedWords | undefined;
}

function pricedLevel(
  { name, body, weight: known, finished: given }: Fragment['levels'][number],
  fragment: Fragment,
  { setting, weights, slot }: Pick<WordedLevel, 'setting' | 'weights' | 'slot'>,
): WordedLevel {
  // One literal: there are hundreds in an assembly, and copies of parts cost more than all of this.
  return {
    name,
    body,
    fragment,
    setting,
    weights,
    slot,
    given,
    known: known !== undefined,
    priced: undefined,
    raw: undefined,
    done: undefined,
    textAt,
    weight,
    pricedAs,
    hits,
  };
}

function textAt(this: WordedLevel, place: number): string {
  const { dialect } = this.setting;
  const words = dialect.word(this.body, this.fragment, place);
  if (dialect.finish === undefined || this.given !== undefined) return words;
  if (this.done === undefined || this.raw !== words) {
    this.done = dialect.finish(words, this.fragment);
    this.raw = words;
  }
  return this.done.text;
}

function hits(this: WordedLevel): FinishHits | undefined {
  return this.given ?? this.done?.hits;
}

function weight(this: WordedLevel): number {
  const price = this.weights[this.slot] ?? 0;
  if (!Number.isNaN(price)) return price;
  const { meter, between, last } = this.setting;
  this.priced = this.textAt(last);
  const fresh = meter.weighWith?.(this.priced, between) ?? meter.weigh(this.priced + between);
  this.weights[this.slot] = fresh;
  return fresh;
}

function pricedAs(this: WordedLevel, words: string, separator: string): number | undefined {
  return words === this.priced && separator === this.setting.between ? this.weight() : undefined;
}
