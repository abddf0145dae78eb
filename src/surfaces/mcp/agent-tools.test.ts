// What an agent meets when it connects: five tools that cost little, and answers it can read in one go.
import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type ScratchRepository, scratchRepository } from '../../git/testing/scratch-repository.js';
import { countTokens } from '../../models/contract/count-tokens.js';
import type { Grant } from '../../operations/operation.js';
import { operationIds } from '../../operations/table.js';
import { createEngine, everyGrant } from '../engine.js';
import { createMcpServer } from './create-mcp-server.js';

/** Above it a client turns a tool's answer away. */
const takenTokens = 25_000;

function scratch(): ScratchRepository {
  const repository = scratchRepository();
  onTestFinished(() => repository.dispose());
  return repository;
}

async function meet({ folder }: ScratchRepository, grants: ReadonlySet<Grant> = everyGrant) {
  const engine = createEngine({ folder, store: ':memory:', grants });
  const [near, far] = InMemoryTransport.createLinkedPair();
  const server = createMcpServer({ engine, folder, projectId: 'novel', grants });
  await server.connect(far);
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(near);
  onTestFinished(async () => {
    await client.close();
    await server.close();
    await engine.close();
  });
  const use = async (name: string, request: Record<string, unknown> = {}) => {
    const { content, isError, structuredContent } = await client.callTool({ name, arguments: request });
    // What a model reads is sent once.
    expect(structuredContent).toBeUndefined();
    expect(content).toHaveLength(1);
    const [{ text }] = content as unknown as [{ readonly text: string }];
    return { text, isError: isError ?? false };
  };
  return { client, engine, use };
}

describe('the tools of an agent', () => {
  it('are five, and their list costs at most 1,500 tokens', async () => {
    const { client } = await meet(scratch());
    const { tools } = await client.listTools();
    const names = ['review_change', 'find_code', 'chapter_context', 'explain_receipt', 'galley'];
    expect(tools.map(({ name }) => name)).toEqual(names);
    for (const { description = '' } of tools) expect(description).toMatch(/^Use |^Everything else/);
    expect(await countTokens(JSON.stringify(tools))).toBeLessThanOrEqual(1_500);
  });

  it('show the change one is working on, page by page, each small enough to be taken', async () => {
    const repository = scratch();
    repository.write('a.ts', 'export const first = 1;\n');
    repository.commit('first');
    for (let file = 0; file < 14; file += 1) {
      const lines = Array.from({ length: 200 }, (_, line) => `export const value${line} = ${file * line};`);
      repository.write(`src/part${file}.ts`, `${lines.join('\n')}\n`);
    }
    repository.git('add', '-A');
    const { use } = await meet(repository);
    const first = await use('review_change');
    const pages = Number(/Page 1 of (\d+)\./.exec(first.text)?.[1]);
    expect(pages).toBeGreaterThan(1);
    const read: string[] = [];
    for (let page = 1; page <= pages; page += 1) {
      const { text } = await use('review_change', { page });
      expect(await countTokens(text)).toBeLessThan(takenTokens);
      read.push(text);
    }
    for (let file = 0; file < 14; file += 1) expect(read.join('')).toContain(`src/part${file}.ts`);
    expect(read.at(-1)).toMatch(new RegExp(`Page ${pages} of ${pages}\\.$`));
    expect(await use('review_change', { page: pages + 1 })).toEqual({
      text: `INVALID_ARGUMENT: page: must be a whole number from 1 to ${pages}.`,
      isError: true,
    });
  });

  it('find the code for a task, and say when nothing is found', async () => {
    const repository = scratch();
    repository.write('src/session.ts', 'export function expireSession() {\n  return 1;\n}\n');
    repository.write('src/other.ts', 'export const nothing = 0;\n');
    repository.commit('both');
    const { use } = await meet(repository);
    const { text } = await use('find_code', { task: 'expireSession returns too early' });
    expect(text).toContain('src/session.ts');
    expect(text).toContain('export function expireSession()');
    expect(await use('find_code')).toEqual({ text: 'INVALID_ARGUMENT: task: is missing.', isError: true });
  });

  it('set the context of a chapter of this project, and explain its receipt', async () => {
    const { use, engine } = await meet(scratch());
    const told = (id: string, request: object) => engine.call(id, { projectId: 'novel', ...request });
    await told('documents:put', { documentId: 'ch1', text: 'The lamp went out at nine.' });
    await told('constraints:create', { kind: 'world', text: 'Nobody has a telephone.' });
    expect((await use('explain_receipt')).text).toBe('No receipt is kept here yet.');
    const { text } = await use('chapter_context', { chapter: 'ch1', wish: 'Light it again.' });
    for (const part of ['Nobody has a telephone.', 'The lamp went out at nine.', 'Light it again.'])
      expect(text).toContain(part);
    const explained = await use('explain_receipt');
    expect(explained.text).toMatch(/^context:assemble, \d{4}-/);
    expect(explained.text).not.toContain('telephone');
  });

  it('reach every other operation: listed, described, run in the project of the folder', async () => {
    const { use } = await meet(scratch());
    const listed = (await use('galley')).text.split('\n').map((line) => /^[a-z:]+(?=: )/.exec(line)?.[0]);
    // Sessions are the user's own; a door offers them only where the owner of the machine says so.
    expect(listed).toEqual(operationIds.filter((id) => !/^agents:(?:sessions|inspect|handoff)/.test(id)));
    const { text } = await use('galley', { operation: 'documents:put' });
    expect(text).toContain('"documentId"');
    expect(text).toContain('For example: ');
    const request = { documentId: 'ch1', text: 'Word. '.repeat(20_000) };
    await use('galley', { operation: 'documents:put', request });
    const first = await use('galley', { operation: 'documents:get', request: { documentId: 'ch1' } });
    expect(first.text).toContain('Page 1 of 3. Ask the same again with "page": 2 for the next.');
    const strange = await use('galley', { operation: 'documents:burn', request: {} });
    expect(strange.isError).toBe(true);
    expect(strange.text).toContain('UNKNOWN_OPERATION');
  });

  it('only look where only looking is granted', async () => {
    const { client, use } = await meet(scratch(), new Set<Grant>(['read', 'inspect']));
    const { tools } = await client.listTools();
    for (const { annotations } of tools) expect(annotations?.readOnlyHint).toBe(true);
    expect((await use('galley')).text).not.toContain('documents:put');
    const request = { documentId: 'ch1', text: 'Words.' };
    const refused = await use('galley', { operation: 'documents:put', request });
    expect(refused.isError).toBe(true);
    expect(refused.text).toContain('FORBIDDEN');
  });

  it('are no operations by their own names', async () => {
    const { client } = await meet(scratch());
    await expect(client.callTool({ name: 'documents_put', arguments: {} })).rejects.toThrow('no tool');
  });
});
