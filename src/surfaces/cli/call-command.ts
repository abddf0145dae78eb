// galley call <operation>: one JSON value in, one JSON value out.
import { GalleyError } from '../../core/model/error.js';
import { operationIds } from '../../operations/table.js';
import { meantWords } from './meant-words.js';
import { parseJson, readStdin } from './read-input.js';
import { runOperation } from './run-operation.js';

export async function callCommand(operation: string, options: { store?: string }): Promise<void> {
  if (!operationIds.includes(operation)) {
    const meant = meantWords(operation, operationIds);
    throw new GalleyError(
      'UNKNOWN_OPERATION',
      `There is no operation of that name${meant === '' ? '.' : `; ${meant}`}`,
    );
  }
  const request = parseJson((await readStdin()) || '{}', 'The request on standard input');
  const answer = await runOperation(operation, request, options);
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
