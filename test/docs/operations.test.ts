// The reference of operations is generated from their table. UPDATE_DOCS=1 writes it anew.
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { describeAnswer } from '../../src/operations/describe-schema.js';
import type { Operation } from '../../src/operations/operation.js';
import { findOperation, operationIds } from '../../src/operations/table.js';
import { answerShape, nounsOf, type Schema } from './answer-shape.js';

const file = 'docs/operations.md';

it('the reference of operations is the table of operations', async () => {
  const ids = [...operationIds].sort();
  const operations = await Promise.all(ids.map(async (id) => (await findOperation(id)) as Operation));
  const rows = operations.map(({ id, summary, grant, errors }) => {
    const codes = errors.map((code) => `\`${code}\``).join(' ');
    return `| [\`${id}\`](#${id.replaceAll(':', '')}) | ${summary} | ${grant} | ${codes} |`;
  });
  const described = operations.map(({ id, output }) => ({ id, ...describeAnswer(output) }));
  const nouns = Object.assign({}, ...described.map((one) => one.nouns)) as Record<string, Schema>;
  const section = (title: string, schema: Schema) => {
    const links = nounsOf(schema).map((name) => `[${name}](#${name.toLowerCase()})`);
    const shape = schema.$ref === undefined ? ['```ts', answerShape(schema), '```', ''] : [];
    return [`### ${title}`, '', ...shape, ...(links.length === 0 ? [] : [links.join(' · '), ''])];
  };
  const text = [
    '# Operations',
    '',
    'Each is called as `galley call <id> < request.json`. Beside its own refusals every operation may answer `INVALID_ARGUMENT`,',
    '`PAYLOAD_TOO_LARGE`, `CANCELLED`, `FORBIDDEN` and `INTERNAL`.',
    '',
    '| id | what it does | grant | may refuse with |',
    '|---|---|---|---|',
    ...rows,
    '',
    '## Answers',
    '',
    'A question mark follows a field that may be absent. `galley schema <id>` prints request and answer as JSON Schema.',
    '',
    ...described.flatMap(({ id, schema }) => section(id, schema)),
    '## What several answers hold',
    '',
    ...Object.keys(nouns)
      .sort()
      .flatMap((name) => section(name, nouns[name] ?? {})),
  ].join('\n');
  if (process.env.UPDATE_DOCS) writeFileSync(file, text);
  expect(readFileSync(file, 'utf8')).toBe(text);
});
