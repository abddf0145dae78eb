// Server-sent events of one run: text, progress and what an agent does on the way, then exactly one result or error. Comments keep the line alive;
// a reader that does not read is cut off instead of being remembered. Nothing is begun before there is something to say, so a
// run that is refused at once is refused with its status.
import type { ServerResponse } from 'node:http';
import { httpRefusal } from './response.js';

export interface EventStream {
  send(event: 'text' | 'progress' | 'agent', value: unknown): void;
  /** Ends with the answer. */
  result(answer: unknown): void;
  /** False when nothing was sent yet, and the refusal is still to be answered. */
  error(thrown: unknown): boolean;
}

export interface EventStreamLimits {
  readonly heartbeatMs: number;
  /** What may lie unread before the reader is given up. */
  readonly unreadBytes: number;
}

export function openEventStream(
  outgoing: ServerResponse,
  { heartbeatMs, unreadBytes }: EventStreamLimits,
  headers: Readonly<Record<string, string>>,
): EventStream {
  let begun = false;
  const begin = () => {
    if (begun) return;
    begun = true;
    outgoing.writeHead(200, {
      ...headers,
      'content-type': 'text/event-stream; charset=utf-8',
      'x-accel-buffering': 'no',
    });
  };
  const write = (text: string) => {
    if (outgoing.destroyed || outgoing.writableEnded) return;
    begin();
    outgoing.write(text);
    if (outgoing.writableLength > unreadBytes) outgoing.destroy();
  };
  const event = (name: string, json: string) => write(`event: ${name}\ndata: ${json}\n\n`);
  const heartbeat = setInterval(() => write(': still here\n\n'), heartbeatMs);
  const end = (name: string, json: string) => {
    clearInterval(heartbeat);
    event(name, json);
    outgoing.end();
  };
  outgoing.once('close', () => clearInterval(heartbeat));
  return {
    send: (name, value) => event(name, JSON.stringify(value)),
    result: (answer) => end('result', JSON.stringify(answer) ?? 'null'),
    error: (thrown) => {
      clearInterval(heartbeat);
      if (begun) end('error', httpRefusal(thrown).body);
      return begun;
    },
  };
}
