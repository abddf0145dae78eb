// What of a change may be written into a page, a bundle or a sentence: secrets are taken out, or only counted, so that nobody hands
// them on unaware, and no path breaks a line. Lines stay where they are.
import { redact } from '../../cleaning/redact.js';
import type { Warning } from '../../core/model/error.js';

export interface SecretWatch {
  /** The text as it may be handed over; the same id is counted once. */
  see(id: string, text: string, path?: string): string;
  isIn(id: string): boolean;
  /** How often something was found in the words of an id, by kind; for the ledger. */
  hitsOf(id: string): Readonly<Record<string, number>>;
  /** Of the ids that were handed over; of all that were seen where left out. */
  warnings(handed?: ReadonlySet<string>): Warning[];
}

const maxPaths = 20;

/** `takeOut` is false for callers who want the text as it is: they are told what is in it. */
export function secretWatch(takeOut: boolean): SecretWatch {
  const found = new Map<string, { readonly rules: readonly string[]; readonly path: string }>();
  return {
    see(id, text, path = '') {
      const { text: safe, hits } = redact(text, path);
      if (hits.length > 0) found.set(id, { rules: hits.map(({ rule }) => rule), path });
      return takeOut ? safe : text;
    },
    isIn: (id) => takeOut && found.has(id),
    hitsOf(id) {
      const counts: Record<string, number> = {};
      if (takeOut)
        for (const rule of found.get(id)?.rules ?? [])
          counts[`secret:${rule}`] = (counts[`secret:${rule}`] ?? 0) + 1;
      return counts;
    },
    warnings(handed) {
      const all = [...found].filter(([id]) => handed?.has(id) !== false).map(([, hit]) => hit);
      const total = all.reduce((sum, { rules }) => sum + rules.length, 0);
      if (total === 0) return [];
      const paths = [...new Set(all.flatMap(({ path }) => (path === '' ? [] : [printablePath(path)])))];
      const details = { total, paths: paths.slice(0, maxPaths) };
      return takeOut
        ? [
            {
              code: 'SECRETS_REDACTED',
              message: `${total} value(s) that look like secrets were taken out.`,
              details,
            },
          ]
        : [
            {
              code: 'NOT_REDACTED',
              message: `${total} value(s) that look like secrets are in the text; have them taken out before it goes to a model.`,
              details,
            },
          ];
    },
  };
}

/** A path inside a sentence: control characters cannot break its line. */
export function printablePath(path: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this looks for
  return path.replaceAll(/[\u0000-\u001f\u007f\u2028\u2029]/g, '?');
}
