// In which order? Joins what stays, page by page and channel by channel, and remembers where every byte came from.

import { utf8LengthsIn } from '../model/code-points.js';
import type { Meter } from '../model/meter.js';
import type { Hash } from '../model/press.js';
import type { FitResult, FragmentChoice } from '../model/priced-set.js';
import type { Breakpoint, Page, Part, Span } from '../model/prompt.js';
import {
  type Channel,
  channels,
  type Dialect,
  type Recipe,
  type Section,
  type SectionWording,
} from '../model/recipe.js';

interface ComposeOptions {
  readonly recipe: Recipe;
  readonly dialect: Dialect;
  readonly meter: Meter;
  readonly hash: Hash;
}

export interface ComposedPage {
  readonly page: Page;
  /** Headings and separators included. */
  readonly layerWeights: ReadonlyMap<string, number>;
}

interface PageComposer {
  page(page: number): ComposedPage;
  /** Weighs a page without asking for words whose weight is known. */
  weight(page: number): number;
}

/** The channels that have any words, and what they weigh. */
interface WeighedPage {
  readonly channels: readonly FilledChannel[];
  readonly weight: number;
  readonly layerWeights: ReadonlyMap<string, number>;
}

interface FilledChannel {
  readonly channel: Channel;
  readonly blocks: readonly Block[];
  /** Of all blocks with their separators. */
  readonly text: string;
}

/** Page by page, for sets that are too large to hold at once. */
export function composePages(selection: FitResult, options: ComposeOptions): PageComposer {
  const { recipe, dialect, meter, hash } = options;
  const byPage = choicesByPage(selection);
  const weighed = (page: number, bare: boolean): WeighedPage => {
    const place = { index: page + 1, total: selection.pages };
    const layerWeights = new Map<string, number>();
    let weight = 0;
    const filled = channels.flatMap((channel): FilledChannel[] => {
      const sections = recipe.sections.flatMap((section): FilledSection[] => {
        const choices = section.channel === channel ? byPage[page]?.get(section.id) : undefined;
        return choices === undefined
          ? []
          : [{ section, choices, wording: dialect.section(section.id, place) }];
      });
      const blocks = blocksOf(sections, dialect.apart, bare);
      if (blocks.length === 0) return [];
      const text = textOf(blocks);
      weight += weigh(blocks, text, { meter, layerWeights });
      return [{ channel, blocks, text }];
    });
    return { channels: filled, weight, layerWeights };
  };
  /** Where words do not wait for the pages to be laid out, a page is composed from what was weighed; one is held at a time. */
  let last: { readonly page: number; readonly weighed: WeighedPage } | undefined;
  return {
    weight(page) {
      const found = weighed(page, true);
      const isBare = found.channels.some(({ blocks }) => blocks.some((block) => block.weight !== undefined));
      last = isBare || recipe.overflow === 'paginate' ? undefined : { page, weighed: found };
      return found.weight;
    },
    page(page) {
      const {
        channels: filled,
        weight,
        layerWeights,
      } = last?.page === page ? last.weighed : weighed(page, false);
      const parts: Part[] = [];
      let fingerprint = '';
      for (const channel of filled) {
        const part = partOf(channel, { hash, fingerprint });
        fingerprint = part.fingerprint;
        parts.push(part.part);
      }
      return { page: { parts, weight }, layerWeights };
    },
  };
}

/** What stays, by page and section; a choice without a page stands on all of them. */
function choicesByPage({ choices, pages }: FitResult): Map<string, FragmentChoice[]>[] {
  const byPage = Array.from({ length: pages }, () => new Map<string, FragmentChoice[]>());
  for (const choice of choices) {
    if (choice.level === undefined) continue;
    const { section } = choice.wording.fragment;
    for (const page of choice.page === undefined ? byPage : byPage.slice(choice.page, choice.page + 1)) {
      const found = page.get(section);
      if (found === undefined) page.set(section, [choice]);
      else found.push(choice);
    }
  }
  return byPage;
}

interface FilledSection {
  readonly section: Section;
  readonly choices: readonly FragmentChoice[];
  readonly wording: SectionWording;
}

function blocksOf(filled: readonly FilledSection[], apart: string, bare: boolean): Block[] {
  const blocks: Block[] = [];
  filled.forEach(({ section, choices, wording }, at) => {
    const layer = choices[0]?.wording.fragment.layer ?? '';
    if (wording.heading !== '') blocks.push({ section, layer, text: wording.heading, separator: '' });
    choices.forEach((choice, index) => {
      const { fragment, levels } = choice.wording;
      const level = levels[choice.level ?? 0];
      const isLast = index === choices.length - 1;
      const separator = isLast ? (at === filled.length - 1 ? '' : apart) : wording.between;
      // A known weight holds for the words with the separator they were priced with.
      const known = level?.known && choice.cutAt === undefined && separator === wording.between;
      const words = bare && known ? '' : (level?.textAt(index + 1) ?? '');
      const priced = choice.cutAt === undefined ? level?.pricedAs?.(words, separator) : undefined;
      blocks.push({
        section,
        layer: fragment.layer,
        fragment: fragment.id,
        text: choice.cutAt === undefined ? words : words.slice(0, choice.cutAt),
        separator,
        weight: known ? level.weight() : undefined,
        priced,
        breakpoint: fragment.breakpoint || (isLast && section.breakpoint),
      });
    });
  });
  return blocks;
}

/** Blocks are weighed with their separator, as they were priced, so that only changed ones are measured anew. */
function weigh(
  blocks: readonly Block[],
  text: string,
  { meter, layerWeights }: { readonly meter: Meter; readonly layerWeights: Map<string, number> },
): number {
  let total = 0;
  let at = 0;
  // Known words begin and end where joining costs nothing: nobody looks back over them.
  let open = 0;
  for (const { layer, text: words, separator, weight: known, priced } of blocks) {
    const past = at + words.length + separator.length;
    const before = known === undefined ? text.slice(Math.max(open, at - reach), at) : '';
    const join = before === '' ? 0 : (meter.seam?.(before, text.slice(at, past)) ?? 0);
    const weight = (known ?? priced ?? meter.weigh(text.slice(at, past))) + join;
    total += weight;
    layerWeights.set(layer, (layerWeights.get(layer) ?? 0) + weight);
    at = past;
    if (known !== undefined) open = past;
  }
  return total;
}

/** A border can reach back over several short blocks, so the seam sees the end of everything so far. */
const reach = 256;

interface Block {
  readonly section: Section;
  readonly layer: string;
  readonly fragment?: string;
  readonly text: string;
  readonly separator: string;
  readonly breakpoint?: boolean | undefined;
  /** Of text and separator together, measured before. */
  readonly priced?: number | undefined;
  /** Of text and separator together, when known beforehand. */
  readonly weight?: number | undefined;
}

const maxBreakpoints = 4;

/**
 * One channel of a page: the text, the span of every fragment in bytes, and the cache breakpoints with their fingerprints.
 */
function partOf(
  { channel, blocks, text }: FilledChannel,
  options: { hash: Hash; fingerprint: string },
): { part: Part; fingerprint: string } {
  const spans: Span[] = [];
  const marks = chosenMarks(blocks);
  const breakpoints: Breakpoint[] = [];
  const bytesIn = utf8LengthsIn(text);
  let { fingerprint } = options;
  let bytes = 0;
  let stableBytes = 0;
  let stable = true;
  let at = 0;
  let closed = 0;
  const close = () => {
    fingerprint = options.hash(`${fingerprint}\n${channel}\n${text.slice(closed, at)}`);
    closed = at;
  };
  blocks.forEach((block, index) => {
    const past = at + block.text.length;
    const start = bytes;
    const end = start + bytesIn(at, past);
    at = past + block.separator.length;
    bytes = end + bytesIn(past, at);
    if (block.fragment !== undefined) spans.push({ fragment: block.fragment, start, end });
    stable &&= block.section.stable === true;
    if (stable) stableBytes = bytes;
    if (!marks.has(index)) return;
    close();
    breakpoints.push({ offset: bytes, section: block.section.id, fingerprint });
  });
  // Blocks behind the last mark count for the next channel, even empty ones.
  if (!marks.has(blocks.length - 1)) close();
  return { part: { channel, text, bytes, spans, breakpoints, stableBytes }, fingerprint };
}

function textOf(blocks: readonly Block[]): string {
  const words: string[] = [];
  for (const { text, separator } of blocks) words.push(text, separator);
  return words.join('');
}

/** Providers take four at most: the first one guards the most stable text, the last ones are the longest prefixes. */
function chosenMarks(blocks: readonly Block[]): Set<number> {
  const marks = [...blocks.keys()].filter((at) => blocks[at]?.breakpoint);
  if (marks.length <= maxBreakpoints) return new Set(marks);
  return new Set([...marks.slice(0, 1), ...marks.slice(1 - maxBreakpoints)]);
}
