// In which order? Joins what stays, page by page and channel by channel, and remembers where every byte came from.
import type { Dialect, SectionWording } from '../model/dialect.js';
import type { Meter } from '../model/meter.js';
import type { Hash } from '../model/ports.js';
import type { Page, Part, Prompt } from '../model/prompt.js';
import type { Channel, Recipe, Section } from '../model/recipe.js';
import type { Choice, Selection } from '../model/selection.js';
import { type Block, partOf } from './part.js';

export interface ComposeOptions {
  readonly recipe: Recipe;
  readonly dialect: Dialect;
  readonly meter: Meter;
  readonly hash: Hash;
}

export interface Composed {
  readonly prompt: Prompt;
  /** Summed over pages, headings and separators included. */
  readonly layerWeights: ReadonlyMap<string, number>;
}

const channels: readonly Channel[] = ['system', 'prompt'];

export function compose(selection: Selection, options: ComposeOptions): Composed {
  const bySection = new Map<string, Choice[]>();
  for (const choice of selection.choices) {
    if (choice.level === undefined) continue;
    const { section } = choice.wording.fragment;
    const found = bySection.get(section);
    if (found === undefined) bySection.set(section, [choice]);
    else found.push(choice);
  }

  const layerWeights = new Map<string, number>();
  const pages: Page[] = [];
  for (let page = 0; page < selection.pages; page += 1) {
    const place = { index: page + 1, total: selection.pages };
    const parts: Part[] = [];
    let weight = 0;
    let fingerprint = '';
    for (const channel of channels) {
      const sections = options.recipe.sections.filter((section) => section.channel === channel);
      const filled = sections.flatMap((section) => {
        const choices = (bySection.get(section.id) ?? []).filter((choice) => (choice.page ?? page) === page);
        return choices.length === 0
          ? []
          : [{ section, choices, wording: options.dialect.section(section.id, place) }];
      });
      const blocks = blocksOf(filled, options.dialect.apart);
      if (blocks.length === 0) continue;
      weight += weigh(blocks, options.meter, layerWeights);
      const part = partOf(channel, blocks, { hash: options.hash, fingerprint });
      fingerprint = part.fingerprint;
      parts.push(part.part);
    }
    pages.push({ parts, weight });
  }
  return { prompt: { pages }, layerWeights };
}

interface FilledSection {
  readonly section: Section;
  readonly choices: readonly Choice[];
  readonly wording: SectionWording;
}

function blocksOf(filled: readonly FilledSection[], apart: string): Block[] {
  const blocks: Block[] = [];
  filled.forEach(({ section, choices, wording }, at) => {
    const layer = choices[0]?.wording.fragment.layer ?? '';
    if (wording.heading !== '') blocks.push({ section, layer, text: wording.heading, separator: '' });
    choices.forEach((choice, index) => {
      const { fragment, levels } = choice.wording;
      const words = levels[choice.level ?? 0]?.textAt(index + 1) ?? '';
      const isLast = index === choices.length - 1;
      blocks.push({
        section,
        layer: fragment.layer,
        fragment: fragment.id,
        text: choice.cutAt === undefined ? words : words.slice(0, choice.cutAt),
        separator: isLast ? (at === filled.length - 1 ? '' : apart) : wording.between,
        ...(fragment.breakpoint || (isLast && section.breakpoint) ? { breakpoint: true } : {}),
      });
    });
  });
  return blocks;
}

/** Blocks are weighed with their separator, as they were priced, so that only changed ones are measured anew. */
function weigh(blocks: readonly Block[], meter: Meter, layerWeights: Map<string, number>): number {
  let total = 0;
  let before = '';
  // A border can reach back over several short blocks, so the seam sees the end of everything so far.
  const reach = 256;
  for (const { layer, text, separator } of blocks) {
    const whole = text + separator;
    const weight = meter.weigh(whole) + (before === '' ? 0 : (meter.seam?.(before, whole) ?? 0));
    total += weight;
    layerWeights.set(layer, (layerWeights.get(layer) ?? 0) + weight);
    if (meter.seam !== undefined) before = (before + whole).slice(-reach);
  }
  return total;
}
