// Every changed file with what is known of it: the riskiest first, what is left out last.
import type { ChangedPath, Changes, Plan, ReportedFinding, ReviewSheet } from './desk.js';

export interface FileRow {
  readonly entry: ChangedPath;
  readonly path: string;
  readonly risk?: ReviewSheet['files'][number];
  readonly pages: readonly number[];
  readonly omission?: Changes['omitted'][number];
  readonly units: readonly {
    readonly lines: string;
    readonly tags: readonly string[];
    readonly row: Plan['plan'][number];
  }[];
  readonly findings: readonly ReportedFinding[];
}

export interface Known {
  readonly changes: Changes;
  readonly sheet: ReviewSheet | undefined;
  readonly plan: Plan | undefined;
  readonly findings: readonly ReportedFinding[];
}

export function fileRows({ changes, sheet, plan, findings }: Known): FileRow[] {
  const risks = new Map(sheet?.files.map((file) => [file.path, file]));
  const rank = new Map(sheet?.files.map(({ path }, index) => [path, index]));
  const omissions = new Map((sheet?.omitted ?? changes.omitted).map((each) => [each.path, each]));
  const pages = pagesOf(sheet);
  const units = unitsOf(plan);
  const found = grouped(findings, ({ finding }) => finding.path);
  const rows = changes.entries.map((entry): FileRow => {
    const { path } = entry;
    const risk = risks.get(path);
    const omission = omissions.get(path);
    return {
      ...{ entry, path },
      ...(risk === undefined ? {} : { risk }),
      ...(omission === undefined ? {} : { omission }),
      pages: pages.get(path) ?? [],
      units: units.get(path) ?? [],
      findings: found.get(path) ?? [],
    };
  });
  const place = (row: FileRow) =>
    isLeftOut(row) ? Number.MAX_SAFE_INTEGER : (rank.get(row.path) ?? Number.MAX_SAFE_INTEGER - 1);
  return rows.sort((left, right) => place(left) - place(right));
}

/** Not a line of it is on a page. */
export const isLeftOut = ({ omission }: FileRow): boolean =>
  omission !== undefined && omission.partial !== true;

function pagesOf(sheet: ReviewSheet | undefined): Map<string, number[]> {
  const pages = new Map<string, number[]>();
  for (const { page, pieces } of sheet?.pages ?? [])
    for (const { path } of pieces) {
      const known = pages.get(path) ?? [];
      if (known.at(-1) !== page) pages.set(path, [...known, page]);
    }
  return pages;
}

function unitsOf(plan: Plan | undefined): Map<string, FileRow['units'][number][]> {
  const rows = new Map(plan?.plan.map((row) => [row.unit_id, row]));
  const units = new Map<string, FileRow['units'][number][]>();
  for (const { unit_id, file_path, tags, line_numbers } of plan?.planner_index.units ?? []) {
    const row = rows.get(unit_id);
    if (row === undefined) continue;
    const lines = line_numbers.new_compact ?? line_numbers.old_compact ?? '';
    const own = units.get(file_path) ?? [];
    own.push({ lines, tags, row });
    units.set(file_path, own);
  }
  return units;
}

function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const own = groups.get(keyOf(item)) ?? [];
    own.push(item);
    groups.set(keyOf(item), own);
  }
  return groups;
}

export interface DiffLine {
  readonly sign: ' ' | '+' | '-';
  readonly text: string;
  /** Characters that are missing. */
  readonly cut: number;
  readonly old?: number;
  readonly new?: number;
  readonly noNewline: boolean;
}

interface Hunk {
  readonly oldStart: number;
  readonly newStart: number;
  readonly lines: readonly string[];
  readonly cut: readonly { readonly line: number; readonly chars: number }[];
  readonly noNewline: readonly number[];
}

/** With the numbers that the lines have on each side. */
export function numbered({ oldStart, newStart, lines, cut, noNewline }: Hunk): DiffLine[] {
  const missing = new Map(cut.map(({ line, chars }) => [line, chars]));
  const openEnds = new Set(noNewline);
  let old = oldStart;
  let now = newStart;
  return lines.map((line, at) => {
    const sign = line[0] === '+' ? '+' : line[0] === '-' ? '-' : ' ';
    const numbers = { ...(sign === '+' ? {} : { old: old++ }), ...(sign === '-' ? {} : { new: now++ }) };
    const text = line.slice(1);
    return { sign, text, cut: missing.get(at) ?? 0, ...numbers, noNewline: openEnds.has(at) };
  });
}

/** The line of the diff below which a finding stands: the last of its lines that is there. */
export function isAtLine({ finding }: ReportedFinding, line: DiffLine): boolean {
  const number = finding.side === 'old' ? line.old : line.new;
  if (finding.side === 'new' && line.sign === '-') return false;
  return number !== undefined && number === finding.endLine;
}
