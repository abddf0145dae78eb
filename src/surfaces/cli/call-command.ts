// galley call <operation>: one JSON value in, one JSON value out.
import { parseJson, readStdin } from './read-input.js';
import { runOperation } from './run-operation.js';

export async function callCommand(operation: string, options: { store?: string }): Promise<void> {
  const request = parseJson((await readStdin()) || '{}', 'The request on standard input');
  const answer = await runOperation(operation, request, options);
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
