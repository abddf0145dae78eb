// Everything that can go wrong between a caller and a provider, laid over the answer that would have been given.

import type { Step } from './deliver.js';
import type { Pieces } from './pieces.js';
import type { Reply } from './script.js';

export type Failure = (
  | {
      readonly kind: 'status';
      readonly status: number;
      /** Written as `Retry-After`: seconds, or a date as HTTP writes it. */
      readonly retryAfter?: number | Date;
      readonly retryAfterMs?: number;
      readonly message?: string;
      /** Instead of the provider's own JSON, such as the page of a proxy. */
      readonly body?: string;
    }
  /** The connection is gone before a header. */
  | { readonly kind: 'reset' }
  /** Nothing for a while, then the whole answer. */
  | { readonly kind: 'slow'; readonly ms: number; readonly after?: 'nothing' | 'headers' }
  /** Silence that never ends; with `nothing` not even headers. */
  | { readonly kind: 'stall'; readonly after?: 'nothing' | 'headers' | 'chunk' }
  /** `cleanly`: the transport ends as if all had been said. */
  | {
      readonly kind: 'cut';
      readonly at?: 'mid-event' | 'mid-character' | 'before-final';
      readonly cleanly?: boolean;
    }
  | { readonly kind: 'malformed-body' }
  | { readonly kind: 'malformed-event' }
  /** An error told inside a stream that began well. */
  | { readonly kind: 'error-event'; readonly message?: string }
  | { readonly kind: 'wrong-schema' | 'empty' | 'prose' | 'half-json' }
  | { readonly kind: 'huge'; readonly bytes?: number }
  | { readonly kind: 'endless' | 'keep-alive'; readonly everyMs?: number }
  /** The closing events twice, or only the last few of them. */
  | { readonly kind: 'duplicate-final'; readonly events?: number }
) & {
  /** The answer under the failure. */
  readonly reply?: Reply;
};

/** Three bytes of UTF-8, so that it can be cut. */
const wide = '界';
const line = 'The loopback has a lot to say, 说了又说。 ';

/** Failures that are answers: well formed, and not what was asked for. */
export function answerUnder(failure: Failure | undefined, reply: Reply): Reply {
  switch (failure?.kind) {
    case 'wrong-schema':
      return { ...reply, chunks: [], json: { unexpected: [{ loopback: true }] } };
    case 'empty':
      return { finish: reply.finish ?? 'stop' };
    case 'prose':
      return { text: 'I would rather tell you about it: everything looks fine to me.' };
    case 'half-json': {
      const whole = JSON.stringify(reply.json ?? { findings: [{ title: 'half' }] });
      return { text: whole.slice(0, Math.ceil(whole.length / 2)) };
    }
    case 'huge': {
      const bytes = failure.bytes ?? 10 * 1024 * 1024;
      const chunk = line.repeat(1000);
      return { chunks: Array.from({ length: Math.ceil(bytes / Buffer.byteLength(chunk)) }, () => chunk) };
    }
    case 'cut':
      return failure.at === 'mid-character'
        ? { chunks: [...(reply.chunks ?? [reply.text ?? '']), '界'] }
        : reply;
    case 'endless':
      return { chunks: [line] };
    default:
      return reply;
  }
}

/** The steps that deliver the pieces, or what the failure leaves of them. */
export function stepsUnder(failure: Failure | undefined, pieces: Pieces): readonly Step[] {
  const { opening, deltas, closing, pauseMs } = pieces;
  const head: Step = { kind: 'head', status: 200, headers: { 'content-type': pieces.contentType } };
  const spoken = deltas.flatMap((text, index) => [...(index > 0 ? pause(pauseMs) : []), write(text)]);
  const begun = [head, ...opening.map(write)];
  const first = [...begun, ...spoken.slice(0, 1)];
  const whole = [...begun, ...spoken, ...closing.map(write)];
  switch (failure?.kind) {
    case 'status':
      return failedStatus(failure, pieces);
    case 'reset':
      return [{ kind: 'reset' }];
    case 'slow':
      if (failure.after !== 'headers') return [...pause(failure.ms), ...whole];
      return [head, ...pause(failure.ms), ...whole.slice(1)];
    case 'stall':
      if (failure.after === 'nothing') return [{ kind: 'hang' }];
      return [...(failure.after === 'headers' ? [head] : first), { kind: 'hang' }];
    case 'cut':
      return [head, ...cut(pieces, failure.at), ...(failure.cleanly ? [] : [{ kind: 'drop' } as const])];
    case 'malformed-body':
      return [
        { ...head, headers: { 'content-type': 'application/json' } },
        write('{"id": "loopback", "cont'),
      ];
    case 'malformed-event':
      if (!pieces.streamed) return [head, write('{"id": "loopback", "cont')];
      return [...first, write('data: {"type": "loopback", "cont\n\n'), ...whole.slice(first.length)];
    case 'error-event':
      if (!pieces.streamed) return failedStatus({ ...failure, kind: 'status', status: 500 }, pieces);
      return [...first, write(pieces.errorEvent(failure.message ?? 'Overloaded'))];
    case 'endless':
      return [...first, repeat(deltas[0] ?? line, failure.everyMs ?? 5)];
    case 'keep-alive':
      return [head, repeat(pieces.keepAlive, failure.everyMs ?? 50)];
    case 'duplicate-final':
      return pieces.streamed
        ? [...whole, ...closing.slice(-(failure.events ?? closing.length)).map(write)]
        : whole;
    default:
      return whole;
  }
}

function cut(
  pieces: Pieces,
  at: 'mid-event' | 'mid-character' | 'before-final' = 'mid-event',
): readonly Step[] {
  const { opening, deltas, closing } = pieces;
  if (at === 'before-final') return [...opening, ...deltas].map(write);
  const all = [...opening, ...deltas, ...closing].map((piece) => Buffer.from(piece));
  const [torn = Buffer.alloc(0)] = all.slice(opening.length);
  const before = Buffer.concat(all.slice(0, opening.length));
  if (at === 'mid-event') return [write(before), write(torn.subarray(0, Math.ceil(torn.length / 2)))];
  const said = Buffer.concat(all);
  return [write(said.subarray(0, said.indexOf(wide) + 1))];
}

function failedStatus(failure: Extract<Failure, { kind: 'status' }>, pieces: Pieces): readonly Step[] {
  const { status, retryAfter, retryAfterMs } = failure;
  const message = failure.message ?? `The loopback was told to answer ${status}.`;
  const headers: Record<string, string> = {
    'content-type': failure.body === undefined ? 'application/json' : 'text/html',
  };
  if (retryAfter !== undefined)
    headers['retry-after'] = typeof retryAfter === 'number' ? `${retryAfter}` : retryAfter.toUTCString();
  if (retryAfterMs !== undefined) headers['retry-after-ms'] = `${retryAfterMs}`;
  const seconds = typeof retryAfter === 'number' ? retryAfter : undefined;
  return [
    { kind: 'head', status, headers },
    write(failure.body ?? pieces.errorBody(status, message, seconds)),
  ];
}

const write = (bytes: string | Uint8Array): Step => ({ kind: 'write', bytes });
const repeat = (bytes: string | Uint8Array, everyMs: number): Step => ({ kind: 'repeat', bytes, everyMs });
const pause = (ms: number): readonly Step[] => (ms > 0 ? [{ kind: 'pause', ms }] : []);
