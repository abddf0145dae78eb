// The one refusal of this room: an argument or field of a skill file is not acceptable, and this is which one.
import { GalleyError } from '../core/model/error.js';

export function invalidField(
  field: string,
  problem: string,
  options: { line?: number; cause?: unknown } = {},
): GalleyError {
  const details = options.line === undefined ? { field } : { field, line: options.line };
  return new GalleyError('INVALID_ARGUMENT', `${field}: ${problem}`, { details, cause: options.cause });
}
