// The law of the wire, as somebody else would check it: what was received against the receipt of what was sealed. Nothing is taken
// from the sources but the words of the law, so that the two cannot be wrong together.
import { createHash } from 'node:crypto';

export interface Received {
  /** The protocol or the CLI it came by. */
  readonly by: string;
  readonly system: string;
  readonly prompt: string;
  /** Parsed; absent where the model was not held to one. */
  readonly schema?: unknown;
  /** Fields of the request that are neither text nor known settings. */
  readonly strangers?: readonly string[];
  /** Bytes of each message, the first of the user; absent for one text. */
  readonly messages?: readonly number[];
  /** Every message in the order of the wire, those of the system among them. */
  readonly spoken?: readonly { readonly role: string; readonly text: string }[];
}

interface Part {
  readonly channel: string;
  readonly bytes: number;
  readonly hash: string;
  readonly spans: readonly { readonly fragment: string; readonly start: number; readonly end: number }[];
  readonly breakpoints: readonly { readonly offset: number }[];
  readonly turns?: readonly number[];
  readonly speakers?: readonly { readonly role: string; readonly offset: number }[];
}

export interface SealedReceipt {
  readonly id: string;
  readonly version: number;
  readonly previous?: string;
  readonly used: { readonly n: number };
  readonly budget: { readonly n: number };
  readonly pages: readonly { readonly amount: number; readonly parts: readonly Part[] }[];
  readonly ledger: readonly { readonly fragment: string }[];
  readonly digests: { readonly ledger: string; readonly spans: string };
}

const sha256 = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex');
const bytesOf = (text: string) => Buffer.byteLength(text, 'utf8');

/** Keys in code-point order at every depth, no blanks. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item ?? null)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const names = Object.keys(value).sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  const field = (name: string) => (value as Record<string, unknown>)[name];
  const said = names.filter((name) => field(name) !== undefined);
  return `{${said.map((name) => `${JSON.stringify(name)}:${canonical(field(name))}`).join(',')}}`;
}

/** Of everything but the ledger and the spans, which are in it by their digests. */
export function idOf({ id: _, ledger: __, pages, ...rest }: SealedReceipt): string {
  const bare = pages.map((page) => ({
    ...page,
    parts: page.parts.map(({ spans: ___, ...part }) => part),
  }));
  return sha256(canonical({ ...rest, pages: bare })).slice(0, 32);
}

/** Every way in which they differ; none is the law. */
export function differences(received: Received, receipt: SealedReceipt): string[] {
  const found: string[] = [];
  const expect = (holds: boolean, says: string) => {
    if (!holds) found.push(says);
  };
  expect(receipt.version === 2, 'the receipt is of another version');
  expect(receipt.id === idOf(receipt), 'the id of the receipt is not the hash of its body');
  expect(receipt.used.n <= receipt.budget.n, 'more was used than the budget allows');
  expect(receipt.pages.length === 1, 'the receipt is not of one call');
  expect(sha256(canonical(receipt.ledger)) === receipt.digests.ledger, 'the ledger is not what was sealed');
  const parts = receipt.pages.flatMap((page) => page.parts);
  const spans = receipt.pages.map((page) => page.parts.map((part) => part.spans));
  // A receipt in its short form has no spans, and the same id.
  const isShort = spans.flat(2).length === 0;
  expect(isShort || sha256(canonical(spans)) === receipt.digests.spans, 'the spans are not what was sealed');
  const speakers = parts.find(({ channel }) => channel === 'prompt')?.speakers;
  const { spoken = [] } = received;
  const texts: Record<string, string> = {
    system: speakers === undefined ? received.system : '',
    prompt: speakers === undefined ? received.prompt : spoken.map(({ text }) => text).join(''),
    answer: received.schema === undefined ? '' : canonical(received.schema),
  };
  for (const [channel, text] of Object.entries(texts)) {
    const part = parts.find((each) => each.channel === channel);
    if (part === undefined) {
      expect(text === '', `${channel}: ${bytesOf(text)} bytes were received and none were sealed`);
      continue;
    }
    expect(text.isWellFormed(), `${channel}: half a character was received`);
    expect(bytesOf(text) === part.bytes, `${channel}: ${bytesOf(text)} bytes received, ${part.bytes} sealed`);
    expect(sha256(text) === part.hash, `${channel}: other bytes were received than sealed`);
    const known = new Set(receipt.ledger.map(({ fragment }) => fragment));
    expect(isShort || inOrder(part, known), `${channel}: spans that point elsewhere`);
  }
  if (speakers !== undefined) {
    expect(canonical(whoSpeaks(spoken)) === canonical(changes(speakers)), 'others speak than were sealed');
    return found.map((says) => `${received.by}: ${says}`);
  }
  const sealedTurns = parts.find(({ channel }) => channel === 'prompt')?.turns ?? [];
  let passed = 0;
  const turns = (received.messages ?? []).slice(0, -1).map((bytes) => {
    passed += bytes;
    return passed;
  });
  expect(canonical(turns) === canonical(sealedTurns), 'messages that end elsewhere than they were sealed');
  expect((received.strangers ?? []).length === 0, `also received: ${received.strangers?.join(', ')}`);
  return found.map((says) => `${received.by}: ${says}`);
}

/** Where the speaker changes: some protocols join what one says in several messages. */
function changes(speakers: NonNullable<Part['speakers']>) {
  const plain = speakers.map(({ role, offset }) => ({ role, offset }));
  return plain.filter(({ role }, at) => plain[at - 1]?.role !== role);
}

function whoSpeaks(spoken: NonNullable<Received['spoken']>) {
  let offset = 0;
  const speakers = spoken.map(({ role, text }) => {
    const speaker = { role, offset };
    offset += bytesOf(text);
    return speaker;
  });
  return changes(speakers);
}

function inOrder({ bytes, spans, breakpoints }: Part, known: ReadonlySet<string>): boolean {
  let last = 0;
  for (const { fragment, start, end } of spans) {
    if (start < last || end < start || end > bytes || !known.has(fragment)) return false;
    last = end;
  }
  return spans.length > 0 && breakpoints.every(({ offset }) => offset <= bytes);
}
