// The one error Galley throws: a code of the closed table, a message for a person, and details that are safe to log.
import { type ErrorCode, errorTable } from './error-table.js';

const mark = Symbol.for('galley.error');

/** Names, counts and codes only: never user text, absolute paths or keys. */
export type ErrorDetails = Readonly<Record<string, string | number | boolean | readonly string[]>>;

export class GalleyError extends Error {
  override readonly name = 'GalleyError';
  readonly code: ErrorCode;
  readonly details: ErrorDetails | undefined;

  constructor(code: ErrorCode, message: string, options: { details?: ErrorDetails; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details;
    Object.defineProperty(this, mark, { value: true });
  }

  get retryable(): boolean {
    return errorTable[this.code].retryable;
  }

  toJSON(): { code: ErrorCode; message: string; details?: ErrorDetails } {
    const { code, message, details } = this;
    return details === undefined ? { code, message } : { code, message, details };
  }
}

export function isGalleyError(value: unknown): value is GalleyError {
  return typeof value === 'object' && value !== null && mark in value;
}

/** Strangers' errors become ours here and nowhere else; their message may quote user text, so it stays behind. */
export function toGalleyError(value: unknown, fallback: ErrorCode = 'INTERNAL'): GalleyError {
  if (isGalleyError(value)) return value;
  const name = value instanceof Error ? value.name : typeof value;
  if (name === 'AbortError')
    return new GalleyError('CANCELLED', 'The operation was cancelled.', { cause: value });
  if (name === 'TimeoutError')
    return new GalleyError('TIMEOUT', 'The operation ran out of time.', { cause: value });
  return new GalleyError(fallback, 'Something failed inside Galley; this is a defect worth reporting.', {
    details: { kind: name },
    cause: value,
  });
}
