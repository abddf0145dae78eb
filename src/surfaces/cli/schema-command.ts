// galley schema: what operations take and give, what the configuration file may hold, what --json of our own commands prints.
import { z } from 'zod';
import type { Operation } from '../../operations/operation.js';
import { findOperation, operationIds } from '../../operations/table.js';
import { terminalWidth, textTable } from './table.js';
import { unknownOperation } from './unknown-operation.js';
import { word } from './words/word.js';

/** Beside the operations: things with a schema of their own. */
const others: Readonly<Record<string, () => Promise<unknown>>> = {
  config: async () => (await import('../../review/config/review-config.js')).reviewConfigSchema(),
  doctor: async () => z.toJSONSchema((await import('./doctor/finding.js')).doctorAnswer),
  init: async () => z.toJSONSchema((await import('./init-command.js')).initAnswer),
};

export async function schemaCommand(
  name: string | undefined,
  { json }: { readonly json?: boolean },
): Promise<void> {
  if (name === undefined) return list(json === true);
  const schema = Object.hasOwn(others, name) ? await others[name]?.() : await operationSchema(name);
  process.stdout.write(`${JSON.stringify(schema, null, 2)}\n`);
}

async function list(json: boolean): Promise<void> {
  const found = await Promise.all([...operationIds].sort().map((id) => findOperation(id)));
  const operations = found.flatMap((operation) => (operation === undefined ? [] : [operation]));
  if (json) {
    const rows = operations.map(({ id, grant, summary }) => ({ id, grant, summary }));
    process.stdout.write(`${JSON.stringify({ operations: rows, others: Object.keys(others) })}\n`);
    return;
  }
  process.stdout.write(
    textTable(
      [
        { title: word('schema.col.id') },
        { title: word('schema.col.grant') },
        { title: word('schema.col.about'), shrink: true },
      ],
      operations.map(({ id, grant, summary }) => [id, grant, summary]),
      { width: terminalWidth() },
    ),
  );
}

async function operationSchema(id: string): Promise<object> {
  const operation: (Operation & { readonly output?: unknown }) | undefined = await findOperation(id);
  if (operation === undefined) throw unknownOperation(id, [...operationIds, ...Object.keys(others)]);
  const { summary, grant, errors, input, output } = operation;
  return {
    id,
    summary,
    grant,
    errors,
    input: z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }),
    ...(output instanceof z.ZodType ? { output: z.toJSONSchema(output, { unrepresentable: 'any' }) } : {}),
  };
}
