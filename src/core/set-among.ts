// A conversation that somebody else holds, with words of ours between: their messages as they came, in their order, ours in messages
// of their own, and one receipt for the whole call.
import { utf8Length } from './model/code-points.js';
import type { Meter } from './model/meter.js';
import type { Hash, SealedPrompt } from './model/press.js';
import type { Breakpoint, Span } from './model/prompt.js';
import type { LayerRecord, LedgerLine, Receipt, Speaker } from './model/receipt.js';
import { sealed } from './seal/seal.js';

export interface Message {
  readonly role: Speaker['role'];
  /** The parts it was sent in; mostly one. */
  readonly words: readonly string[];
  readonly name?: string | undefined;
}

/** A message of ours. */
export interface Insertion {
  /** Stands before the message of this place, counted from 0. */
  readonly before: number;
  readonly words: string;
  readonly spans: readonly Span[];
  /** Seldom changes: a provider may keep everything up to its end. */
  readonly lasting: boolean;
}

interface AmongOptions {
  readonly meter: Meter;
  readonly hash: Hash;
  /** Of what is set in, with its ledger; its texts are those of the insertions. */
  readonly receipt: Omit<Receipt, 'id' | 'digests' | 'pages' | 'budget' | 'used'>;
  /** Of the whole call, in the unit of the meter. */
  readonly budget: number;
  /** What the insertions weigh, in the unit of the meter. */
  readonly inserted: number;
}

/** What a message costs beside its words, about the same everywhere. */
export const messageOverhead = 4;

export function messageAmount(message: Message, meter: Meter): number {
  const weight = message.words.reduce((sum, words) => sum + meter.weigh(words), 0);
  return Math.ceil(weight / meter.scale) + messageOverhead;
}

const conversation = 'conversation';

export function setAmong(
  messages: readonly Message[],
  insertions: readonly Insertion[],
  { meter, hash, receipt, budget, inserted }: AmongOptions,
): SealedPrompt {
  const text = openText(hash);
  const own = (before: number) => insertions.filter((each) => each.before === before);
  const ledger: LedgerLine[] = [];
  let used = inserted;
  const setIn = ({ words, spans, lasting }: Insertion) => {
    text.breakpoint();
    text.say({ role: 'system' }, words, spans);
    if (lasting) text.breakpoint();
  };
  messages.forEach((message, at) => {
    for (const insertion of own(at)) setIn(insertion);
    const fragment = `message:${at + 1}`;
    message.words.forEach((words, part) => {
      text.say({ role: message.role, name: message.name, more: part > 0 }, words, [
        { fragment, start: 0, end: utf8Length(words) },
      ]);
    });
    const amount = messageAmount(message, meter);
    used += amount;
    ledger.push({
      ...{ fragment, source: 'caller', layer: conversation, verdict: 'kept', amount },
      reason: 'what the caller said stays as it is',
    });
  });
  for (const insertion of own(messages.length)) setIn(insertion);
  text.breakpoint();
  const { words, speakers, names, ...part } = text.close();
  const said: LayerRecord = {
    ...{ id: conversation, amount: used - inserted, kept: messages.length, left: 0 },
  };
  const whole = {
    ...receipt,
    recipe: { id: 'chat', version: 1 },
    budget: { unit: meter.unit, n: budget },
    used: { unit: meter.unit, n: used },
    layers: [...receipt.layers, said],
    ledger: [...receipt.ledger, ...ledger],
    pages: [
      {
        amount: used,
        parts: [{ channel: 'prompt' as const, hash: hash(words), stableBytes: 0, speakers, ...part }],
      },
    ],
  };
  return { system: '', prompt: words, names, receipt: sealed(whole, hash) };
}

interface SpokenBy {
  readonly role: Speaker['role'];
  readonly name?: string | undefined;
  readonly more?: boolean;
}

/** The text of the call as it grows, and whose words stand where in it. */
function openText(hash: Hash) {
  const texts: string[] = [];
  const spans: Span[] = [];
  const speakers: Speaker[] = [];
  const names: (string | undefined)[] = [];
  const breakpoints: Breakpoint[] = [];
  let bytes = 0;
  return {
    say({ role, name, more = false }: SpokenBy, words: string, own: readonly Span[]) {
      speakers.push({
        ...{ role, offset: bytes },
        ...(more ? { more } : {}),
        ...(name === undefined ? {} : { name: hash(name) }),
      });
      names.push(name);
      for (const { fragment, start, end } of own)
        spans.push({ fragment, start: bytes + start, end: bytes + end });
      texts.push(words);
      bytes += utf8Length(words);
    },
    breakpoint() {
      if (bytes === 0 || breakpoints.at(-1)?.offset === bytes) return;
      const fingerprint = hash(`\nprompt\n${texts.join('')}`);
      breakpoints.push({ offset: bytes, section: conversation, fingerprint });
    },
    close: () => ({ words: texts.join(''), bytes, spans, breakpoints, speakers, names }),
  };
}
