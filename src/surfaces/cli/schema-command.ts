// galley schema: what operations take and give, what the configuration file may hold, what --json of our own commands prints.
import { answerSchema, requestSchema } from '../../operations/published-schema.js';
import { findOperation, operationIds } from '../../operations/table.js';
import { jsonAnswer, jsonCommands } from './json-answer.js';
import { terminalWidth, textTable } from './table.js';
import { unknownOperation } from './unknown-operation.js';
import { factWords, word } from './words/word.js';

const dialect = 'https://json-schema.org/draft/2020-12/schema';

/** Neither operations nor commands, but with a schema of their own. */
const others: Readonly<Record<string, () => Promise<unknown>>> = {
  config: async () => (await import('../../review/change/review-config.js')).reviewConfigSchema(),
};

export async function schemaCommand(
  name: string | undefined,
  { json }: { readonly json?: boolean },
): Promise<void> {
  if (name === undefined) return list(json === true);
  const schema = Object.hasOwn(others, name) ? await others[name]?.() : await schemaOf(name);
  process.stdout.write(`${JSON.stringify(schema, null, 2)}\n`);
}

async function list(json: boolean): Promise<void> {
  const found = await Promise.all([...operationIds].sort().map((id) => findOperation(id)));
  const operations = found.flatMap((operation) => (operation === undefined ? [] : [operation]));
  if (json) {
    const rows = operations.map(({ id, grant, summary }) => ({ id, grant, summary }));
    process.stdout.write(
      `${JSON.stringify({ operations: rows, commands: jsonCommands, others: Object.keys(others) })}\n`,
    );
    return;
  }
  process.stdout.write(
    textTable(
      [
        { title: word('schema.col.id') },
        { title: word('schema.col.grant') },
        { title: word('schema.col.about'), shrink: true },
      ],
      operations.map(({ id, grant, summary }) => [id, grant, factWords(`operation.${id}`, summary)]),
      { width: terminalWidth() },
    ),
  );
}

async function schemaOf(name: string): Promise<object> {
  const printed = await jsonAnswer(name);
  if (printed !== undefined) return { $schema: dialect, ...answerSchema(printed) };
  const operation = await findOperation(name);
  if (operation === undefined)
    throw unknownOperation(name, [...operationIds, ...jsonCommands, ...Object.keys(others)]);
  const { id, summary, grant, errors, input, output } = operation;
  return {
    id,
    summary,
    grant,
    errors,
    input: { $schema: dialect, ...requestSchema(input) },
    output: { $schema: dialect, ...answerSchema(output) },
  };
}
