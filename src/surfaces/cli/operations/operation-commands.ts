// The operations from a shell: galley call runs one, with one JSON value in and one out; galley schema prints what operations take
// and give, what the configuration file may hold, and what --json of the other commands prints.

import * as z from 'zod';
import { GalleyError } from '../../../core/model/error.js';
import { answerJsonSchema, requestSchema } from '../../../operations/describe-schema.js';
import { findOperation, type OperationId, operationIds } from '../../../operations/table.js';
import type { CommandRow } from '../commands/command-row.js';
import { type CommandPath, commandPaths, commands } from '../commands/commands.js';
import { runOperation } from '../shell/local-context.js';
import { didYouMean, parseJson, readStdin } from '../shell/read-input.js';
import { writeJson } from '../terminal/json-output.js';
import { terminalWidth, textTable } from '../terminal/table.js';
import { factWords, word } from '../words/word.js';

export async function callCommand(operation: string, options: { store?: string }): Promise<void> {
  if (!operationIds.includes(operation)) throw unknownOperation(operation, operationIds);
  const request = parseJson((await readStdin()) || '{}', 'The request on standard input');
  const answer = await runOperation(operation as OperationId, request, options);
  await writeJson(answer);
}

const dialect = 'https://json-schema.org/draft/2020-12/schema';

/** Neither operations nor commands, but with a schema of their own. */
const others: Readonly<Record<string, () => Promise<unknown>>> = {
  config: async () => (await import('../../../review/change/review-config.js')).reviewConfigSchema(),
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
  if (printed !== undefined) return { $schema: dialect, ...answerJsonSchema(printed) };
  const operation = await findOperation(name);
  if (operation === undefined)
    throw unknownOperation(name, [...operationIds, ...jsonCommands, ...Object.keys(others)]);
  const { id, summary, grant, errors, example, input, output } = operation;
  return {
    id,
    summary,
    grant,
    errors,
    example,
    input: { $schema: dialect, ...requestSchema(input) },
    output: { $schema: dialect, ...answerJsonSchema(output) },
  };
}

const answers = () => import('./own-answers.js');

/** What --json of each command prints where it is not the answer of one operation. */
const ownAnswers: Readonly<Record<string, () => Promise<z.ZodType>>> = {
  call: async () => (await answers()).callAnswer,
  completion: async () => (await answers()).completionAnswer,
  doctor: async () => (await import('../doctor/finding.js')).doctorAnswer,
  init: async () => (await import('../init/init-command.js')).initAnswer,
  'mcp install': async () => (await answers()).installAnswer,
  receipts: async () =>
    z.union([await outputOf('receipts:list'), (await outputOf('receipts:get')).describe('with an id')]),
  review: async () =>
    z.union([
      await outputOf('review:chunks'),
      (await answers()).writtenPages.describe('with --out'),
      (await outputOf('review:run')).describe('with a model, or with --dry-run'),
    ]),
  schema: async () => (await answers()).schemaAnswer,
  store: async () => (await answers()).comparedStores,
  'store check': async () => (await answers()).comparedStores,
  'store copy': async () => (await answers()).comparedStores,
  'store migrate': async () => (await answers()).migratedStore,
  token: async () => (await answers()).tokenList,
  'token change': async () => (await answers()).tokenAnswer,
  'token create': async () => (await answers()).madeToken,
  'token list': async () => (await answers()).tokenList,
  'token revoke': async () => (await answers()).tokenAnswer,
  'token show': async () => (await answers()).tokenAnswer,
  write: async () => (await answers()).projectStatus,
  'write index': async () => (await answers()).followedFolder,
  'write init': async () => (await answers()).madeProject,
  'write status': async () => (await answers()).projectStatus,
};

/** By the words one types, without the program's name. */
export const jsonCommands: readonly string[] = commandPaths
  .filter((path) => rowOf(path).flags.some(({ form }) => form === '--json'))
  .sort();

export async function jsonAnswer(command: string): Promise<z.ZodType | undefined> {
  if (Object.hasOwn(ownAnswers, command)) return ownAnswers[command]?.();
  const { operation } = Object.hasOwn(commands, command) ? rowOf(command as CommandPath) : {};
  return operation === undefined ? undefined : outputOf(operation);
}

function rowOf(path: CommandPath): CommandRow {
  return commands[path];
}

async function outputOf(id: string): Promise<z.ZodType> {
  return (await findOperation(id))?.output ?? z.unknown();
}

function unknownOperation(id: string, known: readonly string[]): GalleyError {
  return new GalleyError('UNKNOWN_OPERATION', `There is no operation of that name${didYouMean(id, known)}`);
}
