import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Command } from 'commander';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { operationIds } from '../../../operations/table.js';
import { wholeProgram } from '../program.js';
import { speak } from '../words/word.js';
import { jsonCommands, schemaCommand } from './operation-commands.js';

afterEach(async () => {
  vi.restoreAllMocks();
  await speak('en');
});

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
    for (const part of [answer.input, answer.output]) {
      expect(part.type).toBe('object');
      new Ajv2020({ strict: false }).compile(part);
    }
    // An answer says what it holds: no field of it is left open by accident.
    expect(answer.output.properties ?? answer.output.oneOf).toBeDefined();
  });

  it.each(['config', ...jsonCommands])('prints the schema of %s', async (name) => {
    const answer = JSON.parse(await schema(name));
    expect(answer.type).toBe('object');
    new Ajv2020({ strict: false }).compile(answer);
  });

  it('has one for every command that prints JSON', () => {
    const every = (command: Command, path: readonly string[]): string[] => [
      ...(command.options.some(({ long }) => long === '--json') ? [path.join(' ')] : []),
      ...command.commands.flatMap((child) => every(child, [...path, child.name()])),
    ];
    expect(every(wholeProgram(), []).sort()).toEqual(jsonCommands);
  });

  it('lists what there is', async () => {
    const { operations, commands, others } = JSON.parse(await schema(undefined, { json: true }));
    expect(operations.map(({ id }: { id: string }) => id)).toEqual([...operationIds].sort());
    expect(others).toContain('config');
    expect(commands).toContain('write status');
    const table = await schema();
    for (const id of operationIds) expect(table).toContain(id);
    await speak('zh');
    expect(await schema()).toContain('列出项目的约束');
  });

  it('knows what was meant', async () => {
    await expect(schema('agents:asemble')).rejects.toMatchObject({
      code: 'UNKNOWN_OPERATION',
      message: expect.stringContaining('"agents:assemble"'),
    });
    await expect(schema('constructor')).rejects.toMatchObject({ code: 'UNKNOWN_OPERATION' });
  });
});
