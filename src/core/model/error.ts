// What can go wrong: the one error Galley throws, with a code of the closed table and details that are safe to log, and the
// warning, which is a value in the result.

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

interface ErrorRow {
  readonly http: number;
  readonly jsonRpc: number;
  readonly exit: number;
  readonly retryable: boolean;
}

const row = (http: number, jsonRpc: number, exit: number, retryable = false): ErrorRow => ({
  http,
  jsonRpc,
  exit,
  retryable,
});

/**
 * Every refusal Galley can utter, with what each door makes of it. The table is closed: a new code is a decision.
 * Exit codes: 2 the caller's request, 3 incomplete, 4 a model, provider or forge, 5 store or environment, 6 refused by a rule, 7 busy, 70 ours.
 */
export const errorTable = {
  INVALID_ARGUMENT: row(400, -32602, 2),
  UNKNOWN_OPERATION: row(404, -32601, 2),
  CONFIG_INVALID: row(400, -32010, 2),
  UNAUTHENTICATED: row(401, -32011, 6),
  FORBIDDEN: row(403, -32012, 6),
  NOT_FOUND: row(404, -32013, 2),
  ALREADY_EXISTS: row(409, -32014, 2),
  CHANGED_MEANWHILE: row(409, -32019, 6),
  PAYLOAD_TOO_LARGE: row(413, -32015, 2),
  CANCELLED: row(499, -32016, 130),
  TIMEOUT: row(504, -32017, 124, true),
  INCOMPLETE: row(502, -32018, 3, true),
  INTERNAL: row(500, -32603, 70),

  CONTEXT_LAYER_INVALID: row(422, -32020, 6),
  CONTEXT_BUDGET_INFEASIBLE: row(422, -32021, 6),
  CONTEXT_BUDGET_CONFLICT: row(409, -32022, 6, true),
  CONTEXT_INPUT_TOO_LARGE: row(413, -32023, 6),
  CONTEXT_LIMIT_EXCEEDED: row(422, -32024, 6),
  CONTEXT_SCOPE_VIOLATION: row(403, -32025, 6),
  CONTEXT_INSPECT_FORBIDDEN: row(403, -32026, 6),
  CONTEXT_BACKPRESSURE: row(429, -32027, 7, true),

  STORE_UNAVAILABLE: row(503, -32030, 5, true),
  STORE_BUSY: row(503, -32031, 7, true),
  STORE_TOO_NEW: row(500, -32032, 5),
  STORE_CORRUPT: row(500, -32033, 5),

  NOT_A_REPOSITORY: row(400, -32040, 2),
  REVISION_NOT_FOUND: row(404, -32041, 2),
  NO_MERGE_BASE: row(422, -32042, 2),
  GIT_FAILED: row(500, -32043, 5),
  FILE_UNREADABLE: row(422, -32044, 2),

  MODEL_NOT_CONFIGURED: row(400, -32050, 2),
  MODEL_UNAVAILABLE: row(502, -32051, 4, true),
  MODEL_REFUSED: row(502, -32052, 4),
  MODEL_ANSWER_INVALID: row(502, -32053, 4, true),
  COST_CEILING_REACHED: row(402, -32054, 6),

  FORGE_NOT_CONFIGURED: row(400, -32060, 2),
  FORGE_UNAVAILABLE: row(502, -32061, 4, true),
  FORGE_REFUSED: row(502, -32062, 4),
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof errorTable;

/** A value in the result, never thrown: the assembly went on, and this is what the caller should know. */
export interface Warning {
  readonly code: string;
  readonly message: string;
  readonly details?: Readonly<Record<string, string | number | boolean | readonly string[]>>;
}
