// How does a line reach a symbol: by its plain name, through the module that holds it, or is it a member of something else that
// happens to be called alike? Only in languages where a plain function is never a member of an arbitrary value.
import { escapePattern } from '../../core/model/escape-pattern.js';
import { folderOf, resolveImport } from '../related/path-kinship.js';
import type { FileSide } from '../units/changed-file.js';

export interface Definition {
  readonly name: string;
  /** The file that defines it. */
  readonly path: string;
}

/** `doubtful`: a member of a value nobody knows. */
export type Reach = 'plain' | 'held' | 'doubtful' | 'foreign';

export interface SymbolReach {
  /** The best of the places on a line. */
  of(line: number): Reach;
  /** `require('./rates').rate(1)`: loaded and called at once. */
  callsLoaded(line: number): boolean;
  /** What else the file calls it. */
  readonly aliases: readonly string[];
}

const script = new Set(['javascript', 'typescript', 'tsx', 'vue', 'svelte', 'html']);
const own = new Set(['this', 'self', 'cls', 'exports']);
/** What every program has and none of its files defines. */
const standard =
  /^(?:JSON|Math|Object|Array|Promise|Reflect|Number|String|Boolean|Date|Symbol|RegExp|Intl|Atomics|Buffer|console|process|window|document|globalThis|Error|Function|BigInt|Map|Set)$/;
const order: readonly Reach[] = ['plain', 'held', 'doubtful', 'foreign'];

export function symbolReach(file: FileSide, definition: Definition, paths: ReadonlySet<string>): SymbolReach {
  const { name, path } = definition;
  const { language, imports } = file.outline;
  const isMeant = (module: string) => resolveImport(file.path, module, paths) === path;
  const holders = language === 'go' ? goHolders(file, path) : moduleNames(file, definition, paths);
  const imported = new Set(imports.flatMap(({ names }) => names).filter((one) => !holders.has(one)));
  const before = new RegExp(`(?<![\\w$])${escapePattern(name)}(?![\\w$])`, 'g');
  const called = new RegExp(
    `\\brequire\\(\\s*(['"\`])([^'"\`]+)\\1\\s*\\)\\s*\\.\\s*${escapePattern(name)}\\s*\\(`,
  );

  const reachAt = (line: number, at: number): Reach => {
    const head = (file.lines[line - 1] ?? '').slice(0, at).trimEnd();
    if (!head.endsWith('.') || head.endsWith('...')) return 'plain';
    const rest = head.replace(/\??\.$/, '').trimEnd();
    const object = rest === '' ? (file.lines[line - 2] ?? '').trimEnd() : rest;
    const loaded = /\brequire\(\s*(['"`])([^'"`]+)\1\s*\)$/.exec(object)?.[2];
    if (loaded !== undefined) return isMeant(loaded) ? 'held' : 'foreign';
    const holder = /(?<![\w$])([\p{L}_$][\p{L}\p{N}_$]*)$/u.exec(object)?.[1];
    if (holder === undefined) return /['"`\]]$/.test(object) ? 'foreign' : 'doubtful';
    if (own.has(holder) || holders.has(holder)) return 'held';
    const isMember = object.slice(0, -holder.length).trimEnd().endsWith('.');
    return (!isMember && imported.has(holder)) || standard.test(holder) ? 'foreign' : 'doubtful';
  };

  return {
    aliases: script.has(language) || language === 'python' ? aliasesIn(file, name, holders) : [],
    callsLoaded(line) {
      const loaded = script.has(language) ? called.exec(file.lines[line - 1] ?? '')?.[2] : undefined;
      return loaded !== undefined && isMeant(loaded);
    },
    of(line) {
      if (!script.has(language) && language !== 'python' && language !== 'go') return 'plain';
      const found = [...(file.lines[line - 1] ?? '').matchAll(before)].map(({ index }) =>
        reachAt(line, index),
      );
      return order.find((reach) => found.includes(reach)) ?? 'plain';
    },
  };
}

/** What the file calls the module of a symbol. */
export function moduleNames(
  file: FileSide,
  { name, path }: Definition,
  paths: ReadonlySet<string>,
): ReadonlySet<string> {
  const stem = path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '');
  const found = new Set<string>();
  for (const { module, names } of file.outline.imports) {
    const isMeant = resolveImport(file.path, module, paths) === path;
    if (!isMeant && !names.includes(stem)) continue;
    for (const one of names) if (one !== name && one !== '*' && one !== 'default') found.add(one);
    if (file.path.endsWith('.py')) found.add(stem);
  }
  return found;
}

function goHolders(file: FileSide, path: string): ReadonlySet<string> {
  const folder = folderOf(path);
  const last = folder.slice(folder.lastIndexOf('/') + 1);
  const named = /^package\s+(\w+?)(?:_test)?\s*$/m.exec(file.text)?.[1];
  const found = new Set([last]);
  if (named !== undefined && folderOf(file.path) === folder) found.add(named);
  for (const { module, names } of file.outline.imports)
    if (last !== '' && module.endsWith(last)) for (const one of names) found.add(one);
  return found;
}

/** `import { rate as price }`, `const { rate: price } = require(…)`, `const price = rates.rate`. */
function aliasesIn(file: FileSide, name: string, holders: ReadonlySet<string>): string[] {
  const word = escapePattern(name);
  const renamed = new RegExp(`(?<![\\w$.])${word}(?:\\s+as\\s+|\\s*:\\s*)([\\w$]+)`, 'g');
  const taken = new RegExp(
    `([\\w$]+)\\s*=\\s*(?:([\\w$]+)|require\\([^)]*\\))\\s*\\.\\s*${word}\\s*[;,]?\\s*$`,
  );
  const unpacked = /\}\s*=\s*([\w$]+)\s*[;,]?\s*$/;
  const found = new Set<string>();
  const { imports } = file.outline;
  file.lines.forEach((text, at) => {
    if (!text.includes(name)) return;
    const bringing = imports.some(
      ({ startLine, endLine, names }) => startLine <= at + 1 && at + 1 <= endLine && names.includes(name),
    );
    const [, alias, holder] = taken.exec(text) ?? [];
    if (alias !== undefined && (holder === undefined ? bringing : holders.has(holder))) found.add(alias);
    if (bringing || holders.has(unpacked.exec(text)?.[1] ?? ''))
      for (const [, other = ''] of text.matchAll(renamed)) found.add(other);
  });
  found.delete(name);
  return [...found];
}
