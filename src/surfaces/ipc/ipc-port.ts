// A message port, a worker, or the other end of a child process, as one thing that takes and gives messages until it closes; and
// what travels over it. Ids are the caller's; whatever does not have one of these shapes is not for us.
import * as z from 'zod';
import { GalleyError } from '../../core/model/error.js';
import type { AgentEvent } from '../../models/contract/agent-event.js';

interface Emitter {
  on(event: string, listener: (value: unknown) => void): unknown;
  off(event: string, listener: (value: unknown) => void): unknown;
}

/** A MessagePort or Worker of node:worker_threads. */
interface PostingPort extends Emitter {
  postMessage(message: unknown): void;
}

/** A ChildProcess, or `process` itself inside one. */
interface SendingPort extends Emitter {
  send?(message: unknown, callback: (error: Error | null) => void): boolean;
}

export type IpcPort = PostingPort | SendingPort;

interface PortListener {
  onMessage(message: unknown): void;
  onClose(): void;
}

interface OpenPort {
  /** Says nothing when the other side has gone; that is what onClose is for. */
  send(message: object): void;
  release(): void;
}

const closings = ['close', 'exit', 'disconnect'] as const;

export function openPort(port: IpcPort, { onMessage, onClose }: PortListener): OpenPort {
  if (!('postMessage' in port) && port.send === undefined) {
    throw new GalleyError(
      'INVALID_ARGUMENT',
      'port: the process was not started with a channel to its parent.',
    );
  }
  const close = () => onClose();
  port.on('message', onMessage);
  for (const event of closings) port.on(event, close);
  return {
    send: (message) => {
      try {
        if ('postMessage' in port) port.postMessage(message);
        else port.send?.(message, () => undefined);
      } catch {
        onClose();
      }
    },
    release: () => {
      port.off('message', onMessage);
      for (const event of closings) port.off(event, close);
    },
  };
}

const id = z.int().nonnegative();
const galley = z.literal(1);

export const callerMessage = z.discriminatedUnion('kind', [
  z.strictObject({
    galley,
    kind: z.literal('call'),
    id,
    operation: z.string().max(200),
    request: z.unknown(),
  }),
  z.strictObject({ galley, kind: z.literal('cancel'), id }),
]);

export type CallerMessage = z.output<typeof callerMessage>;

const progress = z.object({ stage: z.string(), done: z.number(), total: z.number().optional() });

/** Its kinds grow; whoever listens takes those it knows. */
function isEvent(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'kind' in value && typeof value.kind === 'string';
}

export const engineMessage = z.discriminatedUnion('kind', [
  z.strictObject({ galley, kind: z.literal('answer'), id, answer: z.unknown() }),
  z.strictObject({ galley, kind: z.literal('text'), id, text: z.string() }),
  z.strictObject({ galley, kind: z.literal('progress'), id, progress }),
  z.strictObject({ galley, kind: z.literal('event'), id, event: z.custom<AgentEvent>(isEvent) }),
]);

export type EngineMessage = z.output<typeof engineMessage>;
