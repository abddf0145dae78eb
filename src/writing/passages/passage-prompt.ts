// A passage of a book that a model reads for one purpose: a role, a list where there is one, and the passage in a fence it cannot close.
// A passage longer than the model can read goes out in several pages, cut between paragraphs; a page repeats everything else.
import { type Layout, layOut } from '../../core/lay-out.js';
import type { Fragment, Scope } from '../../core/model/fragment.js';
import type { Meter } from '../../core/model/meter.js';
import type { Dialect, Recipe } from '../../core/model/recipe.js';
import { hashText } from '../../meters/content-hash.js';
import { type Placement, placed } from '../../models/contract/placement.js';
import { frontLength } from '../documents/front-matter.js';

export interface PassagePrompt {
  /** Of the recipe, the dialect and the fence. */
  readonly id: string;
  readonly role: string;
  readonly list?: {
    readonly id: string;
    readonly heading: string;
    readonly items: readonly string[];
  };
  /** What the book says elsewhere: before the passage, numbered on, and fenced as well. */
  readonly known?: readonly string[] | undefined;
  readonly text: string;
}

export interface Paragraph {
  /** In UTF-16 units of the whole text. */
  readonly start: number;
  readonly end: number;
}

/** Short ones that follow each other are one: nobody needs to cut between them. */
const shortParagraph = 800;

/** A paragraph ends before the next one begins, line ends and empty lines included. */
export function paragraphsOf(text: string): Paragraph[] {
  const found: Paragraph[] = [];
  let start = frontLength(text);
  for (const piece of text.slice(start).split(/(?<=\n)(?=[^\r\n])/)) {
    const end = start + piece.length;
    const last = found.at(-1);
    if (last !== undefined && end - last.start <= shortParagraph)
      found.splice(-1, 1, { start: last.start, end });
    else found.push({ start, end });
    start = end;
  }
  return found;
}

/** The fragment of the paragraph at this index. */
export const paragraphId = (index: number) => `passage:${index}`;

type PassageBody =
  | { readonly kind: 'words'; readonly text: string }
  | { readonly kind: 'item'; readonly text: string }
  | { readonly kind: 'known'; readonly number: number; readonly text: string };

export function layOutPassage(
  { id, role, list, known = [], text }: PassagePrompt,
  { meter, budget }: { readonly meter: Meter; readonly budget: number },
  placement: Placement,
): Layout {
  const scope: Scope = { project: id };
  const fragments: Fragment<PassageBody>[] = [];
  const add = (
    section: string,
    name: string,
    { layer = section, after, body }: { layer?: string; after?: string | undefined; body: PassageBody },
  ) =>
    fragments.push({
      ...{ id: name, source: id, scope, layer, section, rank: 0, position: fragments.length },
      levels: [{ name: 'whole', body }],
      ...(after === undefined ? {} : { after }),
    });
  const words = (said: string) => ({ body: { kind: 'words', text: said } as const });
  add('role', 'role', words(role));
  list?.items.forEach((item, index) => {
    add(list.id, `${list.id.replace(/s$/, '')}:${index}`, { body: { kind: 'item', text: item } });
  });
  const fence = fenceId(id, [text, ...(list?.items ?? []), ...known]);
  if (known.length > 0) {
    add('known-begin', 'known:begin', { layer: 'fence', ...words(`===== BEGIN KNOWN ${fence} =====`) });
    known.forEach((said, index) => {
      const number = (list?.items.length ?? 0) + index + 1;
      add('known', `known:${index}`, { body: { kind: 'known', number, text: said } });
    });
    add('known-end', 'known:end', { layer: 'fence', ...words(`===== END KNOWN ${fence} =====`) });
  }
  const mark = `PASSAGE ${fence} =====`;
  add('begin', 'fence:begin', { layer: 'fence', ...words(`===== BEGIN ${mark}`) });
  paragraphsOf(text).forEach(({ start, end }, index) => {
    const after = index === 0 ? undefined : paragraphId(index - 1);
    add('passage', paragraphId(index), { after, ...words(text.slice(start, end)) });
  });
  add('end', 'fence:end', { layer: 'fence', ...words(`===== END ${mark}`) });
  if (placement.answer !== undefined) add('answer', 'answer', words(placement.answer));
  const press = {
    recipe: recipeOf(id, { list: list?.id, isKnown: known.length > 0 }),
    dialect: dialectOf(id, list),
    meter,
    hash: hashText,
  };
  const limit = { unit: meter.unit, n: budget };
  return layOut(placed(press, placement), { scope, budget: { limit } }, fragments);
}

const knownSections = [
  { id: 'known-begin', channel: 'prompt' },
  { id: 'known', channel: 'prompt' },
  { id: 'known-end', channel: 'prompt' },
] as const;

function recipeOf(
  id: string,
  { list, isKnown }: { readonly list: string | undefined; readonly isKnown: boolean },
): Recipe {
  return {
    id,
    version: 1,
    overflow: 'paginate',
    layers: [
      { id: 'role', keep: 'all', everyPage: true },
      ...(list === undefined ? [] : [{ id: list, keep: 'all', everyPage: true } as const]),
      ...(isKnown ? [{ id: 'known', keep: 'all', everyPage: true } as const] : []),
      { id: 'passage', keep: 'all' },
      { id: 'fence', keep: 'all', everyPage: true },
      { id: 'answer', keep: 'all', everyPage: true },
    ],
    sections: [
      { id: 'role', channel: 'system', stable: true, breakpoint: true },
      ...(list === undefined
        ? []
        : [{ id: list, channel: 'prompt', stable: true, breakpoint: true } as const]),
      ...(isKnown ? knownSections : []),
      { id: 'begin', channel: 'prompt' },
      { id: 'passage', channel: 'prompt' },
      { id: 'end', channel: 'prompt' },
      { id: 'answer', channel: 'answer' },
    ],
  };
}

function dialectOf(id: string, list: PassagePrompt['list']): Dialect<PassageBody> {
  return {
    id,
    version: 1,
    apart: '\n',
    section: (section) => ({
      heading: section === list?.id ? list.heading : '',
      between: section === list?.id || section === 'known' ? '\n' : '',
    }),
    word: (body, _, place) => {
      if (body.kind === 'words') return body.text;
      const number = body.kind === 'known' ? body.number : place;
      return `${number}. ${body.text.replace(/\s*\n\s*/g, ' ')}`;
    },
  };
}

/** The same for every passage that does not hold it. */
export function fenceId(id: string, texts: readonly string[]): string {
  const folded = texts.join('\n').normalize('NFKC').toLowerCase();
  for (let salt = 0; ; salt += 1) {
    const found = hashText(`${id} ${salt}`).slice(0, 16);
    if (!folded.includes(found)) return found;
  }
}
