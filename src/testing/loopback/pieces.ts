// An answer in the pieces it goes out in, whatever the protocol and whether streamed or not.
import { type Frame, type Protocol, type Request, type Spoken, textEvents } from './protocol.js';

type Piece = string | Uint8Array;

export interface Pieces {
  readonly contentType: string;
  readonly streamed: boolean;
  readonly opening: readonly Piece[];
  readonly deltas: readonly Piece[];
  readonly closing: readonly Piece[];
  readonly pauseMs: number;
  readonly keepAlive: Piece;
  errorEvent(message: string): Piece;
  errorBody(status: number, message: string, retryAfterSeconds?: number): string;
}

export interface Rendering {
  readonly protocol: Protocol;
  readonly spoken: Spoken;
  readonly request: Request;
  readonly form: 'json' | 'events' | 'array';
  readonly pauseMs: number;
}

export function renderPieces({ protocol, spoken, request, form, pauseMs }: Rendering): Pieces {
  const errorBody = (status: number, message: string, retryAfterSeconds?: number) =>
    JSON.stringify(protocol.error(status, message, retryAfterSeconds));
  const json = { contentType: 'application/json', pauseMs, errorBody };
  if (form === 'json') {
    const bytes = Buffer.from(JSON.stringify(protocol.body(spoken, request)));
    const middle = Math.ceil(bytes.length / 3);
    const errorEvent = () => '';
    const opening = [bytes.subarray(0, middle)];
    return {
      ...json,
      streamed: false,
      opening,
      deltas: [],
      closing: [bytes.subarray(middle)],
      keepAlive: '\n',
      errorEvent,
    };
  }
  const frames = protocol.frames(spoken, request);
  const errorFrame = (message: string) => protocol.errorFrame(spoken, message);
  if (form === 'events') {
    const { contentType, write } = protocol.framing ?? textEvents;
    return {
      ...json,
      contentType,
      streamed: true,
      opening: frames.opening.map(write),
      deltas: frames.deltas.map(write),
      closing: frames.closing.map(write),
      keepAlive: protocol.keepAlive,
      errorEvent: (message) => write(errorFrame(message)),
    };
  }
  const item = ({ data }: Frame) => `${JSON.stringify(data)}\n,\r\n`;
  const last = (frame: Frame) => `${JSON.stringify(frame.data)}]`;
  return {
    ...json,
    streamed: true,
    opening: ['['],
    deltas: frames.deltas.map(item),
    closing: [...frames.closing.slice(0, -1).map(item), ...frames.closing.slice(-1).map(last)],
    keepAlive: '\n',
    errorEvent: (message) => last(errorFrame(message)),
  };
}
