// The part of a prompt that should not change from request to request: what was kept of Rules and Settings, wherever it
// stands, and what a skill says each time. Equal content gives an equal hash; where it differs, the first difference is named.
import type { Hash } from '../../core/model/press.js';
import type { Page } from '../../core/model/prompt.js';
import type { PressedLayers } from '../layers/press-layers.js';

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

const stableLayers: ReadonlySet<string> = new Set(['rules', 'people', 'settings']);
const usualDialect = 'layered-zh';

export function stablePrefix(
  { parts }: Pick<Page, 'parts'>,
  fragments: PressedLayers['fragments'],
  { dialect, hash }: { readonly dialect: string; readonly hash: Hash },
): StablePrefix {
  // Marks and the frame are ours and no fragments of the project.
  const stable = new Set(
    fragments
      .filter(
        ({ layer, section, source }) =>
          (stableLayers.has(layer) || section === 'skill') && source !== 'galley',
      )
      .map(({ id }) => id),
  );
  // Headings are no fragments: a dialect other than the usual one has a line of its own, so that a change of language shows.
  const contents = dialect === usualDialect ? [] : [dialect];
  const lines: PrefixLine[] = contents.map((name) => [`dialect:${name}`, hash(name).slice(0, 12)]);
  for (const { text, spans } of parts) {
    const own = spans.filter(({ fragment }) => stable.has(fragment));
    if (own.length === 0) continue;
    const bytes = Buffer.from(text);
    for (const { fragment, start, end } of own) {
      const words = bytes.toString('utf8', start, end);
      contents.push(`${words.length}:${words}`);
      lines.push([fragment, hash(words).slice(0, 12)]);
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
