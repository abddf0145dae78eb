// What did we do? A verdict for every fragment, hashes and versions; not a word of the text. The id is the hash of all of it.
import { canonicalJson } from '../model/canonical-json.js';
import { byCodePoint } from '../model/code-points.js';
import { formatRef } from '../model/fragment.js';
import { amountOf, type Meter } from '../model/meter.js';
import type { Hash, SealNotes } from '../model/press.js';
import type { FitResult, FragmentChoice } from '../model/priced-set.js';
import type { Page, Span } from '../model/prompt.js';
import {
  type LayerRecord,
  type LedgerLine,
  type PageRecord,
  type Receipt,
  receiptVersion,
} from '../model/receipt.js';
import type { Dialect, Recipe } from '../model/recipe.js';

export interface SealInput extends SealNotes {
  readonly recipe: Recipe;
  readonly dialect: Pick<Dialect, 'id' | 'version'>;
  readonly meter: Meter;
  readonly budget: number;
  readonly choices: readonly FragmentChoice[];
  readonly concessions: FitResult['concessions'];
  readonly pages: readonly PageRecord[];
  readonly layerWeights: ReadonlyMap<string, number>;
  /** `full` also prices what was left out; `kept` leaves those prices open and saves the counting. */
  readonly ledger: 'full' | 'kept';
}

export function seal(input: SealInput, hash: Hash): Receipt {
  const { recipe, dialect, meter, pages, rejections = [] } = input;
  const ledger = [
    ...input.choices.map((choice) => lineOf(choice, meter, input.ledger)),
    ...rejections.map(({ id, ...rest }): LedgerLine => ({ fragment: id, ...rest })),
  ];
  return sealed(
    {
      ...input.facts,
      version: receiptVersion,
      ...(input.previous === undefined ? {} : { previous: input.previous }),
      recipe: { id: recipe.id, version: recipe.version },
      dialect: { id: dialect.id, version: dialect.version },
      meter: { id: meter.id, exact: meter.exact },
      budget: { unit: meter.unit, n: input.budget },
      used: { unit: meter.unit, n: pages.reduce((most, page) => Math.max(most, page.amount), 0) },
      concessions: input.concessions,
      layers: layersOf(input, ledger),
      pages,
      ledger,
      warnings: input.warnings ?? [],
    },
    hash,
  );
}

type Body = Omit<Receipt, 'id' | 'digests'>;

/** A body under its id; what it holds of ledger and spans is in the id by digests. Nothing that was handed out is sealed again. */
export function sealed<Whole extends Body>(body: Whole, hash: Hash): Whole & Pick<Receipt, 'id' | 'digests'> {
  const spans = body.pages.map(({ parts }) => parts.map((part) => part.spans.map(spanInOrder)));
  const digests = {
    ledger: hash(JSON.stringify(body.ledger.map(lineInOrder))),
    spans: hash(JSON.stringify(spans)),
  };
  const whole = { ...body, digests };
  return { ...whole, id: idOf(whole, hash) };
}

type InOrder<Item> = { readonly [Key in keyof Required<Item>]: Item[Key] };

/** With its names in the order of canonical JSON, which need not be looked for then: most of a receipt is made of these two. */
function lineInOrder(line: LedgerLine): InOrder<LedgerLine> {
  const { amount, finished, fragment, layer, level, page, reason, ref, section, source, verdict } = line;
  const hits = finished === undefined ? undefined : JSON.parse(canonicalJson(finished));
  return { amount, finished: hits, fragment, layer, level, page, reason, ref, section, source, verdict };
}

function spanInOrder({ end, fragment, start }: Span): InOrder<Span> {
  return { end, fragment, start };
}

function idOf(body: Body & { readonly id?: string }, hash: Hash): string {
  const { id: _, ledger: __, pages, ...rest } = body;
  const bare = pages.map(({ parts, ...page }) => ({
    ...page,
    parts: parts.map(({ spans: ___, ...part }) => part),
  }));
  return hash(canonicalJson({ ...rest, pages: bare })).slice(0, 32);
}

/** What is stored where the texts are not: spans would point into nothing, and the id stays. */
export function withoutSpans<Sealed extends Receipt>(receipt: Sealed): Sealed {
  const pages = receipt.pages.map(({ parts, ...page }) => ({
    ...page,
    parts: parts.map((part) => ({ ...part, spans: [] })),
  }));
  return { ...receipt, pages };
}

/** The same receipt without what grows with the number of fragments; layers and digests still answer for it. */
export function shortReceipt<Sealed extends Receipt>(receipt: Sealed): Sealed {
  return { ...withoutSpans(receipt), ledger: [] };
}

/** `unverified`: of a version that was not sealed this way, or no receipt at all. */
export function verifyReceipt(value: unknown, hash: Hash): 'sealed' | 'altered' | 'unverified' {
  const receipt = value as Partial<Receipt> | null | undefined;
  if (receipt?.version !== receiptVersion || !Array.isArray(receipt.pages)) return 'unverified';
  const { id, ledger, digests, pages } = receipt as Receipt;
  if (idOf(receipt as Receipt, hash) !== id) return 'altered';
  const spans = pages.map(({ parts }) => parts.map((part) => part.spans ?? []));
  const hasSpans = spans.flat(2).length > 0;
  if (hasSpans && hash(canonicalJson(spans)) !== digests.spans) return 'altered';
  const hasLedger = ledger !== undefined && ledger.length > 0;
  return hasLedger && hash(canonicalJson(ledger)) !== digests.ledger ? 'altered' : 'sealed';
}

/** What is remembered of a page when its text is gone. */
export function recordOf({ parts, weight }: Page, meter: Meter, hash: Hash): PageRecord {
  return {
    amount: amountOf(meter, weight).n,
    parts: parts.map(({ text, ...facts }) => ({ ...facts, hash: hash(text) })),
  };
}

function lineOf(choice: FragmentChoice, meter: Meter, ledger: SealInput['ledger']): LedgerLine {
  const { fragment, levels } = choice.wording;
  const level = levels[choice.level ?? 0];
  const stays = choice.level !== undefined;
  const weight = stays || ledger === 'full' ? level?.weight() : undefined;
  const hits = stays ? level?.hits?.() : undefined;
  // Written one by one: there is a line for every fragment, and copies of parts cost more than all the rest.
  const line: Writable<LedgerLine> = {
    fragment: fragment.id,
    source: fragment.source,
    layer: fragment.layer,
    section: fragment.section,
    verdict: choice.verdict,
    reason: choice.reason,
  };
  if (stays && level !== undefined) line.level = level.name;
  if (weight !== undefined && choice.cutAt === undefined) line.amount = amountOf(meter, weight).n;
  if (choice.page !== undefined) line.page = choice.page + 1;
  if (fragment.ref !== undefined) line.ref = formatRef(fragment.ref);
  if (hits !== undefined && Object.keys(hits).length > 0) line.finished = hits;
  return line;
}

type Writable<Item> = { -readonly [Key in keyof Item]: Item[Key] };

const present: ReadonlySet<string> = new Set(['kept', 'stepped-down', 'cut', 'refilled']);

function layersOf(input: SealInput, ledger: readonly LedgerLine[]): LayerRecord[] {
  const counts = new Map<string, { kept: number; left: number }>();
  for (const { layer, verdict } of ledger) {
    const count = counts.get(layer) ?? { kept: 0, left: 0 };
    if (present.has(verdict)) count.kept += 1;
    else count.left += 1;
    counts.set(layer, count);
  }
  const known = input.recipe.layers.map(({ id }) => id);
  const strangers = [...counts.keys()].filter((id) => !known.includes(id)).sort(byCodePoint);
  return [...known, ...strangers].map((id) => ({
    id,
    amount: amountOf(input.meter, input.layerWeights.get(id) ?? 0).n,
    ...(counts.get(id) ?? { kept: 0, left: 0 }),
  }));
}
