// A review for people: the files with their pages and tokens, the sum, and what is left out and why.
import type { Colors } from 'picocolors/types.js';
import type { Warning } from '../../../core/model/error.js';
import { hidingCode } from '../../../review/change/hiding.js';
import { isInvoluntary, type Omission } from '../../../review/change/omission.js';
import type { PageSet } from '../../../review/pages/page-set.js';
import { risks } from '../../../review/plan/rule.js';
import type { FileShown } from '../../../review/prompt/change-map.js';
import { warningText } from '../terminal/explain-receipt.js';
import { type Column, grouped, padded, textTable } from '../terminal/table.js';
import { widthOf, wrapped } from '../terminal/text-width.js';
import { counted, factWords, spokenLanguage, word } from '../words/word.js';

/** A review as a table shows it. */
export interface ShownReview
  extends Pick<PageSet, 'total' | 'omitted' | 'warnings' | 'coverage' | 'pages' | 'change' | 'meter'> {
  readonly files: ReadonlyMap<string, FileShown>;
}

export interface ReviewTableOptions {
  readonly colours: Colors;
  /** Of the terminal; without one nothing is cut. */
  readonly width: number | undefined;
  /** What was asked for, where revisions were named. */
  readonly asked?: AskedRange | undefined;
  /** Dollars for a million tokens. */
  readonly price: number;
  /** Of each page, as it is sent. */
  readonly tokens: readonly number[];
}

export interface AskedRange {
  readonly base?: string | undefined;
  readonly head?: string | undefined;
  readonly commit?: string | undefined;
}

const maxFiles = 40;
const maxOmitted = 20;
/** Where nobody says how wide a line may be. */
const usualWidth = 110;
const leastName = 20;
/** Less than this of a column says nothing. */
const leastContext = 14;
const maxWarned = 5;

export function reviewTable(set: ShownReview, options: ReviewTableOptions): string {
  const { colours } = options;
  const lines = [colours.bold(word('review.head', { name: nameOf(set, options.asked) })), ''];
  // Whoever reads on below should know what is not there.
  for (const warning of set.warnings.filter(({ code }) => code === hidingCode))
    lines.push(...warningLines(warning, [], options), '');
  if (set.total > 0) lines.push(...fileLines(set, options), '', ...sumLines(set, options));
  else lines.push(...indented([coverageWords(set), word('review.no-pages')], options));
  if (set.omitted.length > 0) lines.push('', ...omittedLines(set.omitted, options));
  const listed = new Set(shownOmissions(set.omitted).map(({ path }) => path));
  for (const { code, message, details } of set.warnings.filter(({ code: one }) => one !== hidingCode)) {
    const paths = Array.isArray(details?.paths) ? details.paths.filter((path) => !listed.has(path)) : [];
    lines.push('', ...warningLines({ code, message }, paths, options));
  }
  return `${lines.join('\n')}\n`;
}

export function nameOf({ change }: Pick<PageSet, 'change'>, asked: AskedRange = {}): string {
  const short = (id: string | undefined, name?: string) => {
    const known = id?.slice(0, 10) ?? word('review.nothing');
    return name === undefined || id?.startsWith(name) ? known : `${endOf(name, 60)} (${known})`;
  };
  if (change.mode === 'staged') return word('review.staged');
  if (change.mode === 'working') return word('review.working');
  return word('review.range', {
    head: short(change.headCommit, asked.commit ?? asked.head),
    base: short(change.baseCommit, asked.base),
  });
}

function warningLines(
  { code, message }: Warning,
  paths: readonly string[],
  { colours, width }: ReviewTableOptions,
): string[] {
  const said = wrapped(`! ${warningText({ code, message })} (${code})`, width ?? usualWidth).split('\n');
  const more = paths.length - maxWarned;
  return [
    ...said.map((line, index) => (index === 0 ? line.replace('!', colours.yellow) : line)),
    ...paths.slice(0, maxWarned).map((path) => `  ${endOf(path, (width ?? usualWidth) - 2)}`),
    ...(more > 0 ? [colours.dim(`  ${word('review.more', { n: more })}`)] : []),
  ];
}

interface Row {
  readonly path: string;
  readonly oldPath: string | undefined;
  added: number;
  removed: number;
  weight: number;
  readonly pages: Set<number>;
}

function fileLines(set: ShownReview, { colours, width }: ReviewTableOptions): string[] {
  const rows = new Map<string, Row>();
  set.pages.forEach((pieces, page) => {
    for (const { path, oldPath, added, removed, weight } of pieces) {
      const row = rows.get(path) ?? { path, oldPath, added: 0, removed: 0, weight: 0, pages: new Set() };
      row.added += added;
      row.removed += removed;
      row.weight += weight;
      row.pages.add(page + 1);
      rows.set(path, row);
    }
  });
  const stakeOf = ({ path }: Row) => risks.indexOf(set.files.get(path)?.risk ?? 'low');
  // What matters most comes first, and is not among those that are only counted.
  const all = [...rows.values()].sort((left, right) => stakeOf(right) - stakeOf(left));
  const shown = all.slice(0, maxFiles);
  const facts = shown.map(({ path, added, removed, weight, pages }) => {
    const [first = 0] = pages;
    const page = pages.size === 1 ? String(first) : `${first}-${[...pages].at(-1)}`;
    const tokens = Math.ceil(weight / set.meter.scale);
    return [String(added), String(removed), page, grouped(tokens), shownWords(set.files.get(path))];
  });
  const titles = ['+', '-', word('review.col.page'), word('review.col.tokens'), word('review.col.context')];
  const taken = titles.map((title, index) =>
    Math.max(widthOf(title), ...facts.map((row) => widthOf(row[index] ?? ''))),
  );
  const context = taken.pop() ?? 0;
  const free = (width ?? Number.POSITIVE_INFINITY) - taken.reduce((sum, each) => sum + each + 2, 2);
  const withContext = free - 2 - leastName >= Math.min(leastContext, context);
  const room = withContext ? Math.max(leastName, free - 2 - context) : free;
  const columns: Column[] = [
    { title: word('review.col.file') },
    ...titles.map((title): Column => ({ title, align: 'right' })),
  ];
  if (withContext) columns.splice(-1, 1, { title: titles.at(-1) ?? '', shrink: true });
  else columns.pop();
  const table = textTable(
    columns,
    shown.map((row, index) => [fileName(row, room), ...(facts[index] ?? [])]),
    { indent: '  ', ...(width === undefined ? {} : { width }) },
  );
  const more = all.length - shown.length;
  return [table.trimEnd(), ...(more > 0 ? [colours.dim(`  ${word('review.more-files', { n: more })}`)] : [])];
}

function sumLines(set: ShownReview, { tokens, price, width }: ReviewTableOptions): string[] {
  const all = tokens.reduce((sum, each) => sum + each, 0);
  const heaviest = Math.max(0, ...tokens);
  const counting = word('review.tokens', { tokens: grouped(all), meter: set.meter.id });
  const estimate = set.meter.exact ? '' : word('review.estimate');
  const most = set.total > 1 ? word('review.heaviest', { tokens: grouped(heaviest) }) : '';
  const cost = ((all / 1e6) * price).toFixed(all * price > 1e4 ? 2 : 4);
  const lines = [
    coverageWords(set),
    `${counted(set.total, 'page')}${word('review.comma')}${counting}${estimate}${most}`,
    word('review.cost', { cost: `$${cost}`, price: `$${price}` }),
  ];
  return indented(lines, { width });
}

function indented(
  lines: readonly string[],
  { width = usualWidth }: Pick<ReviewTableOptions, 'width'>,
): string[] {
  return lines.flatMap((line) => wrapped(line, width - 2).split('\n')).map((line) => `  ${line}`);
}

/** In English the line of the receipt; elsewhere the same facts, the reasons standing below. */
function coverageWords({ coverage, pages, omitted }: ShownReview): string {
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

function omittedLines(
  omitted: readonly Omission[],
  { colours, width = usualWidth }: ReviewTableOptions,
): string[] {
  const shown = shownOmissions(omitted);
  const wide = Math.max(20, Math.min(width - 50, Math.max(...shown.map(({ path }) => widthOf(path)))));
  const counts = shown.map(({ added, removed }) => `+${added} -${removed}`);
  const most = Math.max(...counts.map((count) => count.length));
  const lines = shown.map(({ path, reason, rule, partial }, index) => {
    // The reason of abridged data says so itself.
    const part = partial && rule !== 'abridged' ? word('review.in-part') : '';
    return `  ${padded(endOf(path, wide), wide)}  ${(counts[index] ?? '').padEnd(most)}  ${factWords(`omission.${rule}`, reason)}${part}`;
  });
  const more = omitted.length - shown.length;
  return [
    colours.bold(word('review.left-out', { n: omitted.length })),
    ...lines,
    ...(more > 0 ? [colours.dim(`  ${word('review.more', { n: more })}`)] : []),
  ];
}

/** What nobody wanted to leave out comes first, and all of it. */
function shownOmissions(omitted: readonly Omission[]): Omission[] {
  const first = omitted.filter(isInvoluntary);
  const others = omitted.filter((omission) => !isInvoluntary(omission));
  return [...first, ...others].slice(0, Math.max(maxOmitted, first.length));
}

/** Where it came from goes along when there is room. */
function fileName({ path, oldPath }: Row, width: number): string {
  if (oldPath === undefined || oldPath === path) return endOf(path, width);
  const both = `${path}${word('review.from', { path: oldPath })}`;
  return endOf(widthOf(both) <= width ? both : path, width);
}

/** The end of a long path says more than its start. */
function endOf(path: string, width: number): string {
  const characters = [...path.replaceAll(/\p{C}/gu, '?')];
  if (widthOf(path) <= width) return characters.join('');
  while (widthOf(characters.join('')) >= width) characters.shift();
  return `…${characters.join('')}`;
}

/** Why a file matters and what its reviewer gets beside the diff. */
function shownWords(file: FileShown | undefined): string {
  if (file === undefined) return '';
  const { why, level, callers, tests, places } = file;
  const also = [
    ...(level === 'diff_only' ? [] : [word(`review.level.${level}`)]),
    ...(callers === 0 ? [] : [counted(callers, 'caller')]),
    ...(tests === 0 ? [] : [counted(tests, 'test')]),
    ...(places === 0 ? [] : [counted(places, 'place')]),
  ];
  const reason = why === undefined ? [] : [factWords(`why.${why}`, why)];
  return [...reason, ...(also.length === 0 ? [] : [also.join(word('review.comma'))])].join(' \u00b7 ');
}
