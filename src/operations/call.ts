// The one way in for every door: find the operation, check the request, run it, and let nothing but a GalleyError out.
import { GalleyError, toGalleyError } from '../core/model/error.js';
import { parseInput } from '../core/model/input.js';
import type { Operation, OperationContext } from './operation.js';
import { type AskedPart, partOf } from './parts.js';
import { findOperation, operationIds } from './table.js';

export async function call(id: string, request: unknown, context: OperationContext): Promise<unknown> {
  const operation = await granted(id, context);
  try {
    const input = parseInput(operation.input, request);
    // Whoever has something run later learns at once what is wrong with it.
    const carried = operation.carries?.(input);
    if (carried !== undefined) {
      parseInput((await granted(carried.operation, context)).input, carried.request);
    }
    context.signal.throwIfAborted();
    const { part, partBytes, ...whole } = Object(input) as AskedPart;
    if (!operation.inParts || (part ?? partBytes) === undefined) return await operation.run(input, context);
    return partOf(Object(await operation.run(whole, context)), { part, partBytes });
  } catch (error) {
    throw toGalleyError(error);
  }
}

async function granted(id: string, { grants }: OperationContext): Promise<Operation> {
  const operation = await findOperation(id);
  if (operation === undefined) {
    throw new GalleyError(
      'UNKNOWN_OPERATION',
      `There is no operation of that name; try one of ${operationIds.join(', ')}.`,
    );
  }
  if (grants.has(operation.grant)) return operation;
  throw new GalleyError('FORBIDDEN', `Operation ${id} needs the grant "${operation.grant}".`);
}
