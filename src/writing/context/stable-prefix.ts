// The part of a prompt that should not change from request to request: what was kept of Rules and Settings, wherever it
// stands. Equal content gives an equal hash; where it differs, the first difference is named.
import type { Hash } from '../../core/model/ports.js';
import type { Prompt } from '../../core/model/prompt.js';
import type { Receipt } from '../../core/model/receipt.js';
import { layeredWords } from '../layers/layered-words.js';

export interface StablePrefix {
  readonly hash: string;
  /** Fragment ids in their order, and what each says, as digests. */
  readonly lines: readonly PrefixLine[];
}

export type PrefixLine = readonly [fragment: string, digest: string];

export interface PrefixChange {
  readonly fragment: string;
  readonly reason: 'added' | 'removed' | 'changed' | 'moved';
}

const stableLayers: ReadonlySet<string> = new Set(['rules', 'settings']);

export function stablePrefix(prompt: Prompt, receipt: Receipt, hash: Hash): StablePrefix {
  const layers = new Map(receipt.ledger.map(({ fragment, layer }) => [fragment, layer]));
  const { id } = receipt.dialect;
  // Headings are no fragments: a dialect other than the usual one has a line of its own, so that a change of language shows.
  const contents = id === layeredWords.zh.dialect ? [] : [id];
  const lines: PrefixLine[] = contents.map((dialect) => [`dialect:${dialect}`, hash(dialect).slice(0, 12)]);
  for (const { parts } of prompt.pages) {
    for (const { text, spans } of parts) {
      const stable = spans.filter(({ fragment }) => stableLayers.has(layers.get(fragment) ?? ''));
      if (stable.length === 0) continue;
      const bytes = Buffer.from(text);
      for (const { fragment, start, end } of stable) {
        const words = bytes.toString('utf8', start, end);
        contents.push(`${words.length}:${words}`);
        lines.push([fragment, hash(words).slice(0, 12)]);
      }
    }
  }
  return { hash: hash(contents.join('\n')), lines };
}

export function prefixChange(
  before: readonly PrefixLine[],
  after: readonly PrefixLine[],
): PrefixChange | undefined {
  const at = after.findIndex(
    ([id, digest], index) => id !== before[index]?.[0] || digest !== before[index]?.[1],
  );
  const old = at < 0 ? before[after.length] : before[at];
  const now = at < 0 ? undefined : after[at];
  if (now === undefined) return old === undefined ? undefined : { fragment: old[0], reason: 'removed' };
  if (old === undefined) return { fragment: now[0], reason: 'added' };
  if (old[0] === now[0]) return { fragment: now[0], reason: 'changed' };
  if (!after.some(([id]) => id === old[0])) return { fragment: old[0], reason: 'removed' };
  return { fragment: now[0], reason: before.some(([id]) => id === now[0]) ? 'moved' : 'added' };
}
