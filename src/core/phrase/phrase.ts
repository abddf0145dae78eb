// How will it read? Every fragment in its final words at every level, with a price that includes the separator behind it.
import type { Dialect, PagePlace } from '../model/dialect.js';
import type { Fragment } from '../model/fragment.js';
import type { Meter } from '../model/meter.js';
import type { Recipe } from '../model/recipe.js';
import type { Phrased, PricedLevel, SectionPrice, Wording } from '../model/wording.js';

export interface PhraseOptions {
  readonly recipe: Recipe;
  readonly dialect: Dialect;
  readonly meter: Meter;
}

export function phrase(fragments: readonly Fragment[], options: PhraseOptions): Phrased {
  const { recipe, dialect, meter } = options;
  const counts = new Map<string, number>();
  for (const { section } of fragments) counts.set(section, (counts.get(section) ?? 0) + 1);

  // Page numbers and list numbers are priced at their widest, so that fewer survivors never cost more.
  const widest: PagePlace = { index: fragments.length, total: fragments.length };
  const sections = new Map<string, SectionPrice>();
  const separators = new Map<string, string>();
  const apart = meter.weigh(dialect.apart);
  for (const { id, channel } of recipe.sections) {
    const wording = dialect.section(id, widest);
    const between = meter.weigh(wording.between);
    sections.set(id, { channel, weight: meter.weigh(wording.heading) - between, between, apart });
    separators.set(id, wording.between);
  }

  const wordings = fragments.map((fragment): Wording => {
    const last = counts.get(fragment.section) ?? 1;
    const between = separators.get(fragment.section) ?? '';
    const levels = fragment.levels.map(({ name, body, weight: known }): PricedLevel => {
      const textAt = (place: number) => dialect.word(body, fragment, place);
      let weight = known;
      let priced: string | undefined;
      return {
        name,
        textAt,
        weight: () => {
          if (weight === undefined) {
            priced = textAt(last);
            weight = meter.weigh(priced + between);
          }
          return weight;
        },
        pricedAs: (words, separator) => (words === priced && separator === between ? weight : undefined),
        ...(known === undefined ? {} : { known: true }),
      };
    });
    return { fragment, levels };
  });
  return { wordings, sections };
}
