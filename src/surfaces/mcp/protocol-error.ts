// A refusal at the level of the protocol: the number of the table, with the code itself as data.
import { ProtocolError } from '@modelcontextprotocol/server';
import { type ErrorCode, errorTable, toGalleyError } from '../../core/model/error.js';

/** Numbers that mean something else to a client of this protocol. */
const taken: ReadonlySet<number> = new Set([-32002, -32020, -32021, -32022, -32042]);

export function jsonRpcNumber(code: ErrorCode): number {
  const number = errorTable[code].jsonRpc;
  return taken.has(number) ? errorTable.INVALID_ARGUMENT.jsonRpc : number;
}

export function protocolError(error: unknown): ProtocolError {
  if (ProtocolError.isInstance(error)) return error;
  const { code, message, details } = toGalleyError(error);
  return new ProtocolError(jsonRpcNumber(code), message, {
    code,
    ...(details === undefined ? {} : { details }),
  });
}
