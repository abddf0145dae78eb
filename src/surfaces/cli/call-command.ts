// galley call <operation>: one JSON value in, one JSON value out.
import { call } from '../../operations/call.js';
import { cancellation } from './cancellation.js';
import { parseJson, readStdin } from './read-input.js';

export async function callCommand(operation: string): Promise<void> {
  const request = parseJson((await readStdin()) || '{}', 'The request on standard input');
  const answer = await call(operation, request, { signal: cancellation() });
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
