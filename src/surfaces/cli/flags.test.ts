import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { findOperation } from '../../operations/table.js';
import { contextLevels as levels } from '../../review/plan/context-need.js';
import {
  constraintKinds,
  contextLevelChoices,
  failLevels,
  inclusions,
  memoryKinds,
  permissionChoices,
  promptLanguages,
  reportFormatChoices,
  severityChoices,
  trims,
} from './commands/command-row.js';
import { didYouMean, wholeNumber } from './shell/read-input.js';

async function allowed(id: string, field: string): Promise<unknown> {
  const operation = await findOperation(id);
  const schema = z.toJSONSchema(operation?.input ?? z.never(), { io: 'input', unrepresentable: 'any' });
  const { enum: values } = (schema.properties?.[field] ?? {}) as { enum?: unknown };
  return values;
}

describe('the values of a flag', () => {
  it.each([
    ['review:report', 'format', reportFormatChoices],
    ['review:report', 'minSeverity', severityChoices],
    ['review:report', 'failLevel', failLevels],
    ['agents:assemble', 'trim', trims],
    ['agents:run', 'may', permissionChoices],
    ['constraints:create', 'kind', constraintKinds],
    ['entities:put', 'inclusion', inclusions],
    ['memory:put', 'kind', memoryKinds],
    ['context:assemble', 'language', promptLanguages],
    ['ai:skill:run', 'language', promptLanguages],
  ])('are those of %s %s', async (id, field, choices) => {
    expect(await allowed(id, field)).toEqual([...choices]);
  });

  it('are the levels of a plan', () => {
    expect(contextLevelChoices).toEqual(levels);
  });
});

describe('a whole number', () => {
  it.each([
    ['42', 0, 42],
    ['32_000', 1, 32_000],
    ['-3', undefined, -3],
    ['0', 0, 0],
  ])('%s from %s on is read', (text, least, value) => {
    expect(wholeNumber(text, '--n', least)).toBe(value);
  });

  it.each([
    ['', 0],
    ['many', 0],
    ['1.5', 0],
    ['1e3', 0],
    ['0x10', 0],
    ['-1', 0],
    ['0', 1],
    ['9'.repeat(20), 0],
  ])('%j from %s on is refused by the name of its flag', (text, least) => {
    expect(() => wholeNumber(text, '--n', least)).toThrowError(
      expect.objectContaining({ code: 'INVALID_ARGUMENT', message: expect.stringMatching(/^--n: /) }),
    );
  });
});

describe('what was meant', () => {
  const known = ['agents:assemble', 'agents:run', 'o200k_base', 'sarif'];
  it.each([
    ['agents:asemble', '; did you mean "agents:assemble"?'],
    ['SARIFF', '; did you mean "sarif"?'],
    ['o200k', '; did you mean "o200k_base"?'],
    ['o2', '.'],
    ['', '.'],
    ['something else', '.'],
  ])('%j ends with %s', (value, ending) => {
    expect(didYouMean(value, known)).toBe(ending);
  });
});
