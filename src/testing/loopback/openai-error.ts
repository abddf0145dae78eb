// Errors as OpenAI and those compatible with it write them.
import type { JsonObject } from './json-object.js';

const rows: Readonly<Record<number, readonly [type: string, code: string | null]>> = {
  400: ['invalid_request_error', null],
  401: ['invalid_request_error', 'invalid_api_key'],
  403: ['invalid_request_error', 'unsupported_country_region_territory'],
  404: ['invalid_request_error', 'model_not_found'],
  413: ['invalid_request_error', 'request_too_large'],
  429: ['requests', 'rate_limit_exceeded'],
};

export function openaiError(status: number, message: string): JsonObject {
  const [type, code] = rows[status] ?? ['server_error', status === 503 ? 'server_is_overloaded' : null];
  return { error: { message, type, param: null, code } };
}
