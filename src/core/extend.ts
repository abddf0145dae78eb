// The next call of a conversation: everything that was sent, byte for byte, and more words behind it, under a receipt of its own
// that names the one before.
import { infeasible } from './fit/fit-state.js';
import { utf8Length } from './model/code-points.js';
import { type Meter, weightOf } from './model/meter.js';
import type { Hash, SealedPrompt } from './model/press.js';
import type { LedgerLine } from './model/receipt.js';
import { sealed } from './seal/seal.js';

export interface Addition extends Pick<LedgerLine, 'fragment' | 'source' | 'layer' | 'finished'> {
  readonly words: string;
}

export function extend(
  before: SealedPrompt,
  { words, ...line }: Addition,
  { meter, hash }: { readonly meter: Meter; readonly hash: Hash },
): SealedPrompt {
  const { id, digests: _, ...body } = before.receipt;
  const prompt = before.prompt + words;
  const weight = meter.weigh(words) + (meter.seam?.(before.prompt.slice(-256), words) ?? 0);
  const amount = Math.ceil(weight / meter.scale);
  const used = body.used.n + amount;
  if (used > body.budget.n)
    throw infeasible(meter, { needed: used * meter.scale, limit: weightOf(meter, body.budget.n) });
  const pages = body.pages.map((page) => ({
    amount: used,
    parts: page.parts.map((part) => {
      if (part.channel !== 'prompt') return part;
      const bytes = part.bytes + utf8Length(words);
      const spans = [...part.spans, { fragment: line.fragment, start: part.bytes, end: bytes }];
      return { ...part, bytes, hash: hash(prompt), spans };
    }),
  }));
  const ledger: LedgerLine[] = [
    ...body.ledger,
    { ...line, verdict: 'kept', reason: 'it follows what was sent before', amount },
  ];
  return {
    ...before,
    prompt,
    receipt: sealed({ ...body, previous: id, used: { ...body.used, n: used }, pages, ledger }, hash),
  };
}
