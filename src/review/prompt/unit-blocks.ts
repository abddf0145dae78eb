// How a changed file reads on a page of a review: under one header its units in the order of their lines, each with a JSON head and
// its part of the diff. Every line of the patch stands in exactly one block, with its true numbers on both sides.
import { type FilePatch, gapLine } from '../../git/patch/patch.js';
import { groupBy } from '../change/group-by.js';
import { printablePath } from '../change/safe-text.js';
import { codeFence } from '../context/arrange-pieces.js';
import type { BlockText, PieceSource } from '../pieces/piece.js';
import type { PlannedUnit, UnitsByPath } from '../plan/plan-review.js';
import { compactLines } from '../units/changed-lines.js';

/** A file without units reads as one block. `text` is the patch as it may leave the machine, and `clean` does the same to names. */
export function unitBlocks(
  source: PieceSource,
  {
    text,
    units,
    clean,
  }: { readonly text: string; readonly units: UnitsByPath; clean(words: string): string },
): BlockText[] {
  const own = units.get(source.path) ?? [];
  const owners = new Map<string, PlannedUnit>();
  for (const one of own)
    for (const { kind, number } of one.unit.lines)
      owners.set(`${kind === 'added' ? '+' : '-'}${number}`, one);
  const segments = segmentsOf(text.split('\n'), source.patches, (sign, line) => owners.get(`${sign}${line}`));
  const groups = groupBy(segments, ({ unit }) => unit);
  const header = clean(fileHeader(source, text));
  const head = (one: PlannedUnit | undefined) => clean(headOf(one));
  if (groups.size === 0)
    return [{ text: `${header}${head(own[0])}${codeFence('diff', text)}`, ...named(own[0]) }];
  return [...groups].map(([one, parts], at) => ({
    text: `${at === 0 ? header : ''}${head(one)}${codeFence('diff', parts.map(segmentText).join(''))}`,
    ...named(one),
  }));
}

function named(one: PlannedUnit | undefined): Pick<BlockText, 'unit'> {
  return one === undefined ? {} : { unit: one.unit.id };
}

function fileHeader(
  { path, oldPath, part, parts, added, removed, patches, left }: PieceSource,
  text: string,
): string {
  const status = patches[0]?.entry.status ?? 'modified';
  const from = oldPath === undefined || oldPath === path ? '' : ` from ${printablePath(oldPath)}`;
  const place = parts > 1 ? `, part ${part} of ${parts}` : '';
  const missing =
    left === undefined || left.added + left.removed === 0
      ? ''
      : `; in part: ${left.added} added and ${left.removed} removed lines more are not shown`;
  const counts = added + removed === 0 ? '' : ` +${added} -${removed}`;
  const warning = text
    .split('\n', 2)
    .filter((line) => line.startsWith('WARNING: ') && /over-long|data in /.test(line))
    .map((line) => `${line}\n`)
    .join('');
  return `## ${printablePath(path)}\n${status.replace('-', ' ')}${from}${counts}${place}${missing}\n${warning}`;
}

/** What the plan knows of a unit, on one line. */
function headOf(one: PlannedUnit | undefined): string {
  if (one === undefined) return '';
  const { unit, verdict } = one;
  const why = whyOf(one);
  const gone = compactLines(unit.removed);
  const head = {
    unit: unit.id,
    ...(unit.chain.length === 0 ? {} : { symbol: unit.chain.join('.').slice(0, 200) }),
    place: compactLines(unit.added) ?? (gone === null ? unit.place : `${gone} (old)`),
    tags: verdict.tags,
    risk: verdict.risk,
    ...(why === undefined ? {} : { why }),
  };
  return `${JSON.stringify(head)}\n`;
}

/** Rules whose reasons say most about what could go wrong, the first that holds is told. */
const telling = [
  ...['security-sensitive', 'migration', 'data-model', 'deleted-symbol', 'deleted-file', 'signature-change'],
  ...['public-api', 'contract', 'structure', 'routing-file', 'config-file', 'endpoint', 'data-access'],
  ...['error-handling', 'concurrency'],
  // Of a test its being one says more than that a function changed.
  ...['whitespace-only', 'comment-only', 'import-only', 'logging-only', 'test-code'],
];

/** In one phrase, why a unit matters; rules of a project speak before those that say little. */
export function whyOf({ verdict }: Pick<PlannedUnit, 'verdict'>): string | undefined {
  const said = new Map(
    verdict.notes.flatMap((note) => {
      const [, rule, reason] = /^([\w-]+): (.+)$/.exec(note) ?? [];
      return rule === undefined || reason === undefined ? [] : [[rule, reason] as const];
    }),
  );
  const first = telling.find((rule) => said.has(rule));
  return first === undefined ? [...said.values()].at(-1) : said.get(first);
}

interface Segment {
  readonly unit: PlannedUnit | undefined;
  readonly heading: string;
  readonly lines: string[];
  oldStart: number;
  newStart: number;
  old: number;
  new: number;
}

/** Unchanged lines between two units: so many go with the one above, the rest with the one below. */
const maxTrailing = 3;

function segmentsOf(
  lines: readonly string[],
  patches: readonly FilePatch[],
  ownerOf: (sign: '+' | '-', line: number) => PlannedUnit | undefined,
): Segment[] {
  const segments: Segment[] = [];
  let at = 0;
  for (const { hunks } of patches)
    for (const hunk of hunks) {
      while (at < lines.length && !lines[at]!.startsWith('@@ -')) at += 1;
      const heading = hunk.heading.toString('utf8');
      at += 1;
      let count = 0;
      for (const byte of hunk.body) if (byte === 10) count += 1;
      const rows = rowsOf(lines.slice(at, at + count), hunk);
      at += count;
      let open: Segment | undefined;
      let waiting: Row[] = [];
      const start = (unit: PlannedUnit | undefined, from: Row): Segment => {
        const segment = {
          ...{ unit, heading: open === undefined ? heading : '', lines: [], old: 0, new: 0 },
          ...{ oldStart: from.oldLine, newStart: from.newLine },
        };
        segments.push(segment);
        return segment;
      };
      for (const row of rows) {
        if (row.sign === ' ') {
          waiting.push(row);
          continue;
        }
        // The mark of a missing line end belongs to the line above it.
        const unit =
          row.sign === '\\' ? open?.unit : ownerOf(row.sign, row.sign === '+' ? row.newLine : row.oldLine);
        if (open === undefined || (open.unit !== unit && row.sign !== '\\')) {
          const stays = open === undefined ? 0 : Math.min(maxTrailing, Math.ceil(waiting.length / 2));
          for (const before of waiting.slice(0, stays)) add(open!, before);
          waiting = waiting.slice(stays);
          open = start(unit, waiting[0] ?? row);
        }
        for (const before of waiting) add(open, before);
        waiting = [];
        add(open, row);
      }
      if (open !== undefined) for (const rest of waiting) add(open, rest);
      if (open !== undefined && hunk.gap !== undefined) open.lines.push(gapLine(hunk).trimEnd());
    }
  return segments;
}

interface Row {
  readonly sign: ' ' | '+' | '-' | '\\';
  readonly text: string;
  readonly oldLine: number;
  readonly newLine: number;
}

function rowsOf(lines: readonly string[], hunk: FilePatch['hunks'][number]): Row[] {
  let oldLine = hunk.oldCount === 0 ? hunk.oldStart + 1 : hunk.oldStart;
  let newLine = hunk.newCount === 0 ? hunk.newStart + 1 : hunk.newStart;
  return lines.map((text): Row => {
    const first = text[0];
    const sign = first === '+' || first === '-' || first === '\\' ? first : ' ';
    const row = { sign, text, oldLine, newLine } as const;
    if (sign === ' ' || sign === '-') oldLine += 1;
    if (sign === ' ' || sign === '+') newLine += 1;
    return row;
  });
}

function add(segment: Segment, { sign, text }: Row): void {
  segment.lines.push(text);
  if (sign === ' ' || sign === '-') segment.old += 1;
  if (sign === ' ' || sign === '+') segment.new += 1;
}

function segmentText({ oldStart, newStart, old, new: fresh, heading, lines }: Segment): string {
  const range = (start: number, count: number) =>
    count === 1 ? `${start}` : `${count === 0 ? start - 1 : start},${count}`;
  return `@@ -${range(oldStart, old)} +${range(newStart, fresh)} @@${heading}\n${lines.join('\n')}\n`;
}
