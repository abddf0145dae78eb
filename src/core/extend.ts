// The next call of a conversation: everything that was sent, byte for byte, and more words behind it, under a receipt of its own
// that names the one before.
import { infeasible } from './fit/fit-state.js';
import { utf8Length } from './model/code-points.js';
import { type Meter, weightOf } from './model/meter.js';
import type { Hash, SealedPrompt } from './model/press.js';
import type { LedgerLine, PageRecord, Rejection } from './model/receipt.js';
import { sealed } from './seal/seal.js';

export interface Addition extends Pick<LedgerLine, 'fragment' | 'source' | 'layer' | 'finished'> {
  readonly words: string;
  readonly reason?: string;
  /** The other side of the conversation speaks from here on, in a message of its own. */
  readonly turn?: boolean;
}

interface ExtendOptions {
  readonly meter: Meter;
  readonly hash: Hash;
  /** Of the whole conversation; that of the call before when left out. */
  readonly budget?: number | undefined;
  /** What was asked for and is not among the words, with its reasons. */
  readonly rejections?: readonly Rejection[] | undefined;
  /** A provider may keep everything up to the end: another call follows. */
  readonly breakpoint?: boolean | undefined;
}

export function extend(
  before: SealedPrompt,
  additions: Addition | readonly Addition[],
  { meter, hash, breakpoint = false, rejections = [], ...options }: ExtendOptions,
): SealedPrompt {
  const { id, digests: _, ...body } = before.receipt;
  const budget = { ...body.budget, n: options.budget ?? body.budget.n };
  let { prompt } = before;
  let used = body.used.n;
  const added = [additions].flat().map(({ words, turn = false, ...line }) => {
    const weight = meter.weigh(words) + (meter.seam?.(prompt.slice(-256), words) ?? 0);
    const amount = Math.ceil(weight / meter.scale);
    prompt += words;
    used += amount;
    return { line, amount, turn, bytes: utf8Length(words) };
  });
  if (used > budget.n)
    throw infeasible(meter, { needed: used * meter.scale, limit: weightOf(meter, budget.n) });
  const pages = body.pages.map((page) => ({
    amount: used,
    parts: page.parts.map((part) => {
      if (part.channel !== 'prompt') return part;
      let { bytes } = part;
      const spans = [...part.spans];
      const turns = [...(part.turns ?? [])];
      for (const { line, turn, bytes: length } of added) {
        if (turn) turns.push(bytes);
        spans.push({ fragment: line.fragment, start: bytes, end: bytes + length });
        bytes += length;
      }
      const fingerprint = hash(`${before.system}\nprompt\n${prompt}`);
      const last = { offset: bytes, section: 'conversation', fingerprint };
      return {
        ...part,
        ...{ bytes, hash: hash(prompt), spans },
        breakpoints: breakpoint ? [...part.breakpoints, last] : part.breakpoints,
        ...(turns.length === 0 ? {} : { turns }),
      };
    }),
  }));
  const ledger: LedgerLine[] = [
    ...body.ledger,
    ...added.map(({ line, amount }): LedgerLine => {
      const { reason = 'it follows what was sent before', ...facts } = line;
      return { ...facts, verdict: 'kept', reason, amount };
    }),
    ...rejections.map(({ id: fragment, ...rest }): LedgerLine => ({ fragment, ...rest })),
  ];
  return {
    ...before,
    prompt,
    receipt: sealed({ ...body, previous: id, budget, used: { ...body.used, n: used }, pages, ledger }, hash),
  };
}

/** Where the speaker changes in the prompt of a call, the user first; none where it is one message. */
export function turnsOf(page: PageRecord | undefined): readonly number[] {
  return page?.parts.find(({ channel }) => channel === 'prompt')?.turns ?? [];
}
