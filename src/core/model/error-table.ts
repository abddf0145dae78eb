// Every refusal Galley can utter, with what each door makes of it. The table is closed: a new code is a decision.
// Exit codes: 2 the caller's request, 3 incomplete, 4 a model or provider, 5 store or environment, 6 refused by a rule, 7 busy, 70 ours.

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

export const errorTable = {
  INVALID_ARGUMENT: row(400, -32602, 2),
  UNKNOWN_OPERATION: row(404, -32601, 2),
  CONFIG_INVALID: row(400, -32010, 2),
  UNAUTHENTICATED: row(401, -32011, 6),
  FORBIDDEN: row(403, -32012, 6),
  NOT_FOUND: row(404, -32013, 2),
  ALREADY_EXISTS: row(409, -32014, 2),
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
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof errorTable;
