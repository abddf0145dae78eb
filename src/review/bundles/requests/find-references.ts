// Who uses a symbol? The word, at a place where it is used, in a file where it means that symbol. Methods are reached through
// values whose type is not known here, so their callers are only possible ones.

import { languageOf } from '../../../code/language.js';
import { enclosingChain } from '../../../code/range-evidence.js';
import type { UseRole } from '../../../code/syntax/outline-model.js';
import type { FileSide } from '../../units/changed-file.js';
import { isCallable } from '../../units/line-owner.js';
import { byCloseness, sameFamily } from './closeness.js';
import { type Definition, inScope } from './in-scope.js';
import type { Reference, References, RequestGround } from './request-ground.js';

export interface ReferenceQuestion extends Definition {
  /** The class or receiver of a method; its callers are possible ones. */
  readonly owner?: string;
  readonly roles: readonly UseRole[];
  /** Lines of the defining file that are the symbol itself. */
  readonly own?: { readonly startLine: number; readonly endLine: number } | undefined;
}

const mostOpened = 60;
const wholeFunction = 15;
const reach = 3;

export async function findReferences(
  question: ReferenceQuestion,
  ground: RequestGround,
): Promise<References> {
  const byPath = new Map<string, number[]>();
  const language = languageOf(question.path);
  const called = question.roles.every((role) => role === 'call');
  for (const { path, line, text } of ground.hits(question.name)) {
    if (!sameFamily(languageOf(path), language)) continue;
    if (called && !mayBeCall(text, question.name)) continue;
    byPath.set(path, [...(byPath.get(path) ?? []), line]);
  }
  const order = byCloseness(question.path);
  const paths = [...byPath.keys()].sort(order);
  const files = await ground.library.study(paths.slice(0, mostOpened));
  const found: Reference[] = [];
  for (const [path, file] of files)
    found.push(...referencesIn(file, byPath.get(path) ?? [], question, ground));
  const unchecked = paths
    .slice(mostOpened)
    .reduce((total, path) => total + (byPath.get(path)?.length ?? 0), 0);
  const rank = ({ certainty }: Reference) => (certainty === 'certain' ? 0 : 1);
  found.sort((a, b) => rank(a) - rank(b) || order(a.path, b.path) || a.line - b.line);
  return { found, total: found.length, unchecked };
}

function referencesIn(
  file: FileSide,
  lines: readonly number[],
  question: ReferenceQuestion,
  ground: RequestGround,
): Reference[] {
  const { name, owner, roles, own } = question;
  const wanted = new Set(lines);
  const used = new Set<number>();
  for (const use of file.outline.uses)
    if (use.name === name && wanted.has(use.line) && roles.includes(use.role)) used.add(use.line);
  if (own !== undefined && file.path === question.path)
    for (const line of used) if (line >= own.startLine && line <= own.endLine) used.delete(line);
  if (used.size === 0) return [];
  const certain = owner === undefined && inScope(file, question, ground.paths);
  // A function is called by its name only where the name is known; a method may be called anywhere.
  if (owner === undefined && !certain) return [];
  return [...used].map((line) => ({ ...placeOf(file, line), certainty: certain ? 'certain' : 'possible' }));
}

/** The function around a line when it is short, else a few lines. */
export function placeOf(file: FileSide, line: number): Omit<Reference, 'certainty'> {
  const chain = enclosingChain(file.outline, line);
  const around = chain.findLast(isCallable) ?? chain.at(-1);
  const within = around === undefined ? {} : { within: around.name };
  const first = around?.startLine ?? 1;
  const last = around?.endLine ?? file.lines.length;
  if (around !== undefined && last - first < wholeFunction)
    return { path: file.path, line, startLine: first, endLine: last, ...within };
  return {
    path: file.path,
    line,
    startLine: Math.max(first, line - reach),
    endLine: Math.min(last, line + reach),
    ...within,
  };
}

/** Cheap, so that files without a call are never opened; a call may end its line before the arguments. */
function mayBeCall(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    const after = text.slice(at + name.length).trimStart();
    if (after === '' || /^[(<`?![]/.test(after) || text[at - 1] === '<' || text[at - 1] === '@') return true;
  }
  return false;
}
