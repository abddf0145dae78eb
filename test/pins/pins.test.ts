// Literal values that outsiders rely on. A change here is a decision, not a refactoring.
import { describe, expect, it } from 'vitest';
import { agentRecipe } from '../../src/agents/assemble-turn.js';
import { agentTypes, defaultMaxBytes } from '../../src/agents/assembler-input.js';
import { errorTable } from '../../src/core/model/error.js';
import { galleyVersion } from '../../src/core/model/version.js';
import * as publicDoor from '../../src/index.js';
import { findOperation, operationIds } from '../../src/operations/table.js';

describe('pins', () => {
  it('the version is the one of the package', async () => {
    const { readFileSync } = await import('node:fs');
    expect(galleyVersion).toBe(JSON.parse(readFileSync('package.json', 'utf8')).version);
  });

  it('error codes, with HTTP status, JSON-RPC number and exit code', () => {
    const rows = Object.entries(errorTable).map(([code, { http, jsonRpc, exit, retryable }]) => [
      code,
      http,
      jsonRpc,
      exit,
      retryable,
    ]);
    expect(rows).toMatchSnapshot();
    const numbers = rows.map(([, , jsonRpc]) => jsonRpc);
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  it('agent types, default budget and order of giving way', () => {
    expect(agentTypes).toEqual(['claude-code', 'openai-codex', 'google-gemini', 'unknown']);
    expect(defaultMaxBytes).toBe(786_432);
    const { layers, sections } = agentRecipe('system');
    expect(layers.map(({ id, keep, yieldOrder }) => [id, keep, yieldOrder])).toEqual([
      ['system', 'all', undefined],
      ['task', 'all', undefined],
      ['code', 'level-then-rank', 1],
      ['context', 'newest', 2],
      ['message', 'head', 3],
    ]);
    expect(sections.map(({ id }) => id)).toEqual(['system', 'task', 'context', 'code', 'message']);
  });

  it('names of the public door', () => {
    expect(Object.keys(publicDoor).sort()).toMatchSnapshot();
  });

  it('operation ids, grants and declared refusals', async () => {
    const rows = await Promise.all(
      [...operationIds].sort().map(async (id) => {
        const operation = await findOperation(id);
        expect(operation?.id).toBe(id);
        return [id, operation?.grant, ...(operation?.errors ?? [])];
      }),
    );
    expect(rows).toMatchSnapshot();
  });
});
