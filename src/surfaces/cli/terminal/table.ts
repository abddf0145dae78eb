// Text in columns that line up, whatever the script: an East Asian character takes two places, a combining mark none.
import { colours } from './colours.js';
import { widthOf } from './text-width.js';

export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /** May be cut when a line is too long for the terminal. */
  readonly shrink?: boolean;
}

interface TableOptions {
  /** Places a line may take; unlimited when left out. */
  readonly width?: number;
  readonly indent?: string;
}

const gap = '  ';
const narrowest = 8;
/** At most `most` places, with an ellipsis where something is missing. */
export function clipped(text: string, most: number): string {
  if (widthOf(text) <= most) return text;
  let width = 1;
  let kept = '';
  for (const character of text) {
    width += widthOf(character);
    if (width > most) break;
    kept += character;
  }
  return `${kept}…`;
}

export function padded(text: string, width: number, align: Column['align'] = 'left'): string {
  const blank = ' '.repeat(Math.max(0, width - widthOf(text)));
  return align === 'right' ? blank + text : text + blank;
}

export function textTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  { width = Number.POSITIVE_INFINITY, indent = '' }: TableOptions = {},
): string {
  const cells = rows.map((row) => columns.map((_, index) => oneLine(row[index] ?? '')));
  const widths = columns.map(({ title }, index) =>
    Math.max(widthOf(title), ...cells.map((row) => widthOf(row[index] ?? ''))),
  );
  const total = widths.reduce((sum, part) => sum + part, indent.length + gap.length * (columns.length - 1));
  const shrinking = columns.findLastIndex(({ shrink }) => shrink);
  if (total > width && shrinking >= 0) {
    widths[shrinking] = Math.max(narrowest, (widths[shrinking] ?? 0) - (total - width));
  }
  const line = (row: readonly string[]) =>
    indent +
    columns
      .map(({ align }, index) => {
        const cell = clipped(row[index] ?? '', widths[index] ?? 0);
        return index === columns.length - 1 && align !== 'right'
          ? cell
          : padded(cell, widths[index] ?? 0, align);
      })
      .join(gap)
      .trimEnd();
  const head = line(columns.map(({ title }) => title));
  return `${[colours.dim(head), ...cells.map(line)].join('\n')}\n`;
}

/** Names beside values, without a heading. */
export function pairs(rows: readonly (readonly [string, string])[], indent = ''): string {
  const width = Math.max(0, ...rows.map(([name]) => widthOf(name)));
  return rows.map(([name, value]) => `${indent}${colours.dim(padded(name, width))}${gap}${value}\n`).join('');
}

/** Commands beside what they do; below each other where a terminal is too narrow for both. */
export function commandList(rows: readonly (readonly [string, string])[], width: number): string {
  const wide = Math.max(0, ...rows.map(([command]) => widthOf(command)));
  const room = width - gap.length * 2 - wide;
  const isBeside = rows.every(([, about]) => widthOf(about) <= room);
  return rows
    .map(([command, about]) =>
      isBeside
        ? `${gap}${colours.cyan(padded(command, wide))}${gap}${about}\n`
        : `${gap}${colours.cyan(command)}\n${gap}${gap}${about}\n`,
    )
    .join('');
}

/** Places of the terminal, or a readable line for files and pipes. */
export function terminalWidth(): number {
  return process.stdout.columns ?? 100;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** 1234567 as 1,234,567. */
export function grouped(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',');
}
