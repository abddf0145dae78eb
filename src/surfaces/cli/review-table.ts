// A review for people: the files with their pages and tokens, the sum, and what is left out and why.
import type { Colors } from 'picocolors/types.js';
import type { PageSet } from '../../review/pages/page-set.js';
import type { Omission } from '../../review/prune/omission.js';
import type { FilePlan } from './review-plan-view.js';
import { padded, textTable } from './table.js';
import { widthOf } from './text-width.js';
import { warningWords } from './warning-words.js';
import { counted, factWords, spokenLanguage, word } from './words/word.js';
import { wrapped } from './wrap.js';

export interface TableOptions {
  readonly colours: Colors;
  /** Of the terminal. */
  readonly width: number;
  /** Dollars for a million tokens. */
  readonly price: number;
  /** Of each page, as it is sent. */
  readonly tokens: readonly number[];
  readonly plan: ReadonlyMap<string, FilePlan>;
}

const mostFiles = 40;
const mostOmitted = 20;

export function reviewTable(set: PageSet, options: TableOptions): string {
  const { colours } = options;
  const lines = [colours.bold(word('review.head', { name: nameOf(set) })), ''];
  if (set.total > 0) lines.push(...fileLines(set, options), '', ...sumLines(set, options));
  if (set.omitted.length > 0) lines.push('', ...omittedLines(set.omitted, options));
  for (const { code, message } of set.warnings)
    lines.push('', `${colours.yellow(`! ${code}`)} ${warningWords({ code, message })}`);
  return `${lines.join('\n')}\n`;
}

export function nameOf({ change }: Pick<PageSet, 'change'>): string {
  const short = (id: string | undefined) => id?.slice(0, 10) ?? word('review.nothing');
  if (change.mode === 'staged') return word('review.staged');
  if (change.mode === 'working') return word('review.working');
  return word('review.range', { head: short(change.headCommit), base: short(change.baseCommit) });
}

interface Row {
  readonly path: string;
  added: number;
  removed: number;
  weight: number;
  readonly pages: Set<number>;
}

function fileLines(set: PageSet, { colours, width, plan }: TableOptions): string[] {
  const rows = new Map<string, Row>();
  set.pages.forEach((pieces, page) => {
    for (const { path, added, removed, weight } of pieces) {
      const row = rows.get(path) ?? { path, added: 0, removed: 0, weight: 0, pages: new Set() };
      row.added += added;
      row.removed += removed;
      row.weight += weight;
      row.pages.add(page + 1);
      rows.set(path, row);
    }
  });
  const all = [...rows.values()];
  const shown = all.slice(0, mostFiles);
  const table = textTable(
    [
      { title: word('review.col.file') },
      { title: '+', align: 'right' },
      { title: '-', align: 'right' },
      { title: word('review.col.page'), align: 'right' },
      { title: word('review.col.tokens'), align: 'right' },
      { title: word('review.col.context') },
    ],
    shown.map(({ path, added, removed, weight, pages }) => {
      const [first = 0] = pages;
      const page = pages.size === 1 ? String(first) : `${first}-${[...pages].at(-1)}`;
      const tokens = Math.ceil(weight / set.meter.scale);
      const file = endOf(path, Math.max(20, width - 60));
      return [file, String(added), String(removed), page, grouped(tokens), plan.get(path)?.summary ?? ''];
    }),
    { indent: '  ', width },
  );
  const more = all.length - shown.length;
  return [table.trimEnd(), ...(more > 0 ? [colours.dim(`  ${word('review.more-files', { n: more })}`)] : [])];
}

function sumLines(set: PageSet, { tokens, price, width }: TableOptions): string[] {
  const all = tokens.reduce((sum, each) => sum + each, 0);
  const heaviest = Math.max(0, ...tokens);
  const counting = word('review.tokens', { tokens: grouped(all), meter: set.meter.id });
  const estimate = set.meter.exact ? '' : word('review.estimate');
  const most = set.total > 1 ? word('review.heaviest', { tokens: grouped(heaviest) }) : '';
  const cost = ((all / 1e6) * price).toFixed(all * price > 1e4 ? 2 : 4);
  return [
    ...wrapped(coverageWords(set), width - 2)
      .split('\n')
      .map((line) => `  ${line}`),
    `  ${counted(set.total, 'page')}${word('review.comma')}${counting}${estimate}${most}`,
    `  ${word('review.cost', { cost: `$${cost}`, price: `$${price}` })}`,
  ];
}

/** In English the line of the receipt; elsewhere the same facts, the reasons standing below. */
function coverageWords({ coverage, pages, omitted }: PageSet): string {
  if (spokenLanguage() === 'en') return coverage;
  const pieces = pages.flat();
  const facts = {
    files: new Set(pieces.map(({ path }) => path)).size,
    added: pieces.reduce((sum, { added }) => sum + added, 0),
    removed: pieces.reduce((sum, { removed }) => sum + removed, 0),
  };
  return omitted.length === 0
    ? word('review.complete', facts)
    : word('review.partial', { ...facts, left: omitted.length });
}

function omittedLines(omitted: readonly Omission[], { colours, width }: TableOptions): string[] {
  const shown = omitted.slice(0, mostOmitted);
  const wide = Math.max(20, Math.min(width - 50, Math.max(...shown.map(({ path }) => widthOf(path)))));
  const lines = shown.map(({ path, reason, rule, added, removed, partial }) => {
    const part = partial ? word('review.in-part') : '';
    return `  ${padded(endOf(path, wide), wide)}  ${`+${added} -${removed}`.padEnd(14)} ${factWords(`omission.${rule}`, reason)}${part}`;
  });
  const more = omitted.length - shown.length;
  return [
    colours.bold(word('review.left-out', { n: omitted.length })),
    ...lines,
    ...(more > 0 ? [colours.dim(`  ${word('review.more', { n: more })}`)] : []),
  ];
}

/** The end of a long path says more than its start. */
function endOf(path: string, width: number): string {
  const characters = [...path.replaceAll(/\p{C}/gu, '?')];
  if (widthOf(path) <= width) return characters.join('');
  while (widthOf(characters.join('')) >= width) characters.shift();
  return `…${characters.join('')}`;
}

function grouped(value: number): string {
  return String(value).replaceAll(/\B(?=(\d{3})+$)/g, ',');
}
