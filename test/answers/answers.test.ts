// Answers at their richest, held against what their operations publish: as they are, and as JSON against JSON Schema.
import { rmSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { GalleyError } from '../../src/core/model/error.js';
import { scratchFolder } from '../../src/git/testing/scratch-repository.js';
import { type TortureRepository, tortureRepository } from '../../src/git/testing/torture-repository.js';
import { answerJsonSchema } from '../../src/operations/describe-schema.js';
import { findOperation, operationIds } from '../../src/operations/table.js';
import { shopRepository } from '../../src/review/context/testing/shop-repository.js';
import { createEngine, type EngineOptions } from '../../src/surfaces/engine.js';
import { installFakeAgent } from '../../src/testing/fake-agent/install-fake-agent.js';
import { scriptedModel } from '../../src/testing/scripted-model.js';
import { answerWith, findingOn, reviewGround } from '../review-run/review-ground.js';

const ajv = new Ajv2020({ strict: false });
const checks = new Map<string, ReturnType<typeof ajv.compile>>();

/** Both schemas take the answer, and neither changes it. */
async function expectDeclared(id: string, answer: unknown): Promise<void> {
  const operation = await findOperation(id);
  expect(operation?.output.parse(answer)).toEqual(answer);
  const json = JSON.parse(JSON.stringify(answer)) as unknown;
  const check = checks.get(id) ?? ajv.compile(answerJsonSchema(operation?.output as never));
  checks.set(id, check);
  expect([id, check(json), check.errors]).toEqual([id, true, null]);
}

/** Calls operations in a folder and looks at each answer. */
function bench(folder: string, options: Partial<EngineOptions> = {}) {
  let ids = 0;
  const engine = createEngine({
    folder,
    store: ':memory:',
    debug: true,
    newId: () => `id-${++ids}`,
    ...options,
  });
  return {
    close: () => engine.close(),
    call: async <T>(id: string, request: object): Promise<T> => {
      const answer = await engine.call(id, request);
      await expectDeclared(id, answer);
      return answer as T;
    },
  };
}

let torture: TortureRepository;
beforeAll(() => {
  torture = tortureRepository();
});
const folders: string[] = [];
afterAll(() => {
  torture.repository.dispose();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function ownFolder(): string {
  const folder = scratchFolder();
  folders.push(folder);
  return folder;
}

describe('what is published', () => {
  it.each([...operationIds])('of %s leaves nothing open that its type knows', async (id) => {
    const schema = JSON.stringify(answerJsonSchema((await findOperation(id))?.output as never));
    const open = [...schema.matchAll(/"(\w+)":\{\}/g)].map(([, name]) => name);
    // What the store keeps for others is theirs to describe.
    expect(open.filter((name) => !['value', 'additionalProperties'].includes(name ?? ''))).toEqual([]);
  });
});

describe('reviews answer what they declare', () => {
  const everything = { mode: 'commit' };

  it('on renames, copies, links, submodules, binaries and what is skipped', async () => {
    const { call, close } = bench(torture.repository.folder);
    const { entries, omitted } = await call<{ entries: { status: string }[]; omitted: object[] }>(
      'review:changes',
      everything,
    );
    expect(new Set(entries.map(({ status }) => status)).size).toBeGreaterThan(5);
    expect(omitted.length).toBeGreaterThan(0);
    await call('review:plan', everything);
    await call('review:bundles', { ...everything, maxDiffChars: 2_000 });
    const { chunks } = await call<{ chunks: { pieces: { parts: number }[] }[] }>('review:chunks', {
      ...everything,
      maxChunkTokens: 400,
    });
    expect(chunks.some(({ pieces }) => pieces.some(({ parts }) => parts > 1))).toBe(true);
    await close();
  });

  it('on code with callers, configuration and tests around it', async () => {
    const shop = shopRepository();
    const { call, close } = bench(shop.folder);
    const { bundles } = await call<{ bundles: { requests: object[]; snippets: object[] }[] }>(
      'review:bundles',
      { mode: 'commit', maxChunkTokens: 2_000 },
    );
    expect(bundles.some(({ requests }) => requests.length > 0)).toBe(true);
    expect(bundles.some(({ snippets }) => snippets.length > 0)).toBe(true);
    await call('review:plan', { mode: 'commit' });
    await close();
    shop.dispose();
  });

  it('on findings that stand, move, lose their suggestion, or stay out', async () => {
    const { call, close } = bench(torture.repository.folder);
    const suggestion = { replacement: 'better', startLine: 2, endLine: 2 };
    const said = answerWith(
      findingOn('modified.txt', { suggestion }),
      findingOn('modified.txt', { startLine: 900, endLine: 901, title: 'Elsewhere' }),
      findingOn('nowhere.ts', { severity: 'info' }),
    );
    const { report } = await call<{ report: string }>('review:report', {
      ...everything,
      answers: [said],
      format: 'json',
    });
    const again = { ...everything, answers: [said, 'no JSON'], earlier: report, minSeverity: 'low' };
    const { findings } = await call<{ findings: { standing: string }[] }>('review:report', again);
    expect(new Set(findings.map(({ standing }) => standing))).toContain('still-there');
    await close();
  });

  it('on a run with answers, failures, secrets, hidden text and a plan', async () => {
    const { repository } = reviewGround(({ write }) => {
      write('src/a.ts', `export const token = 'ghp_${'a1B2'.repeat(9)}';\n`);
      write('src/b.ts', 'export const b\u202e = 1;\n');
      const list = `export const wide = [\n${'  123456789,\n'.repeat(60)}];\n`;
      for (let file = 0; file < 4; file += 1) write(`src/wide-${file}.ts`, list);
    });
    let calls = 0;
    const model = scriptedModel([
      async () => {
        calls += 1;
        if (calls % 3 === 0) throw new GalleyError('MODEL_UNAVAILABLE', 'The model is away.');
        const usage = { inputTokens: 900, outputTokens: 50, cachedInputTokens: 10 };
        return { text: answerWith(findingOn('src/a.ts')), usage, finish: calls % 2 ? 'stop' : 'length' };
      },
    ]);
    const { call, close } = bench(repository.folder, { model: async () => model });
    const request = { mode: 'pr', base: 'main', maxChunkTokens: 400 };
    const { pages } = await call<{ pages: object[] }>('review:run', { ...request, dryRun: true });
    expect(pages.length).toBeGreaterThan(2);
    const run = await call<
      Record<'missing' | 'findings' | 'runs', unknown[]> & { receipt: Record<string, unknown[]> }
    >('review:run', request);
    expect(run.missing.length).toBeGreaterThan(0);
    expect(run.findings.length).toBeGreaterThan(0);
    expect(run.runs.length).toBeGreaterThan(0);
    for (const field of ['redactions', 'hiddenText'])
      expect([field, (run.receipt[field]?.length ?? 0) > 0]).toEqual([field, true]);
    await call('review:run', { ...request, planner: true });
    await close();
    repository.dispose();
  });
});

describe('the writing desk answers what it declares', () => {
  const project = { projectId: 'novel' };
  const scene = { ...project, documentId: 'one', cursorPosition: 1_000, skillId: 'continue' };

  it('when the prefix changes, passages are found, and room is short', async () => {
    const folder = ownFolder();
    const { call, close } = bench(folder);
    await call('entities:put', {
      ...project,
      name: 'Ada',
      aliases: ['A'],
      description: 'An engineer.',
      facts: [{ text: 'Lives on the moon.', from: 1 }],
      secrets: [{ text: 'Is a spy.', hiddenUntil: 3 }],
      relations: [{ to: 'Bo', label: 'sister' }],
    });
    for (const documentId of ['one', 'two', 'three'])
      await call('documents:put', {
        ...project,
        documentId,
        text: `Ada looked at the ${documentId} moon. `.repeat(40),
      });
    await call('context:assemble', { ...scene, layout: 'steady' });
    await call('constraints:create', { ...project, text: 'No magic.', kind: 'world', pinned: true });
    const changed = await call<{ prefixChange?: object; receiptId: string }>('context:assemble', {
      ...scene,
      layout: 'steady',
      additionalInput: 'What did Ada see?',
    });
    expect(changed.prefixChange).toBeDefined();
    const { layers } = await call<{ layers: Record<string, { items: object[] }> }>('context:inspect', scene);
    expect(layers.rules?.items.length).toBeGreaterThan(0);
    const budget = await call<object>('context:budget:get', project);
    await call('context:budget:update', { ...project, ...budget, window: 5_000, outputReserve: 1_000 });
    await call('context:assemble', scene);
    const { receipts } = await call<{ receipts: { id: string }[] }>('receipts:list', project);
    expect(receipts.length).toBeGreaterThan(2);
    const [to, from] = receipts.map(({ id }) => id);
    await call('receipts:get', { ...project, id: to });
    await call('receipts:diff', { ...project, from, to });
    await close();
  });

  it('when a skill is shown, written, judged, written again and accepted', async () => {
    const folder = ownFolder();
    const usage = { inputTokens: 100, outputTokens: 20, cachedInputTokens: 50, cacheWriteTokens: 5 };
    const model = scriptedModel([
      { text: 'It was magic!', usage },
      { text: 'It was night.', usage },
    ]);
    const { call, close } = bench(folder, { model: async () => model });
    await call('documents:put', { ...project, documentId: 'one', text: 'Ada looked at the moon.' });
    await call('constraints:create', { ...project, text: '不使用感叹号', kind: 'style' });
    await call('constraints:create', { ...project, text: 'Be brave.', kind: 'plot' });
    const asked = { ...project, documentId: 'one', skillId: 'continue' };
    await call('ai:skill:run', { ...asked, dryRun: true });
    const written = await call<{ runId: string; drafts: number; unchecked: string[] }>('ai:skill:run', asked);
    expect(written.drafts).toBe(2);
    expect(written.unchecked).toHaveLength(1);
    await call('ai:skill:accept', { ...project, runId: written.runId, text: 'It was night.' });
    const { findings } = await call<{ findings: object[] }>('constraints:judge', {
      ...project,
      text: 'Oh！',
      chapter: 2,
    });
    expect(findings).toHaveLength(1);
    const source = '---\nname: Rhyme\ndescription: Makes it rhyme.\n---\nWrite in rhymes.\n';
    await call('skills:lint', { source });
    await call('skills:put', { ...project, source });
    await call('skills:list', project);
    await call('skills:get', { ...project, skillId: 'polish' });
    await close();
  });
});

describe('an agent answers what it declares', () => {
  const turn = { agentType: 'claude', contextMessages: [], currentMessage: 'Hello' };

  it('when it is only set, with system text of its own, and when its CLI runs', async () => {
    const folder = ownFolder();
    vi.stubEnv('GALLEY_CLAUDE', installFakeAgent(folder, 'claude', 'answer').command);
    const { call, close } = bench(folder);
    try {
      await call('agents:assemble', { ...turn, systemInstruction: 'Be kind.', teamTask: 'Ship it.' });
      const { answer } = await call<{ answer: string }>('agents:run', turn);
      expect(answer).toContain('Hello');
    } finally {
      vi.unstubAllEnvs();
      await close();
    }
  });
});
