// The smallest thing that is planned and reviewed: the changed lines of one symbol, or of what stands outside all symbols.

import type { LineRange } from '../../code/range-evidence.js';
import type { CodeSymbol, Outline } from '../../code/syntax/outline-model.js';
import { hashText } from '../../meters/content-hash.js';
import type { ChangedFile, FileSide } from './changed-file.js';
import type { ChangedLine } from './changed-lines.js';
import { changedLines, rangesOf } from './changed-lines.js';
import { type LineOwner, lineOwner } from './line-owner.js';

export type PatchType = 'add' | 'modify' | 'delete' | 'rename';

export interface ReviewUnit {
  /** Follows from path, symbols and changed lines; edits elsewhere leave it as it is. */
  readonly id: string;
  readonly path: string;
  readonly file: ChangedFile;
  readonly patchType: PatchType;
  readonly place: 'symbol' | 'imports' | 'top-level' | 'data' | 'file';
  /** Names of the enclosing symbols, outermost first. */
  readonly chain: readonly string[];
  readonly symbol?: CodeSymbol;
  readonly oldSymbol?: CodeSymbol;
  readonly lines: readonly ChangedLine[];
  readonly added: readonly LineRange[];
  readonly removed: readonly LineRange[];
  readonly hunkCount: number;
}

/** Where the unit stands now; for what is gone, where it stood. */
export function unitSide(
  unit: ReviewUnit,
): { readonly name: 'old' | 'new'; readonly side: FileSide } | undefined {
  const { before, after } = unit.file;
  const gone = unit.symbol === undefined && unit.oldSymbol !== undefined;
  if (after !== undefined && !gone) return { name: 'new', side: after };
  return before === undefined ? undefined : { name: 'old', side: before };
}

export function addedCount(unit: ReviewUnit): number {
  return unit.lines.filter(({ kind }) => kind === 'added').length;
}

export function removedCount(unit: ReviewUnit): number {
  return unit.lines.length - addedCount(unit);
}

interface Group {
  readonly place: ReviewUnit['place'];
  readonly symbol?: CodeSymbol;
  readonly oldSymbol?: CodeSymbol;
  readonly lines: ChangedLine[];
}

type Key = CodeSymbol | Exclude<ReviewUnit['place'], 'symbol'>;

/** Each changed line stands in exactly one unit, grouped by the symbol that owns it on its own side. */
export function makeUnits(files: readonly ChangedFile[]): ReviewUnit[] {
  const twins = new Map<string, number>();
  return files.flatMap((file) => groupsOf(file).map((group) => unitOf(file, group, twins)));
}

function groupsOf(file: ChangedFile): Group[] {
  const lines = changedLines(file.patch);
  if (lines.length === 0) return [{ place: 'file', lines: [] }];
  if (file.patch.header.change === 'delete') return [{ place: 'file', lines }];
  const partners = new Map<CodeSymbol, CodeSymbol>();
  for (const change of file.symbolChanges)
    if (change.kind === 'kept') {
      partners.set(change.before, change.after);
      partners.set(change.after, change.before);
    }
  const keys = ownersOf(file, lines).map((owner, at): Key => {
    if (typeof owner === 'string' || lines[at]!.kind === 'added') return owner;
    return partners.get(owner) ?? owner;
  });
  const groups = new Map<Key, Group>();
  lines.forEach((line, at) => {
    const key = keys[at]!;
    const known = groups.get(key);
    if (known === undefined) groups.set(key, { ...groupHead(file, key, partners), lines: [line] });
    else known.lines.push(line);
  });
  return [...groups.values()];
}

function groupHead(
  file: ChangedFile,
  key: Key,
  partners: ReadonlyMap<CodeSymbol, CodeSymbol>,
): Omit<Group, 'lines'> {
  if (typeof key === 'string') return { place: key };
  const partner = partners.get(key);
  const isNew = file.after?.outline.symbols.includes(key) === true;
  const symbol = isNew ? key : partner;
  const oldSymbol = isNew ? partner : key;
  return {
    place: 'symbol',
    ...(symbol === undefined ? {} : { symbol }),
    ...(oldSymbol === undefined ? {} : { oldSymbol }),
  };
}

/** Blank lines between symbols go with their neighbour in the run, so that space makes no unit of its own. */
function ownersOf(file: ChangedFile, lines: readonly ChangedLine[]): LineOwner[] {
  const natural = lines.map((line): LineOwner => {
    const outline = outlineOf(file, line);
    return outline === undefined ? 'top-level' : lineOwner(outline, line.number);
  });
  const owners = natural.map((owner, at) => {
    const settled = typeof owner !== 'string' && (owner.kind === 'function' || owner.kind === 'method');
    return lines[at]!.text.trim() === '' && !settled ? undefined : owner;
  });
  const neighbour = (at: number, step: 1 | -1): LineOwner | undefined => {
    const line = lines[at]!;
    for (let other = at + step; lines[other]?.run === line.run; other += step)
      if (lines[other]!.kind === line.kind && owners[other] !== undefined) return owners[other];
    return undefined;
  };
  return owners.map((owner, at) => owner ?? neighbour(at, -1) ?? neighbour(at, 1) ?? natural[at]!);
}

function outlineOf({ before, after }: ChangedFile, { kind }: ChangedLine): Outline | undefined {
  return (kind === 'added' ? after : before)?.outline;
}

function unitOf(file: ChangedFile, group: Group, twins: Map<string, number>): ReviewUnit {
  const { path } = file.patch.entry;
  const numbers = (kind: ChangedLine['kind']) =>
    rangesOf(group.lines.filter((line) => line.kind === kind).map(({ number }) => number));
  const patchType = patchTypeOf(file, group);
  const chain = chainOf(file, group);
  const said = group.lines.map(({ kind, text }) => `${kind === 'added' ? '+' : '-'}${text}`);
  const content = JSON.stringify([path, chain, group.place, patchType, said]);
  const twin = twins.get(content) ?? 0;
  twins.set(content, twin + 1);
  const id = `unit_${hashText(twin === 0 ? content : `${content}${twin}`).slice(0, 12)}`;
  return {
    id,
    path,
    file,
    patchType,
    place: group.place,
    chain,
    ...(group.symbol === undefined ? {} : { symbol: group.symbol }),
    ...(group.oldSymbol === undefined ? {} : { oldSymbol: group.oldSymbol }),
    lines: group.lines,
    added: numbers('added'),
    removed: numbers('removed'),
    hunkCount: new Set(group.lines.map(({ hunk }) => hunk)).size,
  };
}

function chainOf(file: ChangedFile, { symbol, oldSymbol }: Group): string[] {
  const names: string[] = [];
  const symbols = (symbol === undefined ? file.before : file.after)?.outline.symbols ?? [];
  for (let at = symbol ?? oldSymbol; at !== undefined; at = symbols[at.parent ?? -1]) names.unshift(at.name);
  return names;
}

function patchTypeOf(file: ChangedFile, group: Group): PatchType {
  const { change } = file.patch.header;
  if (change === 'create') return 'add';
  if (change === 'delete') return 'delete';
  if (group.place === 'symbol' && group.oldSymbol === undefined) return 'add';
  if (group.place === 'symbol' && group.symbol === undefined) return 'delete';
  if (change === 'copy' && group.lines.length === 0) return 'add';
  return change === 'rename' ? 'rename' : 'modify';
}
