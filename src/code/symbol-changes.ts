// What became of each symbol between two versions of a file? Every symbol of both sides is in exactly one change.
import { escapePattern } from '../core/model/escape-pattern.js';
import type { CodeSymbol, Outline } from './syntax/outline-model.js';

export type SymbolChange =
  | { readonly kind: 'added'; readonly after: CodeSymbol }
  | { readonly kind: 'removed'; readonly before: CodeSymbol }
  | {
      readonly kind: 'kept';
      readonly before: CodeSymbol;
      readonly after: CodeSymbol;
      readonly renamed: boolean;
      readonly signatureChanged: boolean;
      readonly exportedChanged: boolean;
      readonly bodyChanged: boolean;
    };

type Side = Pick<Outline, 'symbols'>;

/** In the order of the new side, then what was removed. */
export function compareOutlines(before: Side, after: Side): SymbolChange[] {
  const oldLeft = new Map(before.symbols.map((symbol) => [symbol, pathOf(before, symbol)] as const));
  const pairs = new Map<CodeSymbol, CodeSymbol>();
  const newLeft = new Map(after.symbols.map((symbol) => [symbol, pathOf(after, symbol)] as const));
  const match = (keyOf: (symbol: CodeSymbol, path: string) => string | undefined, unique = false): void => {
    pairUp({ oldLeft, newLeft, pairs, keyOf, unique });
  };
  match((symbol, path) => `${path}\n${symbol.kind}\n${symbol.signature}\n${symbol.bodyDigest}`);
  match((symbol, path) => `${path}\n${symbol.kind}\n${symbol.signature}`);
  match((symbol, path) => `${path}\n${symbol.kind}`);
  match((_symbol, path) => path);
  match((symbol, path) => renameKey(symbol, path, `${shape(symbol)}\n${symbol.bodyDigest}`), true);
  match(
    (symbol, path) => (shape(symbol).length > 12 ? renameKey(symbol, path, shape(symbol)) : undefined),
    true,
  );
  match((symbol, path) => (hasBody(symbol) ? renameKey(symbol, path, symbol.bodyDigest) : undefined), true);
  return [
    ...after.symbols.map((symbol): SymbolChange => {
      const old = pairs.get(symbol);
      return old === undefined ? { kind: 'added', after: symbol } : kept(old, symbol);
    }),
    ...before.symbols
      .filter((symbol) => oldLeft.has(symbol))
      .map((symbol): SymbolChange => ({ kind: 'removed', before: symbol })),
  ];
}

/** Only what differs. */
export function symbolChanges(before: Side, after: Side): SymbolChange[] {
  return compareOutlines(before, after).filter(
    (change) =>
      change.kind !== 'kept' ||
      change.renamed ||
      change.signatureChanged ||
      change.exportedChanged ||
      change.bodyChanged,
  );
}

function kept(before: CodeSymbol, after: CodeSymbol): SymbolChange {
  const renamed = before.name !== after.name;
  return {
    kind: 'kept',
    before,
    after,
    renamed,
    signatureChanged: renamed
      ? shape(before) !== shape(after)
      : before.signature !== after.signature || before.kind !== after.kind,
    exportedChanged: before.exported !== after.exported,
    bodyChanged: before.bodyDigest !== after.bodyDigest,
  };
}

interface Matching {
  readonly oldLeft: Map<CodeSymbol, string>;
  readonly newLeft: Map<CodeSymbol, string>;
  readonly pairs: Map<CodeSymbol, CodeSymbol>;
  keyOf(symbol: CodeSymbol, path: string): string | undefined;
  /** Pair only where one symbol of each side has the key; otherwise in order. */
  readonly unique: boolean;
}

function pairUp({ oldLeft, newLeft, pairs, keyOf, unique }: Matching): void {
  const oldByKey = grouped(oldLeft, keyOf);
  for (const [key, fresh] of grouped(newLeft, keyOf)) {
    const old = oldByKey.get(key) ?? [];
    if (unique && (old.length !== 1 || fresh.length !== 1)) continue;
    for (const [at, symbol] of fresh.entries()) {
      const partner = old[at];
      if (partner === undefined) break;
      pairs.set(symbol, partner);
      oldLeft.delete(partner);
      newLeft.delete(symbol);
    }
  }
}

function grouped(left: ReadonlyMap<CodeSymbol, string>, keyOf: Matching['keyOf']): Map<string, CodeSymbol[]> {
  const groups = new Map<string, CodeSymbol[]>();
  for (const [symbol, path] of left) {
    const key = keyOf(symbol, path);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [symbol]);
    else group.push(symbol);
  }
  return groups;
}

function pathOf(side: Side, symbol: CodeSymbol): string {
  const names = [symbol.name];
  for (let at = symbol.parent; at !== undefined; at = side.symbols[at]?.parent)
    names.unshift(side.symbols[at]!.name);
  return names.join('\u0000');
}

/** A rename stays within its parent and keeps its kind. */
function renameKey(symbol: CodeSymbol, path: string, shape: string): string {
  return `${path.slice(0, -symbol.name.length)}\n${symbol.kind}\n${shape}`;
}

/** The signature with the symbol's own name masked. */
function shape({ name, signature }: CodeSymbol): string {
  const word = escapePattern(name);
  return signature.replace(new RegExp(`(?<![\\w$])${word}(?![\\w$])`, 'g'), '\u0000');
}

function hasBody({ startLine, endLine }: CodeSymbol): boolean {
  return endLine > startLine + 1;
}
