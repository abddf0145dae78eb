// A review for people: the files with their pages and tokens, the sum, and what is left out and why.
import type { Colors } from 'picocolors/types.js';
import type { PageSet } from '../../review/pages/page-set.js';
import type { Omission } from '../../review/prune/omission.js';

export interface TableOptions {
  readonly colors: Colors;
  /** Of the terminal. */
  readonly width: number;
  /** Dollars for a million tokens. */
  readonly price: number;
  /** Of each page, as it is sent. */
  readonly tokens: readonly number[];
}

const mostFiles = 40;
const mostOmitted = 20;

export function reviewTable(set: PageSet, options: TableOptions): string {
  const { colors } = options;
  const lines = [`${colors.bold('Review')} of ${nameOf(set)}`, ''];
  if (set.total > 0) lines.push(...fileLines(set, options), '', ...sumLines(set, options));
  if (set.omitted.length > 0) lines.push('', ...omittedLines(set.omitted, options));
  for (const { code, message } of set.warnings) lines.push('', `${colors.yellow(`! ${code}`)} ${message}`);
  return `${lines.join('\n')}\n`;
}

export function nameOf({ change }: Pick<PageSet, 'change'>): string {
  const short = (id: string | undefined) => id?.slice(0, 10) ?? 'nothing';
  if (change.mode === 'staged') return 'the staged changes';
  if (change.mode === 'working') return 'the working tree';
  return `${short(change.headCommit)} against ${short(change.baseCommit)}`;
}

interface Row {
  readonly path: string;
  added: number;
  removed: number;
  weight: number;
  readonly pages: Set<number>;
}

function fileLines(set: PageSet, { colors, width }: TableOptions): string[] {
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
  const wide = Math.max(20, Math.min(width - 34, Math.max(...shown.map(({ path }) => path.length))));
  const head = `  ${'file'.padEnd(wide)} ${'+'.padStart(6)} ${'-'.padStart(6)} ${'page'.padStart(6)} ${'tokens'.padStart(8)}`;
  const lines = shown.map(({ path, added, removed, weight, pages }) => {
    const tokens = Math.ceil(weight / set.meter.scale);
    const [first = 0] = pages;
    const page = pages.size === 1 ? String(first) : `${first}-${[...pages].at(-1)}`;
    return `  ${fitted(path, wide)} ${colors.green(String(added).padStart(6))} ${colors.red(String(removed).padStart(6))} ${page.padStart(6)} ${grouped(tokens).padStart(8)}`;
  });
  const more = all.length - shown.length;
  return [colors.dim(head), ...lines, ...(more > 0 ? [colors.dim(`  ... and ${more} more files`)] : [])];
}

function sumLines(set: PageSet, { tokens, price }: TableOptions): string[] {
  const all = tokens.reduce((sum, each) => sum + each, 0);
  const pages = `${set.total} page${set.total === 1 ? '' : 's'}`;
  const heaviest = Math.max(0, ...tokens);
  const counted = `${grouped(all)} tokens by ${set.meter.id}${set.meter.exact ? '' : ', an estimate'}`;
  return [
    `  ${set.coverage}`,
    `  ${pages}, ${counted}${set.total > 1 ? `; the heaviest page has ${grouped(heaviest)}` : ''}`,
    `  reading them costs a model about $${((all / 1e6) * price).toFixed(all * price > 1e4 ? 2 : 4)} at $${price} per million tokens`,
  ];
}

function omittedLines(omitted: readonly Omission[], { colors, width }: TableOptions): string[] {
  const shown = omitted.slice(0, mostOmitted);
  const wide = Math.max(20, Math.min(width - 50, Math.max(...shown.map(({ path }) => path.length))));
  const lines = shown.map(({ path, reason, added, removed, partial }) => {
    const part = partial ? ' (in part)' : '';
    return `  ${fitted(path, wide)}  ${`+${added} -${removed}`.padEnd(14)} ${reason}${part}`;
  });
  const more = omitted.length - shown.length;
  return [
    colors.bold(`Left out (${omitted.length})`),
    ...lines,
    ...(more > 0 ? [colors.dim(`  ... and ${more} more`)] : []),
  ];
}

/** The end of a long path says more than its start. */
function fitted(path: string, width: number): string {
  const characters = [...path.replaceAll(/\p{C}/gu, '?')];
  if (characters.length <= width) return characters.join('').padEnd(width);
  return `…${characters.slice(characters.length - width + 1).join('')}`;
}

function grouped(value: number): string {
  return String(value).replaceAll(/\B(?=(\d{3})+$)/g, ',');
}
