// Runs one operation from the shell and leaves nothing open behind it.
import { call } from '../../operations/call.js';
import { localContext } from './local-context.js';

export async function runOperation(
  id: string,
  request: unknown,
  options: { store?: string } = {},
): Promise<unknown> {
  const context = localContext(options);
  try {
    return await call(id, request, context);
  } finally {
    await context.close();
  }
}
