import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeTools } from './describe-tools.js';
import { prebuiltTools } from './tools.js';

it('are what the operations say today', async () => {
  const ready: unknown = JSON.parse(readFileSync(join(process.cwd(), 'dist/tools.json'), 'utf8'));
  expect(ready).toEqual(JSON.parse(JSON.stringify(await describeTools())));
});

it('are not there in a checkout that was not built', () => {
  expect(prebuiltTools()).toBeUndefined();
});
