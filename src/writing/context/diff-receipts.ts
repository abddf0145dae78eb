// What changed between two assemblies, told from their receipts alone: fragments that came, went or changed their fate,
// and the numbers of budget, use and layers.
import * as z from 'zod';
import { GalleyError } from '../../core/model/error.js';

const receipt = z.looseObject({
  budget: z.looseObject({ n: z.number() }),
  used: z.looseObject({ n: z.number() }),
  layers: z.array(z.looseObject({ id: z.string(), amount: z.number() })),
  ledger: z.array(
    z.looseObject({
      fragment: z.string(),
      layer: z.string(),
      verdict: z.string(),
      amount: z.number().optional(),
    }),
  ),
  warnings: z.array(z.looseObject({ code: z.string() })),
  stablePrefixHash: z.string().optional(),
});

export interface ReceiptDiff {
  readonly same: boolean;
  readonly budget: Numbers;
  readonly used: Numbers;
  readonly layers: readonly (Numbers & { readonly id: string })[];
  readonly added: readonly FragmentNote[];
  readonly removed: readonly FragmentNote[];
  readonly changed: readonly {
    readonly fragment: string;
    readonly layer: string;
    readonly from: string;
    readonly to: string;
  }[];
  readonly warnings: { readonly added: readonly string[]; readonly removed: readonly string[] };
  readonly stablePrefix: { readonly same: boolean };
}

export interface Numbers {
  readonly from: number;
  readonly to: number;
}

export interface FragmentNote {
  readonly fragment: string;
  readonly layer: string;
  readonly verdict: string;
}

export function diffReceipts(before: unknown, after: unknown): ReceiptDiff {
  const [old, now] = [read(before), read(after)];
  const oldLines = new Map(old.ledger.map((line) => [line.fragment, line]));
  const nowLines = new Map(now.ledger.map((line) => [line.fragment, line]));
  const note = ({ fragment, layer, verdict }: FragmentNote): FragmentNote => ({ fragment, layer, verdict });
  const added = now.ledger.filter(({ fragment }) => !oldLines.has(fragment)).map(note);
  const removed = old.ledger.filter(({ fragment }) => !nowLines.has(fragment)).map(note);
  const changed = now.ledger.flatMap(({ fragment, layer, verdict, amount }) => {
    const line = oldLines.get(fragment);
    if (line === undefined || (line.verdict === verdict && line.amount === amount)) return [];
    const from = line.verdict === verdict ? `${verdict} ${line.amount ?? 0}` : line.verdict;
    return [{ fragment, layer, from, to: line.verdict === verdict ? `${verdict} ${amount ?? 0}` : verdict }];
  });
  const codes = (of: typeof old) => new Set(of.warnings.map(({ code }) => code));
  const [oldCodes, nowCodes] = [codes(old), codes(now)];
  const prefixSame = old.stablePrefixHash === now.stablePrefixHash;
  return {
    same: added.length + removed.length + changed.length === 0 && prefixSame,
    budget: { from: old.budget.n, to: now.budget.n },
    used: { from: old.used.n, to: now.used.n },
    layers: now.layers.map(({ id, amount }) => ({
      id,
      from: old.layers.find((layer) => layer.id === id)?.amount ?? 0,
      to: amount,
    })),
    added,
    removed,
    changed,
    warnings: {
      added: [...nowCodes].filter((code) => !oldCodes.has(code)),
      removed: [...oldCodes].filter((code) => !nowCodes.has(code)),
    },
    stablePrefix: { same: prefixSame },
  };
}

function read(value: unknown): z.infer<typeof receipt> {
  const parsed = receipt.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new GalleyError('INVALID_ARGUMENT', 'One of the two is not the receipt of an assembly.', {
    details: { field: 'from' },
  });
}
