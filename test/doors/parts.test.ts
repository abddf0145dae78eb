// A change whose answer is too much for one message, through the doors: in parts, the same everywhere, and small enough for a model.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ScratchRepository, scratchRepository } from '../../src/git/testing/scratch-repository.js';
import type { AnswerOf } from '../../src/operations/table.js';
import { createEngine, type OpenEngine } from '../../src/surfaces/engine.js';
import { createMcpServer } from '../../src/surfaces/mcp/create-mcp-server.js';

type Chunks = AnswerOf<'review:chunks'>;

const change = { mode: 'commit', commit: 'HEAD' };
let repository: ScratchRepository;
let engine: OpenEngine;

beforeAll(() => {
  repository = scratchRepository();
  for (let file = 0; file < 120; file += 1) {
    const lines = Array.from(
      { length: 60 },
      (_, line) => `export const value${file}_${line} = ${line * file};`,
    );
    repository.write(`src/file-${file}.ts`, `${lines.join('\n')}\n`);
  }
  repository.commit('many');
  engine = createEngine({ folder: repository.folder, store: ':memory:' });
});
afterAll(async () => {
  await engine.close();
  repository.dispose();
});

async function parts(call: (part: number) => Promise<Chunks>): Promise<Chunks[]> {
  const taken = [await call(1)];
  for (let next = taken[0]?.part?.next; next !== undefined; next = taken.at(-1)?.part?.next)
    taken.push(await call(next));
  return taken;
}

const shell = (words: readonly string[], input = '') =>
  spawnSync(process.execPath, [join(process.cwd(), 'bin/galley.js'), ...words], {
    ...{ cwd: repository.folder, input, encoding: 'utf8', maxBuffer: 2 ** 28 },
    env: { PATH: process.env.PATH, HOME: repository.folder },
  }).stdout;

describe('a large answer', () => {
  it('can be taken in parts that are together the whole [D10]', async () => {
    const request = { ...change, maxChunkTokens: 8000 };
    const whole = (await engine.call('review:chunks', request)) as Chunks;
    const taken = await parts(
      (part) => engine.call('review:chunks', { ...request, part, partBytes: 60_000 }) as Promise<Chunks>,
    );
    expect(taken.length).toBeGreaterThan(3);
    expect(taken.flatMap(({ chunks }) => chunks)).toEqual(whole.chunks);
    expect(taken.flatMap(({ receipt }) => receipt.ledger)).toEqual(whole.receipt.ledger);
    expect(new Set(taken.map(({ part }) => part?.digest)).size).toBe(1);
    expect(whole).not.toHaveProperty('part');
  });

  it('reaches a model in parts it can take, each saying how to ask for the next [D10]', async () => {
    const [near, far] = InMemoryTransport.createLinkedPair();
    const server = createMcpServer({
      ...{ engine, folder: repository.folder, projectId: 'novel', everyOperation: true },
    });
    await server.connect(far);
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(near);
    const notes: string[] = [];
    const taken = await parts(async (part) => {
      const asked = part === 1 ? change : { ...change, part };
      const { content } = await client.callTool({ name: 'review_chunks', arguments: asked });
      const [text = '', note = ''] = content.map((block) => (block.type === 'text' ? block.text : ''));
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(50_500);
      notes.push(note);
      return JSON.parse(text) as Chunks;
    });
    await client.close();
    expect(notes[0]).toBe(
      `This is part 1 of ${taken.length}. For the next, call review_chunks with the same arguments and "part": 2.`,
    );
    expect(notes.at(-1)).toBe('');
    expect(new Set(taken.flatMap(({ chunks }) => chunks.flatMap(({ files }) => files))).size).toBe(120);
  });

  it('leaves the shell in the same bytes, whole or in parts [D10]', async () => {
    const whole = JSON.stringify(await engine.call('review:chunks', { ...change, redact: true }));
    expect(shell(['review', '--commit', 'HEAD', '--json', '--context', 'none'])).toBe(`${whole}\n`);
    const asked = { ...change, redact: true, part: 2, partBytes: 100_000 };
    const part = JSON.stringify(await engine.call('review:chunks', asked));
    expect(shell(['call', 'review:chunks'], JSON.stringify(asked))).toBe(`${part}\n`);
  });

  it('of a review by a model is not paid for twice [D10]', async () => {
    const again = engine.call('review:run', { ...change, fresh: true, part: 2 });
    await expect(again).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', details: { field: 'fresh' } });
  });
});
