// One JSON-RPC message for each line, in and out. A line that is broken, too long or not a message gets its error, and the next
// line is read as if nothing had happened.
import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { openRequests } from './open-requests.js';
import { numberOf } from './protocol-error.js';
import { readMessage } from './read-message.js';

export interface LineTransport extends Transport {
  /** When either side has ended. */
  readonly closed: Promise<void>;
}

export interface LineTransportOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly mostBytes?: number;
}

export const usualMostBytes = 32 * 1024 * 1024;

export function lineTransport({
  input,
  output,
  mostBytes = usualMostBytes,
}: LineTransportOptions): LineTransport {
  const lines = lineReader(mostBytes, { onLine: takeLine, onTooLong: refuseLength });
  const requests = openRequests();
  let isClosed = false;
  let tellClosed = () => {};
  const closed = new Promise<void>((resolve) => {
    tellClosed = resolve;
  });

  function refuse(code: number, message: string, id: unknown = null): void {
    const known = typeof id === 'string' || typeof id === 'number' ? id : null;
    write({ jsonrpc: '2.0', id: known, error: { code, message } }).catch(() => undefined);
  }

  function refuseLength(): void {
    refuse(numberOf('PAYLOAD_TOO_LARGE'), `A message is longer than ${mostBytes} bytes.`);
  }

  function takeLine(line: Buffer): void {
    const read = readMessage(line);
    if (read.kind === 'message') takeMessage(read.message);
    if (read.kind === 'refused') refuse(read.code, read.reason, read.id);
  }

  function takeMessage(message: JSONRPCMessage): void {
    if (requests.begin(message)) transport.onmessage?.(message);
    else {
      const { id } = message as { id?: unknown };
      refuse(
        numberOf('CONTEXT_BACKPRESSURE'),
        'Too many requests wait for their answer; try again later.',
        id,
      );
    }
  }

  function write(message: unknown): Promise<void> {
    return new Promise((resolve, reject) => {
      output.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
      // Who does not read its answers is not heard until it does.
      if (output.writableLength <= mostBytes || input.isPaused()) return;
      input.pause();
      output.once('drain', () => isClosed || input.resume());
    });
  }

  const end = () => void transport.close();

  const transport: LineTransport = {
    closed,
    start: async () => {
      input.on('data', lines.take).on('end', end).on('close', end).on('error', end);
      output.on('error', end);
    },
    send: (message) => {
      requests.end(message);
      return write(message);
    },
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      input.off('data', lines.take).off('end', end).off('close', end);
      input.pause();
      transport.onclose?.();
      tellClosed();
    },
  };
  return transport;
}

interface LineTaker {
  onLine(line: Buffer): void;
  onTooLong(): void;
}

/** Holds at most the bytes of one line; the rest of a line that is too long is not kept. */
function lineReader(mostBytes: number, { onLine, onTooLong }: LineTaker) {
  let parts: Buffer[] = [];
  let size = 0;
  const add = (part: Buffer) => {
    const fitted = size <= mostBytes;
    size += part.length;
    if (size <= mostBytes) parts.push(part);
    else if (fitted) {
      parts = [];
      onTooLong();
    }
  };
  return {
    take: (chunk: Buffer) => {
      let start = 0;
      for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
        add(chunk.subarray(start, end));
        if (size <= mostBytes) onLine(Buffer.concat(parts));
        parts = [];
        size = 0;
        start = end + 1;
      }
      if (start < chunk.length) add(chunk.subarray(start));
    },
  };
}
