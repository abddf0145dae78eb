// A client generated from what the server publishes: it compiles under the strictest settings and talks to the server.
import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import openapiTS, { astToString } from 'openapi-typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scratchFolder, scratchRepository } from '../../src/git/testing/scratch-repository.js';
import { serveForTest, type TestServer } from '../../src/surfaces/http/testing/serve-for-test.js';
import { scriptedModel } from '../../src/testing/scripted-model.js';

const program = `
import createClient from 'openapi-fetch';
import type { components, paths } from './api.js';

type Schemas = components['schemas'];

const client = createClient<paths>({ baseUrl: process.argv[2] ?? '' });
const said: string[] = [];

const turn = await client.POST('/v1/agents/assemble', {
  body: { agentType: 'claude', contextMessages: [{ from: 'Ada', content: 'Hi' }], currentMessage: 'Hello' },
});
if (turn.data !== undefined) said.push(turn.data.prompt, turn.data.receipt.used.unit);

const chunks = await client.POST('/v1/review/chunks', { body: { mode: 'commit', commit: 'HEAD' } });
for (const chunk of chunks.data?.chunks ?? []) said.push(chunk.files.join());

const run = await client.POST('/v1/review/run', { body: { mode: 'commit', commit: 'HEAD', dryRun: true, model: 'x' } });
if (run.data?.dryRun === true) said.push(String(run.data.pages[0]?.pieces[0]?.path));

const refused = await client.POST('/v1/documents/get', { body: { projectId: 'novel', documentId: 'none' } });
if (refused.error !== undefined) {
  const { code } = refused.error.error;
  const name: 'NOT_FOUND' | 'other' = code === 'NOT_FOUND' ? code : 'other';
  said.push(name);
}

// @ts-expect-error: a field that does not exist is found by the compiler
await client.POST('/v1/review/chunks', { body: { mode: 'commit', commmit: 'HEAD' } });

const events = await client.POST('/v1/review/chunks/events', {
  body: { mode: 'commit', commit: 'HEAD' },
  parseAs: 'stream',
});
let text = '';
for await (const part of events.response.body?.pipeThrough(new TextDecoderStream()) ?? []) text += part;
const last = text.trimEnd().split('\\n').at(-1) ?? '';
const result: Schemas['ReviewChunksAnswer'] = JSON.parse(last.replace('data: ', ''));
said.push(String(result.chunks.length));

console.log(JSON.stringify(said));
`;

const strictest = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  // What is generated is a source here, so that it is checked too.
  skipLibCheck: true,
  target: 'es2022',
  lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'],
  module: 'nodenext',
  types: ['node'],
};

/** What a program says, whether it ends well or not. */
const node = (args: readonly string[]) =>
  promisify(execFile)(process.execPath, args).then(
    ({ stdout }) => stdout,
    (failed: { readonly stdout: string; readonly stderr: string }) => failed.stdout + failed.stderr,
  );

const folder = scratchFolder();
const repository = join(folder, 'repository');
let server: TestServer;

beforeAll(async () => {
  mkdirSync(repository);
  const scratch = scratchRepository({ folder: repository });
  scratch.write('main.ts', 'export const one = 1;\n');
  scratch.commit('one');
  const model = async () => scriptedModel([]);
  server = await serveForTest({ roots: [repository], model });
});

afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('a client that is generated from /openapi.json', () => {
  it('compiles in the strictest mode and types what the server answers [D3]', async () => {
    const { text } = await server.get('/openapi.json');
    writeFileSync(join(folder, 'api.ts'), astToString(await openapiTS(text)));
    writeFileSync(join(folder, 'client.ts'), program);
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: strictest, files: ['client.ts'] }),
    );
    symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'));
    const tsc = join(process.cwd(), 'node_modules/typescript/bin/tsc');
    expect(await node([tsc, '-p', folder])).toBe('');
    const said = JSON.parse(await node([join(folder, 'client.js'), server.address])) as string[];
    expect(said.slice(1)).toEqual(['bytes', 'main.ts', 'main.ts', 'NOT_FOUND', '1']);
    expect(said[0]).toContain('Hello');
  });
});
