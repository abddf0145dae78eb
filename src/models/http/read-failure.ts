// A provider package's error as one of ours. It may quote the prompt, the key or the answer, so it is read and dropped,
// never attached.
import { GalleyError, isGalleyError } from '../../core/model/error.js';
import { causesOf, networkCode } from '../../network/error-codes.js';
import { pick, pickCount, pickText } from '../answer/json-fields.js';
import { type CallFailureReason, type CallTarget, callFailure } from './call-failure.js';

export interface ReadFailure {
  readonly error: GalleyError;
  /** How long the provider asks to wait. */
  readonly retryAfterMs?: number;
}

export function readFailure(target: CallTarget, thrown: unknown, now: () => number): ReadFailure {
  const ours = ourOwn(thrown);
  if (ours !== undefined) return { error: ours };
  if (pickCount(thrown, 'statusCode') === 200 && networkCode(thrown) !== undefined)
    return { error: callFailure(target, 'cut') };
  const status = statusOf(thrown);
  if (status === undefined) return { error: withoutStatus(target, thrown) };
  const complaint = (pickText(thrown, 'responseBody') ?? '').slice(0, maxComplaint);
  const known = status < 500 ? complaints.find(({ pattern }) => pattern.test(complaint)) : undefined;
  const retryAfterMs = readRetryAfter(headersOf(thrown), now()) ?? retryDelay(complaint);
  return {
    error: callFailure(target, known?.reason ?? reasonOfStatus(status), { status }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

const maxComplaint = 16 * 1024;

/** What some providers say in words of their own where others have a status. */
const complaints: readonly { readonly pattern: RegExp; readonly reason: CallFailureReason }[] = [
  { pattern: /API_KEY_INVALID|invalid_api_key/, reason: 'authentication' },
  { pattern: /model_not_found|Model Not Exist/, reason: 'unknown-model' },
  // Bedrock's ways to say so.
  {
    pattern: /model identifier is invalid|access to the model|on-demand throughput/,
    reason: 'unknown-model',
  },
  { pattern: /insufficient_quota|credit balance is too low|Insufficient Balance/, reason: 'payment' },
];

/** Gemini's way to ask for patience. */
function retryDelay(complaint: string): number | undefined {
  const seconds = /"retryDelay":\s*"(\d{1,6}(?:\.\d{1,9})?)s"/.exec(complaint)?.[1];
  return seconds === undefined ? undefined : Math.ceil(Number(seconds) * 1000);
}

function reasonOfStatus(status: number): CallFailureReason {
  if (status === 401 || status === 403) return 'authentication';
  if (status === 402) return 'payment';
  if (status === 404) return 'unknown-model';
  if (status === 429) return 'rate-limit';
  if (status >= 300 && status < 400) return 'redirect';
  if (status === 408 || status === 409 || status >= 500) return 'unavailable';
  return status >= 400 ? 'bad-request' : 'malformed';
}

/** Packages wrap what their transport threw. */
function ourOwn(thrown: unknown): GalleyError | undefined {
  for (const error of causesOf(thrown)) if (isGalleyError(error)) return error;
  return undefined;
}

function withoutStatus(target: CallTarget, thrown: unknown): GalleyError {
  const name = thrown instanceof Error ? thrown.name : '';
  if (/TypeValidation|JSONParse/.test(name)) return callFailure(target, 'malformed');
  // Google's library looks for credentials before anything is sent.
  if (target.connection.endpoint.cloud === 'vertex' && /credentials/i.test(String(thrown)))
    return callFailure(target, 'authentication');
  if (/InvalidResponseData|NoContentGenerated|EmptyResponseBody/.test(name))
    return callFailure(target, 'cut');
  // What a provider says in the middle of its stream, as plain data.
  const type = pickText(thrown, 'type') ?? pickText(thrown, 'error', 'type') ?? '';
  const code = pickText(thrown, 'code') ?? pickText(thrown, 'error', 'code') ?? '';
  if (/rate_limit/.test(type + code)) return callFailure(target, 'rate-limit');
  if (/invalid_request|context_length|content_policy/.test(type + code))
    return callFailure(target, 'bad-request');
  if (!(thrown instanceof Error)) return callFailure(target, 'unavailable');
  const kind = networkCode(thrown);
  if (kind !== undefined && /^UND_ERR_(?:HEADERS|BODY)_TIMEOUT$/.test(kind)) return transportTimeout(target);
  return callFailure(target, 'connection', kind === undefined ? {} : { kind });
}

/** The transport has a patience of its own, five minutes without a byte. */
function transportTimeout({ connection: { endpoint } }: CallTarget): GalleyError {
  return new GalleyError('TIMEOUT', `${endpoint.title} was silent for too long.`, {
    details: { provider: endpoint.name, phase: 'transport' },
  });
}

function statusOf(thrown: unknown): number | undefined {
  const status = pickCount(thrown, 'statusCode');
  if (status === undefined || status !== 200) return status;
  // An error inside a stream that began well.
  return thrown instanceof Error && /APICallError/.test(thrown.name) ? streamStatus(thrown) : undefined;
}

function streamStatus(thrown: Error): number | undefined {
  const type = pickText(thrown, 'data', 'error', 'type') ?? pickText(thrown, 'data', 'type') ?? '';
  if (/overloaded/.test(type)) return 529;
  return /rate_limit/.test(type) ? 429 : 500;
}

function headersOf(thrown: unknown): (name: string) => string | undefined {
  const headers = pick(thrown, 'responseHeaders');
  return (name) => pickText(headers, name);
}

/** How long a provider asks to wait: in milliseconds, in seconds or until a date. Anything else is not an answer. */
function readRetryAfter(header: (name: string) => string | undefined, now: number): number | undefined {
  const milliseconds = number(header('retry-after-ms'));
  if (milliseconds !== undefined) return Math.ceil(milliseconds);
  const wanted = header('retry-after')?.trim();
  if (wanted === undefined || wanted === '') return undefined;
  const seconds = number(wanted);
  if (seconds !== undefined) return Math.ceil(seconds * 1000);
  const date = /^[A-Za-z]{3}/.test(wanted) ? Date.parse(wanted) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function number(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+(?:\.\d+)?$/.test(text.trim()) ? Number(text) : undefined;
}
