// One prompt as the inspector shows it: its receipt, and the texts the receipt speaks of. Every desk's answer becomes this.
import type { AnswerOf } from '../../../src/operations/table.js';

export type Receipt = AnswerOf<'agents:assemble'>['receipt'];
export type LedgerLine = Receipt['ledger'][number];

export interface SheetPart {
  readonly channel: string;
  readonly text: string;
  readonly stretches: readonly Stretch[];
  /** Bytes that seldom change, from the beginning on. */
  readonly stableBytes: number;
}

/** A run of text: of one piece, or what stands between pieces. */
export interface Stretch {
  readonly text: string;
  readonly fragment?: string;
  /** In bytes, where it begins. */
  readonly start: number;
}

export interface Piece extends LedgerLine {
  readonly isIn: boolean;
  /** Which of the eight colours its source has. */
  readonly colour: number;
  /** In the part that providers are likely to cache. */
  readonly isStable: boolean;
  /** The words of a piece that stayed out, where they are known. */
  readonly words?: string;
  /** Why it was looked for at all; the ledger says why it is in or out. */
  readonly sought?: string;
  /** Names of the levels it can stand at, fullest first; where there is more than one. */
  readonly levels?: readonly string[];
}

/** What is known of pieces beside their lines in the ledger, by their ids. */
export interface Known {
  readonly words?: ReadonlyMap<string, string>;
  readonly sought?: ReadonlyMap<string, string>;
  readonly levels?: ReadonlyMap<string, readonly string[]>;
}

export interface Sheet {
  readonly receipt: Receipt;
  /** Empty for a receipt that was kept without its text. */
  readonly pages: readonly (readonly SheetPart[])[];
  /** Pieces that are in, in the order of the text; then those that stayed out. */
  readonly pieces: readonly Piece[];
  readonly sources: readonly string[];
  /** The texts of a page, from zero, where they come when they are looked at. */
  textOf?(page: number): Promise<Texts>;
}

/** By channel. */
export type Texts = Readonly<Record<string, string>>;

const present: ReadonlySet<string> = new Set(['kept', 'stepped-down', 'cut', 'refilled']);

/** Whether a piece with this verdict stands in the text. */
export const isPresent = (verdict: string): boolean => present.has(verdict);

const colours = 8;

/** `texts`: for each page the text of each channel. */
export function sheetOf(
  receipt: Receipt,
  texts: readonly Texts[] = [],
  { words, sought, levels }: Known = {},
): Sheet {
  const sources = [...new Set(receipt.ledger.map(sourceOf))].sort();
  const order = new Map<string, number>();
  const stable = new Set<string>();
  for (const page of receipt.pages)
    for (const { spans, stableBytes } of page.parts)
      for (const { fragment, end } of spans) {
        if (!order.has(fragment)) order.set(fragment, order.size);
        if (end <= stableBytes) stable.add(fragment);
      }
  const pieces = receipt.ledger.map((line): Piece => {
    const text = words?.get(line.fragment);
    const why = sought?.get(nameOf(line));
    const known = levels?.get(line.fragment);
    return {
      ...line,
      isIn: isPresent(line.verdict),
      colour: colourOf(sourceOf(line), sources),
      isStable: stable.has(line.fragment),
      ...(text === undefined ? {} : { words: text }),
      ...(why === undefined ? {} : { sought: why }),
      ...(known === undefined ? {} : { levels: known }),
    };
  });
  const place = ({ fragment, isIn }: Piece) => (isIn ? 0 : 1e9) + (order.get(fragment) ?? 1e8);
  return {
    receipt,
    pages: receipt.pages
      .map((_, page) => partsOf(receipt, page, texts[page] ?? {}))
      .filter((parts) => parts.length > 0),
    pieces: pieces.sort((a, b) => place(a) - place(b)),
    sources,
  };
}

/** The texts of a page, cut by its spans. */
export function partsOf({ pages }: Receipt, page: number, texts: Texts): readonly SheetPart[] {
  return (pages[page]?.parts ?? []).flatMap(({ channel, spans, stableBytes }) => {
    const text = texts[channel];
    return text === undefined ? [] : [{ channel, text, stableBytes, stretches: cut(text, spans) }];
  });
}

/** Other versions kept other things under the same roof; those are listed and not drawn. */
export function isReceipt(value: unknown): value is Receipt {
  const { ledger, pages, layers, warnings, used, budget, meter } = Object(value) as Partial<Receipt>;
  const lists = [ledger, pages, layers, warnings];
  return lists.every(Array.isArray) && [used, budget, meter].every((fact) => fact !== undefined);
}

/** What all pages hold together, and what they could. */
export function sumOf({ budget, used, pages }: Receipt): { readonly used: number; readonly budget: number } {
  if (pages.length < 2) return { used: used.n, budget: budget.n };
  return { used: pages.reduce((sum, { amount }) => sum + amount, 0), budget: budget.n * pages.length };
}

/**
 * What each source holds of all pages, as they follow each other in the text, and what stands between the pieces. The ledger has what
 * stands on every page once.
 */
export function amountsBySource({ receipt, pieces }: Pick<Sheet, 'receipt' | 'pieces'>): {
  readonly perSource: readonly { readonly source: string; readonly amount: number }[];
  readonly frames: number;
} {
  const pages = Math.max(receipt.pages.length, 1);
  const amounts = new Map<string, number>();
  for (const piece of pieces) {
    const { isIn, amount = 0, page } = piece;
    const held = isIn ? amount * (page === undefined ? pages : 1) : 0;
    amounts.set(sourceOf(piece), (amounts.get(sourceOf(piece)) ?? 0) + held);
  }
  const perSource = [...amounts].map(([source, amount]) => ({ source, amount }));
  const sum = perSource.reduce((whole, { amount }) => whole + amount, 0);
  return { perSource, frames: Math.max(sumOf(receipt).used - sum, 0) };
}

export const colourOf = (source: string, sources: readonly string[]): number =>
  sources.indexOf(source) % colours;

export const sourceOf = ({ source }: Pick<LedgerLine, 'source'>): string => source.split('/')[0] ?? source;

interface Span {
  readonly fragment: string;
  readonly start: number;
  readonly end: number;
}

/** Spans count bytes; every byte of the text comes back exactly once, in order. */
export function cut(text: string, spans: readonly Span[]): readonly Stretch[] {
  const bytes = new TextEncoder().encode(text);
  const decoder = new TextDecoder();
  const stretches: Stretch[] = [];
  let at = 0;
  const take = (end: number, fragment?: string) => {
    if (end <= at) return;
    const words = decoder.decode(bytes.subarray(at, end));
    stretches.push({ text: words, start: at, ...(fragment === undefined ? {} : { fragment }) });
    at = end;
  };
  for (const { fragment, start, end } of [...spans].sort((a, b) => a.start - b.start)) {
    take(Math.min(start, bytes.length));
    take(Math.min(end, bytes.length), fragment);
  }
  take(bytes.length);
  return stretches;
}

export interface Difference {
  readonly came: readonly Piece[];
  readonly went: readonly Piece[];
  /** In both, at another size or level. */
  readonly changed: readonly { readonly before: Piece; readonly after: Piece }[];
  readonly used: number;
  /** The first piece of the text that is not the one that stood there before; undefined while the texts begin alike to the end. */
  readonly breaks?: string;
}

/** The same piece on another page is the same piece. */
export const nameOf = ({ fragment }: Pick<LedgerLine, 'fragment'>) => fragment.replace(/ on page \d+$/, '');

/** What one sheet has over another. */
export function differenceOf(before: Sheet, after: Sheet): Difference {
  const inside = (sheet: Sheet) =>
    new Map(sheet.pieces.filter(({ isIn }) => isIn).map((piece) => [nameOf(piece), piece]));
  const [old, now] = [inside(before), inside(after)];
  const came = [...now.values()].filter((piece) => !old.has(nameOf(piece)));
  const leftOut = new Map(after.pieces.filter(({ isIn }) => !isIn).map((piece) => [nameOf(piece), piece]));
  const went = [...old.values()]
    .filter((piece) => !now.has(nameOf(piece)))
    // Why it was in says nothing about why it went.
    .map((piece) => ({ ...piece, reason: leftOut.get(nameOf(piece))?.reason ?? '' }));
  const changed = [...now.values()].flatMap((piece) => {
    const earlier = old.get(nameOf(piece));
    const isSame =
      earlier === undefined || (earlier.amount === piece.amount && earlier.level === piece.level);
    return isSame ? [] : [{ before: earlier, after: piece }];
  });
  const [firsts, seconds] = [[...old.keys()], [...now.keys()]];
  const at = firsts.findIndex((fragment, index) => seconds[index] !== fragment);
  const breaks = at === -1 ? undefined : (seconds[at] ?? firsts[at]);
  return {
    ...{ came, went, changed, used: sumOf(after.receipt).used - sumOf(before.receipt).used },
    ...(breaks === undefined ? {} : { breaks }),
  };
}
