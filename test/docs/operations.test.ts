// The reference of operations is generated from their table. UPDATE_DOCS=1 writes it anew.
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { findOperation, operationIds } from '../../src/operations/table.js';

const file = 'docs/operations.md';

it('the reference of operations is the table of operations', async () => {
  const rows = await Promise.all(
    [...operationIds].sort().map(async (id) => {
      const operation = await findOperation(id);
      const errors = operation?.errors.map((code) => `\`${code}\``).join(' ');
      return `| \`${id}\` | ${operation?.summary} | ${operation?.grant} | ${errors} |`;
    }),
  );
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
  ].join('\n');
  if (process.env.UPDATE_DOCS) writeFileSync(file, text);
  expect(readFileSync(file, 'utf8')).toBe(text);
});
