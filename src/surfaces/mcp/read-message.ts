// What a line of input is: a message, something to refuse, or nothing.
import { type JSONRPCMessage, parseJSONRPCMessage } from '@modelcontextprotocol/server';
import { isNestedTooDeeply } from '../nesting.js';

export type ReadMessage =
  | { readonly kind: 'message'; readonly message: JSONRPCMessage }
  | { readonly kind: 'refused'; readonly code: number; readonly reason: string; readonly id?: unknown }
  | { readonly kind: 'nothing' };

const parseError = -32700;
const invalidRequest = -32600;

export function readMessage(line: Uint8Array): ReadMessage {
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
