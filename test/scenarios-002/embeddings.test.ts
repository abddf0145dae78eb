// Retrieval with an embedding server on this machine: found by meaning while it answers, by words alone when it does not.
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { OperationContext } from '../../src/operations/operation.js';
import type { ContextAssembleResult } from '../../src/writing/context/context-result.js';
import { createEmbeddingSource } from '../../src/writing/retrieval/embedding-source.js';
import { type Desk, openDesk, project } from './desk.js';

type Answer = (input: readonly string[], response: ServerResponse) => void;

const meaning = (text: string) => (/轿车|汽车/.test(text) ? [1, 0.1] : [0.1, 1]);
const answerWell: Answer = (input, response) => {
  const data = input.map((text, index) => ({ index, embedding: meaning(text) }));
  response.end(JSON.stringify({ data }));
};
const unavailable = 'EMBEDDINGS_UNAVAILABLE: 语义检索不可用，仅按字词检索';

let desk: Desk;
let server: Server;
let answer: Answer;
let sent: string[][];
let door: Partial<OperationContext>;

beforeEach(async () => {
  desk = await openDesk();
  answer = answerWell;
  sent = [];
  server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { input } = JSON.parse(Buffer.concat(parts).toString('utf8')) as { input: string[] };
      sent.push(input);
      answer(input, response);
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const source = createEmbeddingSource({
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/embeddings`,
    model: 'small',
    batchSize: 2,
  });
  door = { embeddings: async () => source };
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
  await desk.close();
});

const texts = ['轿车停在门口。', '雨下了一夜。', '他把灯点上了。', '园子里的花开了。'];

async function putAll(change: Partial<OperationContext> = door): Promise<void> {
  for (const [index, text] of texts.entries())
    await desk.call('documents:put', { projectId: project, documentId: `章${index}`, text }, change);
}

const ask = (additionalInput = '汽车呢', change: Partial<OperationContext> = door) =>
  desk.call<ContextAssembleResult>(
    'context:assemble',
    {
      projectId: project,
      documentId: '新章',
      text: '',
      cursorPosition: 0,
      skillId: '',
      additionalInput,
      layout: 'exact',
    },
    change,
  );

describe('an embedding server', () => {
  it('finds a passage in other words, which words alone do not', async () => {
    await putAll();
    expect((await ask('汽车呢', {})).prompt).not.toContain('轿车');
    const found = await ask();
    expect(found.prompt).toContain('轿车停在门口。');
    expect(found.warnings).toEqual([]);
  });

  it('changes nothing, byte for byte, while none is named', async () => {
    await putAll({});
    const before = await ask('灯', {});
    await putAll();
    expect(sent.length).toBeGreaterThan(0);
    const { prompt, receipt } = await ask('灯', {});
    expect(prompt).toBe(before.prompt);
    expect(receipt.id).toBe(before.receipt.id);
  });

  it('is sent every text once, whoever holds it, and a question once', async () => {
    await putAll();
    await desk.call('documents:put', { projectId: project, documentId: '抄本', text: texts[0] }, door);
    await ask();
    await ask();
    expect(sent.flat().sort()).toEqual([...texts, '汽车呢'].sort());
  });

  it('is asked in batches, tells how far it is, and keeps what it had when a batch fails', async () => {
    await putAll({});
    let answered = 0;
    answer = (input, response) => {
      answered += 1;
      if (answered === 2) response.writeHead(500).end();
      else answerWell(input, response);
    };
    const steps: unknown[] = [];
    const watching = { ...door, onProgress: (step: unknown) => steps.push(step) };
    const put = () =>
      desk.call('documents:put', { projectId: project, documentId: '章0', text: texts[0] }, watching);
    await put();
    expect(steps).toEqual([{ stage: 'embeddings', done: 2, total: 4 }]);
    expect(desk.log.map(({ event }) => event)).toContain('EMBEDDINGS_UNAVAILABLE');
    await put();
    expect(steps.slice(1)).toEqual([{ stage: 'embeddings', done: 2, total: 2 }]);
    expect(sent.map(({ length }) => length)).toEqual([2, 2, 2]);
    expect(sent[2]).toEqual(sent[1]);
  });

  it('catches up in the background with what was put without it, and says that it is behind', async () => {
    await putAll({});
    const first = await ask();
    expect(first.warnings).toContain('RETRIEVAL_STALE: 语义索引正在更新');
    await vi.waitFor(
      async () => expect(await desk.store.vectors.missing(project, 'small', 1)).toEqual([]),
      10_000,
    );
    const second = await ask();
    expect(second.warnings).toEqual([]);
    expect(second.prompt).toContain('轿车停在门口。');
  });

  const failures: readonly (readonly [string, Answer])[] = [
    ['is down', (_, response) => response.destroy()],
    ['refuses', (_, response) => response.writeHead(503).end()],
    ['hangs', () => undefined],
    ['answers with another size', (_, response) => response.end('{"data":[{"index":0,"embedding":[1]}]}')],
    [
      'answers with what is no number',
      (_, response) => response.end('{"data":[{"index":0,"embedding":[NaN,1]}]}'),
    ],
    ['answers with nothing', (_, response) => response.end('{"data":[]}')],
    [
      'answers twice',
      (_, response) => response.end('{"data":[{"index":0,"embedding":[1,0]},{"index":0,"embedding":[1,0]}]}'),
    ],
  ];

  it.each(failures)(
    'that %s costs a warning and leaves what words find [assemble.degrade]',
    async (_, fail) => {
      await putAll();
      const plain = await ask('灯点上了', {});
      answer = fail;
      const degraded = await ask('灯点上了');
      expect(degraded.prompt).toBe(plain.prompt);
      expect(degraded.warnings).toEqual([unavailable]);
      answer = answerWell;
    },
  );

  it('that was too slow is not waited for again at once', async () => {
    await putAll();
    const before = sent.length;
    answer = () => undefined;
    await ask('一问');
    expect((await ask('二问')).warnings).toEqual([unavailable]);
    expect(sent.length).toBe(before + 1);
  });

  it('whose model changed is asked for everything anew', async () => {
    await putAll();
    const wider: Answer = (input, response) => {
      const data = input.map((text, index) => ({ index, embedding: [...meaning(text), 0] }));
      response.end(JSON.stringify({ data }));
    };
    answer = wider;
    expect((await ask('轿车呢')).warnings).toEqual([unavailable]);
    await desk.call('documents:put', { projectId: project, documentId: '章0', text: texts[0] }, door);
    const healed = await ask('汽车在何处');
    expect(healed.warnings).toEqual([]);
    expect(healed.prompt).toContain('轿车停在门口。');
  });
});
