import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { operationIds } from '../../operations/table.js';
import { schemaCommand } from './schema-command.js';

afterEach(() => vi.restoreAllMocks());

async function schema(name?: string, options = {}): Promise<string> {
  let text = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((part) => {
    text += String(part);
    return true;
  });
  await schemaCommand(name, options);
  return text;
}

describe('galley schema', () => {
  it.each([...operationIds])('prints a schema of %s that a validator takes', async (id) => {
    const answer = JSON.parse(await schema(id));
    expect(answer).toMatchObject({ id, grant: expect.any(String), errors: expect.any(Array) });
    expect(answer.input.type).toBe('object');
    new Ajv2020({ strict: false }).compile(answer.input);
  });

  it.each(['config', 'doctor', 'init'])('prints the schema of %s', async (name) => {
    const answer = JSON.parse(await schema(name));
    expect(answer.type).toBe('object');
    new Ajv2020({ strict: false }).compile(answer);
  });

  it('lists what there is', async () => {
    const { operations, others } = JSON.parse(await schema(undefined, { json: true }));
    expect(operations.map(({ id }: { id: string }) => id)).toEqual([...operationIds].sort());
    expect(others).toContain('config');
    const table = await schema();
    for (const id of operationIds) expect(table).toContain(id);
  });

  it('knows what was meant', async () => {
    await expect(schema('agents:asemble')).rejects.toMatchObject({
      code: 'UNKNOWN_OPERATION',
      message: expect.stringContaining('"agents:assemble"'),
    });
    await expect(schema('constructor')).rejects.toMatchObject({ code: 'UNKNOWN_OPERATION' });
  });
});
