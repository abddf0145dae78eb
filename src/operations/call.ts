// The one way in for every door: find the operation, check the request, run it, and let nothing but a GalleyError out.
import { type ErrorCode, GalleyError, toGalleyError } from '../core/model/error.js';
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
    if (!operation.inParts || (part ?? partBytes) === undefined) return await run(operation, input, context);
    // Later parts are those of a run that was remembered with the first.
    const again = part === undefined || part === 1 ? run : (one: Operation) => one.run(whole, context);
    return partOf(Object(await again(operation, whole, context)), { part, partBytes });
  } catch (error) {
    throw toGalleyError(error);
  }
}

/** Refusals behind which a model may have been asked. */
const afterAsking: ReadonlySet<ErrorCode> = new Set([
  'TIMEOUT',
  'CANCELLED',
  'MODEL_UNAVAILABLE',
  'MODEL_REFUSED',
  'MODEL_ANSWER_INVALID',
  'COST_CEILING_REACHED',
]);

/** Runs it, and tells the history of the project what became of it. */
async function run(operation: Operation, input: unknown, context: OperationContext): Promise<unknown> {
  const { id, remembers } = operation;
  if (remembers === undefined) return operation.run(input, context);
  const startedAt = context.now();
  const keep = async (answer: unknown, code?: ErrorCode) => {
    // Asked for only where the request does not say: who answers looks at the whole folder.
    const isNamed = 'projectId' in Object(input);
    const history = isNamed ? undefined : await context.history?.();
    const told = remembers({ input, answer, history });
    if (told === undefined) return;
    const { keepRun } = await import('./runs.js');
    await keepRun(told, { operation: id, startedAt, code }, context);
  };
  try {
    const answer = await operation.run(input, context);
    await keep(answer);
    return answer;
  } catch (error) {
    const { code } = toGalleyError(error);
    if (afterAsking.has(code)) await keep(undefined, code);
    throw error;
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
