// One request as it came in: every byte of the body, every header but the keys.
import type { IncomingMessage } from 'node:http';
import type { JsonObject } from './json-object.js';
import { objectOf } from './json-object.js';
import type { ReportedUsage } from './reply.js';

export type ProtocolName =
  | 'anthropic-messages'
  | 'openai-responses'
  | 'openai-chat'
  | 'gemini'
  | 'bedrock-converse'
  | 'openai-embeddings'
  | 'other';

export interface LoopbackCall {
  /** Among the calls to a model; the first is 1. */
  readonly number: number;
  readonly protocol: ProtocolName;
  readonly method: string;
  /** With its query; a key in it is masked. */
  readonly path: string;
  /** Keys are masked, so that a test can see that one was sent. */
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
  /** Undefined when the body is no JSON object. */
  readonly body: JsonObject | undefined;
  readonly model: string;
  readonly stream: boolean;
  /** JSON Schema of the answer, when the request asks for one. */
  readonly schema: JsonObject | undefined;
  /** What was reported, once the answer began. */
  usage: ReportedUsage | undefined;
  /** `sent`: everything that was to be sent, failures included. `left`: the caller went away first. */
  ending: 'open' | 'sent' | 'left';
}

export const mask = '(masked)';
const secret =
  /^(?:authorization|x-api-key|x-goog-api-key|api-key|cookie|proxy-authorization|x-amz-security-token)$/;

export function readHeaders(request: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    if (value === undefined) continue;
    headers[name] = secret.test(name) ? mask : [value].flat().join(', ');
  }
  return headers;
}

export function maskPath(path: string): string {
  return path.replace(/([?&]key=)[^&]*/g, `$1${mask}`);
}

export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

export function parseBody(bytes: Buffer): JsonObject | undefined {
  try {
    return objectOf(JSON.parse(bytes.toString('utf8')));
  } catch {
    return undefined;
  }
}
