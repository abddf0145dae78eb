// The server as clients meet it: the real binary as a child process, the official client, both revisions of the protocol.
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { Client, type Progress } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, describe, expect, it } from 'vitest';
import { scratchRepository } from '../../git/testing/scratch-repository.js';
import { findOperation, operationIds } from '../../operations/table.js';
import { installFakeAgent, livingProcesses } from '../../testing/fake-agent/install-fake-agent.js';

const bin = join(process.cwd(), 'bin/galley.js');
const root = realpathSync(mkdtempSync(join(tmpdir(), 'galley-mcp-')));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const modes = [
  ['of 2025', 'legacy'],
  ['of 2026', { pin: '2026-07-28' }],
] as const;
type Mode = (typeof modes)[number][1];

let count = 0;
function freshFolder(): string {
  count += 1;
  const folder = join(root, `folder-${count}`);
  mkdirSync(folder);
  return folder;
}

interface Meeting {
  readonly folder: string;
  readonly mode?: Mode;
  readonly args?: readonly string[];
}

async function connect({ folder, mode = 'legacy', args = ['--all'] }: Meeting) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [bin, 'mcp', ...args],
    cwd: folder,
    env: { PATH: `${folder}${delimiter}${process.env.PATH}`, HOME: folder },
    stderr: 'pipe',
  });
  let stderr = '';
  transport.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  const strays: Error[] = [];
  client.onerror = (error) => strays.push(error);
  await client.connect(transport);
  return { client, strays, stderr: () => stderr };
}

const answerOf = (result: unknown) =>
  JSON.parse((result as { content: [{ text: string }] }).content[0].text) as Record<string, unknown>;

/** Sessions of agents are read from the shell alone, unless the owner of the server allows it. */
const offered = operationIds.filter((id) => !/^agents:(?:sessions:|inspect|handoff)/.test(id));

describe.concurrent.each(modes)('galley mcp for a client %s', (_, mode) => {
  it('offers every operation as a tool with its schema and its hints', async () => {
    const { client } = await connect({ folder: freshFolder(), mode });
    const { tools } = await client.listTools();
    expect(tools.map(({ title }) => title)).toEqual(offered);
    for (const { name, title = '', inputSchema, annotations, description } of tools) {
      const operation = await findOperation(title);
      expect(name).toBe(title.replaceAll(':', '_'));
      expect(name).toMatch(/^[a-z][a-z0-9_-]{0,63}$/i);
      expect(description).toBe(operation?.summary);
      expect(inputSchema.type).toBe('object');
      expect(annotations?.readOnlyHint).toBe(operation?.grant === 'read');
      expect(annotations?.destructiveHint).toBe(operation?.grant !== 'read');
    }
    await client.close();
  });

  it('answers a call, and refuses in words a model can read', async () => {
    const { client, strays, stderr } = await connect({ folder: freshFolder(), mode });
    const turn = { agentType: 'claude', contextMessages: [], currentMessage: 'Hello' };
    const good = await client.callTool({ name: 'agents_assemble', arguments: turn });
    expect(good.isError ?? false).toBe(false);
    expect(answerOf(good)).toMatchObject({ prompt: '[MESSAGE]\nHello', receipt: { version: 2 } });
    expect(good.structuredContent).toEqual(answerOf(good));

    const bad = await client.callTool({ name: 'agents_assemble', arguments: { ...turn, maxBytes: -1 } });
    expect(bad.isError).toBe(true);
    expect(answerOf(bad)).toMatchObject({
      error: { code: 'INVALID_ARGUMENT', details: { field: 'maxBytes' } },
    });
    const absent = await client.callTool({ name: 'receipts_get', arguments: { projectId: 'p', id: 'x' } });
    expect(answerOf(absent)).toMatchObject({ error: { code: 'NOT_FOUND' } });
    await expect(client.callTool({ name: 'no_such_tool', arguments: {} })).rejects.toMatchObject({
      code: -32601,
      data: { code: 'UNKNOWN_OPERATION' },
    });
    await client.close();
    expect(strays).toEqual([]);
    expect(stderr()).toBe('');
  });

  it('shows receipts, skills and constraints as resources, and refuses names that are paths', async () => {
    const { client } = await connect({ folder: freshFolder(), mode, args: ['--all', '--project', 'novel'] });
    const call = (name: string, request: object) => client.callTool({ name, arguments: { ...request } });
    await call('constraints_create', { projectId: 'novel', id: 'c1', text: 'No magic.', kind: 'world' });
    await call('documents_put', { projectId: 'novel', documentId: 'one', text: 'It was night.' });
    const asked = { projectId: 'novel', documentId: 'one', cursorPosition: 3, skillId: 'continue' };
    await call('context_assemble', asked);

    const { resources } = await client.listResources();
    const kinds = new Set(resources.map(({ uri }) => uri.split('/')[2]));
    expect(kinds).toEqual(new Set(['constraints', 'skills', 'receipts']));
    for (const { uri } of resources) {
      const { contents } = await client.readResource({ uri });
      expect(contents).toMatchObject([{ uri, mimeType: 'application/json' }]);
    }
    const { contents } = await client.readResource({ uri: 'galley://constraints/novel' });
    expect(JSON.parse((contents[0] as { text: string }).text)).toMatchObject({ constraints: [{ id: 'c1' }] });
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toContain(
      'galley://receipts/{projectId}/{id}',
    );

    for (const uri of [
      'galley://receipts/novel/..%2F..%2Fetc%2Fpasswd',
      'galley://skills/../../etc/passwd',
      'galley://skills/novel/..',
      'galley://skills/novel/a%5C..%5Cb',
      'galley://constraints/%00',
      'galley://receipts/novel/%zz',
    ]) {
      await expect(client.readResource({ uri }), uri).rejects.toMatchObject({
        code: -32602,
        data: { code: 'INVALID_ARGUMENT' },
      });
    }
    for (const uri of ['galley://receipts/novel/none', 'galley://secrets/novel', 'file:///etc/passwd']) {
      await expect(client.readResource({ uri }), uri).rejects.toMatchObject({ code: -32602, data: { uri } });
    }
    await client.close();
  });

  it('gives the skills as prompts, set for a document', async () => {
    const { client } = await connect({ folder: freshFolder(), mode, args: ['--all', '--project', 'novel'] });
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['review_change', 'continue', 'polish']),
    );
    const asked = { documentId: 'one', text: 'It was night on the moon.' };
    const promptIn = async (language: string) => {
      const { messages } = await client.getPrompt({ name: 'continue', arguments: { ...asked, language } });
      return messages.map(({ content }) => (content as { text: string }).text).join('\n');
    };
    expect(await promptIn('zh')).toMatch(/on the moon[\s\S]*当前任务/);
    expect(await promptIn('en')).toMatch(/on the moon[\s\S]*Your task/);
    await expect(client.getPrompt({ name: 'nothing', arguments: asked })).rejects.toMatchObject({
      code: -32013,
      data: { code: 'NOT_FOUND' },
    });
    await expect(client.getPrompt({ name: 'continue', arguments: {} })).rejects.toMatchObject({
      code: -32602,
    });
    await client.close();
  });

  it('says what an agent says as progress, and ends it when the call is cancelled', async () => {
    const folder = freshFolder();
    const fake = installFakeAgent(folder, 'claude', 'begin-hang');
    const { client } = await connect({ folder, mode });
    const heard: Progress[] = [];
    const cancel = new AbortController();
    const request = { agentType: 'claude', contextMessages: [], currentMessage: 'Hi' };
    const running = client.callTool(
      { name: 'agents_run', arguments: request },
      {
        signal: cancel.signal,
        onprogress: (progress) => {
          heard.push(progress);
          if (progress.message?.startsWith('Hel')) cancel.abort();
        },
      },
    );
    await expect(running).rejects.toThrow();
    expect(heard[0]?.message).toContain('may only read');
    expect(heard.at(-1)?.message).toMatch(/^Hel/);
    await expect.poll(() => livingProcesses(fake.call().pid), { timeout: 20_000 }).toEqual([]);
    // The server goes on.
    expect((await client.listTools()).tools.length).toBe(offered.length);
    await client.close();
  });
});

describe.concurrent('galley mcp', () => {
  it('says what an agent does as progress, and what it was refused in the answer', async () => {
    const folder = freshFolder();
    installFakeAgent(folder, 'claude', 'tools');
    const { client } = await connect({ folder });
    const heard: (string | undefined)[] = [];
    const request = { agentType: 'claude', contextMessages: [], currentMessage: 'Hi' };
    const result = await client.callTool(
      { name: 'agents_run', arguments: request },
      { onprogress: ({ message }) => heard.push(message) },
    );
    expect(answerOf(result)).toMatchObject({ refusals: [{ tool: 'Write', target: 'refused.txt' }] });
    expect(heard).toEqual(
      expect.arrayContaining(['Write refused.txt', 'refused: Write refused.txt', 'created: later.txt']),
    );
    expect(heard.join('\n')).not.toContain(folder);
    await client.close();
  });

  it('sets the current change for a reviewer as a prompt', async () => {
    const folder = freshFolder();
    const repository = scratchRepository({ folder });
    repository.write('a.ts', 'export const a = 1;\n');
    repository.commit('one');
    repository.write('a.ts', 'export const a = 2;\n');
    const { client } = await connect({ folder: freshFolder(), args: ['--all', '--folder', folder] });
    const text = async (given: Record<string, string>) => {
      const { messages } = await client.getPrompt({ name: 'review_change', arguments: given });
      return messages.map(({ content }) => (content as { text: string }).text).join('\n');
    };
    expect(await text({})).toContain('+export const a = 2;');
    expect(await text({ commit: 'HEAD' })).toContain('+export const a = 1;');
    expect(await text({ mode: 'staged' })).toBe('There is nothing to review.');
    await expect(text({ page: '2' })).rejects.toMatchObject({ code: -32602 });
    await expect(text({ base: 'nowhere' })).rejects.toMatchObject({ data: { code: 'REVISION_NOT_FOUND' } });
    await client.close();
  });

  it('makes no file in the folder until something is stored', async () => {
    const folder = freshFolder();
    const { client } = await connect({ folder });
    await client.listTools();
    await client.listResources();
    await client.listPrompts();
    await client.readResource({ uri: 'galley://skills/any/polish' });
    expect(readdirSync(folder)).toEqual([]);
    const rule = { projectId: 'p', text: 'No magic.', kind: 'world' };
    await client.callTool({ name: 'constraints_create', arguments: rule });
    expect(readdirSync(folder)).toEqual(['.galley']);
    await client.close();
  });

  it('offers the families that were asked for, and no others', async () => {
    const { client } = await connect({ folder: freshFolder(), args: ['--only', 'review', 'agents'] });
    const { tools } = await client.listTools();
    expect(new Set(tools.map(({ name }) => name.split('_')[0]))).toEqual(new Set(['review', 'agents']));
    await expect(client.callTool({ name: 'skills_list', arguments: {} })).rejects.toMatchObject({
      code: -32601,
    });
    await client.close();
    await expect(connect({ folder: freshFolder(), args: ['--only', 'everything'] })).rejects.toThrow();
  });

  it('offers nothing that writes or runs when it is read-only, and refuses it', async () => {
    const { client } = await connect({ folder: freshFolder(), args: ['--all', '--read-only'] });
    const { tools } = await client.listTools();
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true);
    const rule = { projectId: 'p', text: 'No magic.', kind: 'world' };
    const refused = await client.callTool({ name: 'constraints_create', arguments: rule });
    expect(answerOf(refused)).toMatchObject({ error: { code: 'FORBIDDEN' } });
    await client.close();
  });
});
