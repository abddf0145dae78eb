// Who implements or extends a type? Where the language says so, by the heads of classes; in Go, by having its methods.
import { languageOf } from '../../code/language.js';
import type { CodeSymbol, Outline } from '../../code/outline-model.js';
import { escapePattern } from '../../core/model/escape-pattern.js';
import type { FileSide } from '../units/changed-file.js';
import {
  byCloseness,
  type CodeSearch,
  type Definition,
  inScope,
  type Reference,
  type References,
  sameFamily,
} from './code-search.js';

const maxOpened = 60;

export async function findImplementations(definition: Definition, ground: CodeSearch): Promise<References> {
  const language = languageOf(definition.path);
  if (language === 'go') return goImplementations(definition, ground);
  const paths = pathsOf(definition, [definition.name], ground);
  const files = await ground.library.open(paths.slice(0, maxOpened));
  const found: Reference[] = [];
  const mentions = new RegExp(`(?<![\\w$])${escapePattern(definition.name)}(?![\\w$])`);
  for (const file of files.values())
    for (const symbol of file.outline.symbols) {
      const heir = symbol.kind === 'class' || symbol.kind === 'interface' || /^impl\b/.test(symbol.signature);
      if (!heir || symbol.name === definition.name || !mentions.test(symbol.signature)) continue;
      const certainty = inScope(file, definition, ground.paths) ? 'certain' : 'possible';
      found.push({ ...headOf(file, symbol), certainty });
    }
  return { found, total: found.length, unchecked: Math.max(0, paths.length - maxOpened) };
}

async function goImplementations(definition: Definition, ground: CodeSearch): Promise<References> {
  const none: References = { found: [], total: 0, unchecked: 0 };
  const home = (await ground.library.open([definition.path])).get(definition.path);
  const methods = home === undefined ? [] : methodsOf(home.outline, definition.name);
  await ground.look(methods);
  const [rarest] = [...methods].sort((a, b) => ground.hits(a).length - ground.hits(b).length);
  if (rarest === undefined) return none;
  const paths = pathsOf(definition, [rarest], ground);
  const files = await ground.library.open(paths.slice(0, maxOpened));
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
  return { found, total: found.length, unchecked: Math.max(0, paths.length - maxOpened) };
}

function pathsOf({ path }: Definition, words: readonly string[], ground: CodeSearch): string[] {
  const language = languageOf(path);
  const paths = new Set(words.flatMap((word) => ground.hits(word).map((hit) => hit.path)));
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

// The methods of a class by their heads: in the file that asks, or wherever the class is defined.
const maxOpenedForMethods = 20;

export async function findClassMethods(definition: Definition, ground: CodeSearch): Promise<References> {
  const { name, path } = definition;
  const paths = [...new Set([path, ...ground.hits(name).map((hit) => hit.path)])]
    .filter((one) => sameFamily(languageOf(one), languageOf(path)))
    .sort(byCloseness(path));
  const files = await ground.library.open(paths.slice(0, maxOpenedForMethods));
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
