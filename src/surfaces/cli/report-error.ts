// A refusal as the caller wants it: JSON on stdout for programs, one line on stderr for people; the exit code of the table.
import { toGalleyError } from '../../core/model/error.js';
import { errorTable } from '../../core/model/error-table.js';

export function reportError(error: unknown, { json }: { json: boolean }): void {
  const refusal = toGalleyError(error);
  if (json) process.stdout.write(`${JSON.stringify({ error: refusal })}\n`);
  else process.stderr.write(`galley: ${refusal.message} (${refusal.code})\n`);
  process.exitCode = errorTable[refusal.code].exit;
}
