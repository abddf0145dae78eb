// galley call <operation>: one JSON value in, one JSON value out.
import { operationIds } from '../../operations/table.js';
import { parseJson, readStdin } from './read-input.js';
import { runOperation } from './run-operation.js';
import { unknownOperation } from './unknown-operation.js';

export async function callCommand(operation: string, options: { store?: string }): Promise<void> {
  if (!operationIds.includes(operation)) throw unknownOperation(operation, operationIds);
  const request = parseJson((await readStdin()) || '{}', 'The request on standard input');
  const answer = await runOperation(operation, request, options);
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
