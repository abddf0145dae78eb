// A passage as the calls a model gets: every paragraph on one page, in the order of the text.
import type { Layout } from '../../core/lay-out.js';
import { GalleyError } from '../../core/model/error.js';
import type { SealedPrompt } from '../../core/model/press.js';
import { loadMeter } from '../../meters/load-meter.js';
import { meterForModel } from '../../meters/meter-for-model.js';
import { type Catalog, promptCapacity } from '../../models/catalog/catalog.js';
import type { AnswerShape, Model } from '../../models/contract/model.js';
import { sealFor } from '../../models/contract/placement.js';
import { layOutPassage, type PassagePrompt, paragraphId, paragraphsOf } from './passage-prompt.js';

export interface PassagePage {
  readonly sealed: SealedPrompt;
  /** From 1, where there are several. */
  readonly number?: number;
  readonly range: { readonly start: number; readonly end: number };
}

/** In tokens, for a model whose window is not known. */
const usualRoom = 126_000;

/** `left` paragraphs are longer than the model can read. */
export async function passagePages(
  prompt: PassagePrompt,
  {
    model,
    catalog,
    shape,
  }: {
    readonly model: Model;
    readonly catalog?: Catalog | undefined;
    readonly shape?: AnswerShape | undefined;
  },
): Promise<{ readonly pages: readonly PassagePage[]; readonly left: number }> {
  const meter = await loadMeter(meterForModel(model.id).meter);
  const budget = promptCapacity(model.id, { meter: meter.id, catalog }) ?? usualRoom;
  let layout: Layout | undefined;
  const first = await sealFor(
    model,
    (placement) => {
      layout = layOutPassage(prompt, { meter, budget }, placement);
      return layout.sealPage(0);
    },
    shape,
  );
  const set = layout ?? unset();
  const pageOf = new Map(set.choices.map(({ wording, page }) => [wording.fragment.id, page]));
  const paragraphs = paragraphsOf(prompt.text).map((range, index) => ({
    range,
    page: pageOf.get(paragraphId(index)),
  }));
  const pages = Array.from({ length: set.pages }, (_, page) => {
    const own = paragraphs.filter((paragraph) => paragraph.page === page);
    const sealed = page === 0 ? first : set.sealPage(page);
    return own.length === 0
      ? []
      : [{ sealed, range: { start: own[0]?.range.start ?? 0, end: own.at(-1)?.range.end ?? 0 } }];
  });
  const found = pages.flat();
  return {
    pages: found.length === 1 ? found : found.map((page, index) => ({ ...page, number: index + 1 })),
    left: paragraphs.filter(({ page }) => page === undefined).length,
  };
}

function unset(): never {
  throw new GalleyError('INTERNAL', 'The prompt was never set.');
}
