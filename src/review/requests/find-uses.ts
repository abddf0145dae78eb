// Who uses, implements or belongs to a symbol? The word, at a place where it is used, in a file where it means that symbol. Methods
// are reached through values whose type is not known here, so their callers are only possible ones.

import { languageOf } from '../../code/language.js';
import type { LineRange } from '../../code/range-evidence.js';
import { enclosingChain } from '../../code/range-evidence.js';
import type { CodeSymbol, Outline, UseRole } from '../../code/syntax/outline-model.js';
import { escapePattern } from '../../core/model/escape-pattern.js';
import type { WordHit } from '../../git/objects/grep-words.js';
import { groupBy } from '../change/group-by.js';
import { importWord, staleImports } from '../related/stale-imports.js';
import type { FileSide } from '../units/changed-file.js';
import { isCallable } from '../units/line-owner.js';
import {
  byCloseness,
  type CodeSearch,
  inScope,
  type Reference,
  type References,
  sameFamily,
} from './code-search.js';
import { type Definition, symbolReach } from './symbol-reach.js';

interface ReferenceQuestion extends Definition {
  /** The class or receiver of a method; its callers are possible ones. */
  readonly owner?: string;
  /** A member of a value that is not its module is something else. */
  readonly plain?: boolean;
  readonly roles: readonly UseRole[];
  /** Lines of the defining file that are the symbol itself. */
  readonly own?: LineRange | undefined;
}

const maxOpened = 60;
const wholeFunction = 15;
const reach = 3;

export async function findReferences(question: ReferenceQuestion, search: CodeSearch): Promise<References> {
  const language = languageOf(question.path);
  const called = question.roles.every((role) => role === 'call');
  const likely = search
    .hits(question.name)
    .filter(({ path }) => sameFamily(languageOf(path), language))
    .filter(({ text }) => !called || mayBeCall(text, question.name));
  const byPath = groupBy(likely, ({ path }) => path);
  const order = byCloseness(question.path);
  const paths = [...byPath.keys()].sort(order);
  const files = await search.library.study(paths.slice(0, maxOpened));
  const all: FoundReference[] = [];
  for (const [path, file] of files) {
    const lines = (byPath.get(path) ?? []).map(({ line }) => line);
    all.push(...referencesIn(file, lines, question, search));
  }
  const isKnown = all.some(({ isDoubtful, isImport }) => !isDoubtful && !isImport);
  const found = all.filter(({ isDoubtful }) => !isDoubtful || !isKnown).map(({ reference }) => reference);
  const unchecked = paths
    .slice(maxOpened)
    .reduce((total, path) => total + (byPath.get(path)?.length ?? 0), 0);
  const rank = ({ certainty }: Reference) => (certainty === 'certain' ? 0 : 1);
  found.sort((a, b) => rank(a) - rank(b) || order(a.path, b.path) || a.line - b.line);
  return { found, total: found.length, unchecked };
}

interface FoundReference {
  readonly reference: Reference;
  readonly isImport: boolean;
  /** Only worth showing where nothing better is known. */
  readonly isDoubtful: boolean;
}

function referencesIn(
  file: FileSide,
  lines: readonly number[],
  question: ReferenceQuestion,
  search: CodeSearch,
): FoundReference[] {
  const { owner, roles, own, plain } = question;
  const certain = owner === undefined && inScope(file, question, search.paths);
  const reach = symbolReach(file, question, search.paths);
  const wanted = new Set(lines);
  const names = new Set([question.name, ...(certain ? reach.aliases : [])]);
  const used = new Map<number, boolean>();
  for (const { name, line, role } of file.outline.uses) {
    if (!names.has(name) || (name === question.name && !wanted.has(line)) || !roles.includes(role)) continue;
    used.set(line, role === 'import' && used.get(line) !== false);
  }
  if (owner === undefined) for (const line of lines) if (reach.callsLoaded(line)) used.set(line, false);
  if (own !== undefined && file.path === question.path)
    for (const line of used.keys()) if (line >= own.startLine && line <= own.endLine) used.delete(line);
  return [...used].flatMap(([line, isImport]): FoundReference[] => {
    const place = placeOf(file, line);
    if (owner !== undefined)
      return [{ reference: { ...place, certainty: 'possible' }, isImport, isDoubtful: false }];
    const reached = isImport || !wanted.has(line) ? 'plain' : reach.of(line);
    // A function is called by its name only where the name is known, or through its module.
    if (!certain && reached !== 'held') return [];
    if (plain !== true || reached === 'plain' || reached === 'held')
      return [{ reference: { ...place, certainty: 'certain' }, isImport, isDoubtful: false }];
    if (reached === 'foreign') return [];
    return [{ reference: { ...place, certainty: 'possible' }, isImport, isDoubtful: true }];
  });
}

/** The function around a line when it is short, else a few lines. */
function placeOf(file: FileSide, line: number): Omit<Reference, 'certainty'> {
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
    // The file may call it by another name.
    if (/^(?:as\s|:\s*[\w$]+\s*(?:[,}]|$))/.test(after) || (text[at - 1] === '.' && /^[;,]/.test(after)))
      return true;
  }
  return false;
}

interface WordQuestion {
  readonly words: readonly string[];
  /** The file that asks; it does not answer itself. */
  readonly home: string;
  /** What a place is worth, `undefined` where it is none. Possible ones count only where none is certain. */
  readonly judge?: ((hit: WordHit) => Reference['certainty'] | undefined) | undefined;
}

const maxOpenedForWords = 20;

/** Where a word or phrase stands: near places first, one for each symbol around it. */
export async function findWords(
  { words, home, judge = () => 'possible' }: WordQuestion,
  search: CodeSearch,
): Promise<References> {
  const judged = words
    .flatMap((word) => search.hits(word))
    .filter(({ path }) => path !== home)
    .map((hit) => ({ hit, certainty: judge(hit) }));
  const certainty = judged.some((one) => one.certainty === 'certain') ? 'certain' : 'possible';
  const byPath = new Map<string, Set<number>>();
  for (const { hit, certainty: own } of judged) {
    if (own !== certainty) continue;
    const lines = byPath.get(hit.path) ?? new Set<number>();
    byPath.set(hit.path, lines.add(hit.line));
  }
  const paths = [...byPath.keys()].sort(byCloseness(home));
  const total = [...byPath.values()].reduce((sum, lines) => sum + lines.size, 0);
  const files = await search.library.open(paths.slice(0, maxOpenedForWords));
  const found: Reference[] = [];
  for (const [path, file] of files)
    for (const line of [...(byPath.get(path) ?? [])].sort((a, b) => a - b))
      found.push({ ...placeOf(file, line), certainty });
  return { found, total, unchecked: total - found.length };
}

/** Who still imports a file by the path it had. */
export async function findStaleImports(oldPath: string, search: CodeSearch): Promise<References> {
  const paths = new Set((await search.library.files()).keys());
  const found = staleImports(oldPath, search.hits(importWord(oldPath)), paths)
    .map(
      ({ path, line }): Reference => ({ path, line, startLine: line, endLine: line, certainty: 'certain' }),
    )
    .sort((a, b) => byCloseness(oldPath)(a.path, b.path) || a.line - b.line);
  return { found, total: found.length, unchecked: 0 };
}

const maxOpenedForHeirs = 60;

/** Where the language says so, by the heads of classes; in Go, by having its methods. */
export async function findImplementations(definition: Definition, search: CodeSearch): Promise<References> {
  const language = languageOf(definition.path);
  if (language === 'go') return goImplementations(definition, search);
  const paths = pathsOf(definition, [definition.name], search);
  const files = await search.library.open(paths.slice(0, maxOpenedForHeirs));
  const found: Reference[] = [];
  const mentions = new RegExp(`(?<![\\w$])${escapePattern(definition.name)}(?![\\w$])`);
  for (const file of files.values())
    for (const symbol of file.outline.symbols) {
      const heir = symbol.kind === 'class' || symbol.kind === 'interface' || /^impl\b/.test(symbol.signature);
      if (!heir || symbol.name === definition.name || !mentions.test(symbol.signature)) continue;
      const certainty = inScope(file, definition, search.paths) ? 'certain' : 'possible';
      found.push({ ...headOf(file, symbol), certainty });
    }
  return { found, total: found.length, unchecked: Math.max(0, paths.length - maxOpenedForHeirs) };
}

async function goImplementations(definition: Definition, search: CodeSearch): Promise<References> {
  const none: References = { found: [], total: 0, unchecked: 0 };
  const home = (await search.library.open([definition.path])).get(definition.path);
  const methods = home === undefined ? [] : methodsOf(home.outline, definition.name);
  await search.look(methods);
  const [rarest] = [...methods].sort((a, b) => search.hits(a).length - search.hits(b).length);
  if (rarest === undefined) return none;
  const paths = pathsOf(definition, [rarest], search);
  const files = await search.library.open(paths.slice(0, maxOpenedForHeirs));
  const owners = new Map<string, { methods: Set<string>; at: Reference }>();
  for (const file of files.values())
    for (const symbol of file.outline.symbols) {
      const receiver = receiverOf(symbol);
      if (receiver === undefined || !methods.includes(symbol.name)) continue;
      const key = `${file.path.slice(0, file.path.lastIndexOf('/') + 1)}${receiver}`;
      const known = owners.get(key) ?? {
        methods: new Set<string>(),
        at: { ...headOf(file, symbol), within: receiver, certainty: 'possible' as const },
      };
      known.methods.add(symbol.name);
      owners.set(key, known);
    }
  const found = [...owners.values()].filter((one) => one.methods.size === methods.length).map(({ at }) => at);
  return { found, total: found.length, unchecked: Math.max(0, paths.length - maxOpenedForHeirs) };
}

function pathsOf({ path }: Definition, words: readonly string[], search: CodeSearch): string[] {
  const language = languageOf(path);
  const paths = new Set(words.flatMap((word) => search.hits(word).map((hit) => hit.path)));
  return [...paths].filter((one) => sameFamily(languageOf(one), language)).sort(byCloseness(path));
}

/** Names of the members of a type. */
function methodsOf(outline: Pick<Outline, 'symbols'>, type: string): string[] {
  const owner = outline.symbols.findIndex(({ name, kind }) => name === type && kind !== 'method');
  if (owner === -1) return [];
  return outline.symbols
    .filter(({ parent, kind }) => parent === owner && kind === 'method')
    .map(({ name }) => name);
}

function receiverOf({ kind, signature }: CodeSymbol): string | undefined {
  return kind === 'method' ? /^func\s*\(\s*(?:\w+\s+)?\*?(\w+)/.exec(signature)?.[1] : undefined;
}

function headOf(file: FileSide, symbol: CodeSymbol): Omit<Reference, 'certainty'> {
  const { startLine, signatureEndLine, name } = symbol;
  return { path: file.path, line: startLine, startLine, endLine: signatureEndLine, within: name };
}

const maxOpenedForMethods = 20;

/** The methods of a class by their heads: in the file that asks, or wherever the class is defined. */
export async function findClassMethods(definition: Definition, search: CodeSearch): Promise<References> {
  const { name, path } = definition;
  const paths = [...new Set([path, ...search.hits(name).map((hit) => hit.path)])]
    .filter((one) => sameFamily(languageOf(one), languageOf(path)))
    .sort(byCloseness(path));
  const files = await search.library.open(paths.slice(0, maxOpenedForMethods));
  for (const file of files.values()) {
    const own = methodsIn(file, name);
    if (own.length > 0) return { found: own, total: own.length, unchecked: 0 };
  }
  return { found: [], total: 0, unchecked: Math.max(0, paths.length - maxOpenedForMethods) };
}

function methodsIn(file: FileSide, name: string): Reference[] {
  const { symbols } = file.outline;
  const owner = symbols.findIndex((symbol) => symbol.name === name && symbol.kind !== 'method');
  return symbols
    .filter(
      (symbol) =>
        (symbol.kind === 'method' && owner !== -1 && symbol.parent === owner) || receiverOf(symbol) === name,
    )
    .map((symbol) => ({ ...headOf(file, symbol), certainty: 'certain' }));
}
