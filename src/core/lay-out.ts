// The layout is settled from weights alone; then each page is composed when its turn comes, and may be forgotten again. A page is
// sealed as one call, or all pages together when they were set.
import { type Admitted, admit } from './admit/admit.js';
import { type ComposedPage, composePages } from './compose/compose.js';
import { fit } from './fit/fit.js';
import { fitStateOf } from './fit/fit-state.js';
import { boundsOf, usableOf } from './model/budget.js';
import type { Fragment } from './model/fragment.js';
import { weightOf } from './model/meter.js';
import type { AssembleOptions, PressSetup, SealedPrompt, SealNotes } from './model/press.js';
import type { FitResult, FragmentChoice, PricedSet } from './model/priced-set.js';
import { type Page, partText } from './model/prompt.js';
import type { PageRecord, Receipt } from './model/receipt.js';
import type { Dialect } from './model/recipe.js';
import { phrase } from './phrase/phrase.js';
import { recordOf, seal } from './seal/seal.js';

export interface Layout {
  readonly pages: number;
  readonly choices: readonly FragmentChoice[];
  /** Zero-based. */
  set(page: number): Page;
  /** One page as one call. */
  sealPage(page: number, notes?: SealNotes): SealedPrompt;
  /** Of all pages, after the last of them was set. */
  seal(notes?: SealNotes): Receipt;
}

/** Candidates in their final words, whose prices are worked out as they are asked for; the same for every budget. */
export interface PricedCandidates {
  readonly admitted: Admitted;
  readonly priced: PricedSet;
}

export function priceCandidates<Body>(
  press: PressSetup<Body>,
  scope: AssembleOptions['scope'],
  candidates: readonly Fragment<Body>[],
): PricedCandidates {
  const { recipe, meter } = press;
  const admitted = admit(candidates, recipe, scope);
  return {
    admitted,
    priced: phrase(admitted.fragments, { recipe, dialect: press.dialect as Dialect, meter }),
  };
}

export function layOut<Body>(
  press: PressSetup<Body>,
  order: AssembleOptions,
  candidates: readonly Fragment<Body>[],
): Layout {
  return layOutPriced(press, order, priceCandidates(press, order.scope, candidates));
}

/** The same for candidates that are laid out for one budget after another, in the words of the press that priced them. */
export function layOutPriced<Body>(
  press: PressSetup<Body>,
  order: AssembleOptions,
  { admitted, priced }: PricedCandidates,
): Layout {
  const { recipe, meter, hash } = press;
  const dialect = press.dialect as Dialect;
  const limit = weightOf(meter, usableOf(order.budget, meter));
  const bounds = boundsOf(order.budget, meter);
  for (let allowed = limit; ; ) {
    const selection = fit(priced, { recipe, meter, limit: allowed, ...bounds });
    const composer = composePages(selection, { recipe, dialect, meter, hash });
    let excess = 0;
    for (let page = 0; page < selection.pages; page += 1)
      excess = Math.max(excess, composer.weight(page) - limit);
    if (excess > 0) {
      // A join may cost more than its parts: concede once more.
      allowed -= excess;
      continue;
    }
    const records: { record: PageRecord; layerWeights: ComposedPage['layerWeights'] }[] = [];
    const set = (page: number): Page => {
      const { page: composed, layerWeights } = composer.page(page);
      records[page] = { record: recordOf(composed, meter, hash), layerWeights };
      return composed;
    };
    const sealed = (
      chosen: Pick<FitResult, 'choices' | 'concessions'>,
      notes: SealNotes,
      of: typeof records,
    ) =>
      seal(
        {
          ...notes,
          ...{ recipe, dialect, meter, ...chosen },
          budget: order.budget.limit.n,
          pages: of.map(({ record }) => record),
          layerWeights: sumOf(of.map(({ layerWeights }) => layerWeights)),
          rejections: [...admitted.rejections, ...(order.rejections ?? []), ...(notes.rejections ?? [])],
          warnings: [...(order.warnings ?? []), ...admitted.warnings, ...(notes.warnings ?? [])],
          ledger: order.ledger ?? 'full',
        },
        hash,
      );
    return {
      pages: selection.pages,
      choices: selection.choices,
      set,
      sealPage(page, notes = {}) {
        const composed = set(page);
        const choices = selection.choices.filter((choice) => (choice.page ?? choice.near ?? page) === page);
        const concessions = selection.byPage?.[page] ?? selection.concessions;
        const answer = partText(composed, 'answer');
        return {
          system: partText(composed, 'system'),
          prompt: partText(composed, 'prompt'),
          ...(answer === '' ? {} : { answer }),
          receipt: sealed({ choices, concessions }, notes, records.slice(page, page + 1)),
        };
      },
      seal: (notes = {}) => sealed(selection, notes, records),
    };
  }
}

function sumOf(lists: readonly ReadonlyMap<string, number>[]): Map<string, number> {
  const sum = new Map<string, number>();
  for (const list of lists)
    for (const [layer, weight] of list) sum.set(layer, (sum.get(layer) ?? 0) + weight);
  return sum;
}

/** Joins and page numbers are known only when pages are composed; this many units are kept free for them. */
const margin = 16;

/** Weight that fragments of lasting layers leave on every page for what is spread, the headings of its sections paid. */
export function roomBeside<Body>(
  press: PressSetup<Body>,
  order: AssembleOptions,
  lasting: readonly Fragment<Body>[],
  spread: readonly string[],
): { readonly needed: number; readonly left: number } {
  const { recipe, meter } = press;
  const { fragments } = admit(lasting, recipe, order.scope);
  const priced = phrase(fragments, { recipe, dialect: press.dialect as Dialect, meter });
  let needed = fitStateOf(priced, fragments.keys()).weight + margin * meter.scale;
  for (const id of spread) {
    const price = priced.sections.get(id);
    if (price !== undefined) needed += price.weight + price.between + price.apart;
  }
  return { needed, left: weightOf(meter, usableOf(order.budget, meter)) - needed };
}
