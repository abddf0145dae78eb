// One JSON-RPC message for each line, in and out. A line that is broken, too long or not a message gets its error, and the next
// line is read as if nothing had happened.
import type { Readable, Writable } from 'node:stream';
import { type JSONRPCMessage, parseJSONRPCMessage, type Transport } from '@modelcontextprotocol/server';
import { isNestedTooDeeply } from '../nesting.js';
import { jsonRpcNumber } from './protocol-error.js';

interface LineTransport extends Transport {
  /** When either side has ended. */
  readonly closed: Promise<void>;
}

interface LineTransportOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly mostBytes?: number;
}

export const maxMessageBytes = 32 * 1024 * 1024;

export function lineTransport({
  input,
  output,
  mostBytes = maxMessageBytes,
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
    refuse(jsonRpcNumber('PAYLOAD_TOO_LARGE'), `A message is longer than ${mostBytes} bytes.`);
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
        jsonRpcNumber('CONTEXT_BACKPRESSURE'),
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

type ReadMessage =
  | { readonly kind: 'message'; readonly message: JSONRPCMessage }
  | { readonly kind: 'refused'; readonly code: number; readonly reason: string; readonly id?: unknown }
  | { readonly kind: 'nothing' };

const parseError = -32700;
const invalidRequest = -32600;

/** What a line of input is: a message, something to refuse, or nothing. */
function readMessage(line: Uint8Array): ReadMessage {
  let value: unknown;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(line);
    if (text.trim() === '') return { kind: 'nothing' };
    value = JSON.parse(text);
  } catch {
    return { kind: 'refused', code: parseError, reason: 'A line is not JSON in UTF-8.' };
  }
  if (isNestedTooDeeply(value)) {
    return { kind: 'refused', code: invalidRequest, reason: 'A message is nested too deeply.' };
  }
  if (Array.isArray(value)) {
    const reason = 'Batches are not taken; send one message a line.';
    return { kind: 'refused', code: invalidRequest, reason };
  }
  try {
    return { kind: 'message', message: parseJSONRPCMessage(value) };
  } catch {
    const record = Object(value) as { id?: unknown };
    // An answer to something we never asked is nobody's request.
    if (!('method' in record) && ('result' in record || 'error' in record)) return { kind: 'nothing' };
    const reason = 'A message is not a JSON-RPC 2.0 request or notification.';
    return { kind: 'refused', code: invalidRequest, reason, id: record.id };
  }
}

interface OpenRequests {
  /** False when too many wait already. */
  begin(message: JSONRPCMessage): boolean;
  /** Notes an answer on its way. */
  end(message: JSONRPCMessage): void;
}

const maxAtOnce = 512;

/**
 * So many requests wait for their answer and no more; messages that expect none always pass, so that a client can cancel what it
 * asked for.
 */
function openRequests(): OpenRequests {
  const open = new Set<unknown>();
  return {
    begin: (message) => {
      if (!('method' in message)) return true;
      // What was cancelled is not answered.
      if (message.method === 'notifications/cancelled') open.delete(message.params?.requestId);
      if (!('id' in message)) return true;
      if (open.size >= maxAtOnce) return false;
      open.add(message.id);
      return true;
    },
    end: (message) => {
      if (!('method' in message)) open.delete(message.id);
    },
  };
}
