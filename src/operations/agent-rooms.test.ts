// A room as whoever works in it meets it: who speaks, what each is shown, and what becomes of a turn that fails.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { thisProcess } from '../agents/process-owner.js';
import { GalleyError } from '../core/model/error.js';
import { verifyReceipt } from '../core/seal/seal.js';
import { hashText } from '../meters/content-hash.js';
import { openStore } from '../store/sqlite/open-store.js';
import type { Store } from '../store/store.js';
import { createGalley, type Galley } from '../surfaces/library/create-galley.js';
import { installFakeAgent } from '../testing/fake-agent/install-fake-agent.js';
import { type Line, type ScriptedModel, scriptedModel } from '../testing/scripted-model.js';
import type { RequestOf } from './table.js';

const folder = mkdtempSync(join(tmpdir(), 'galley-rooms-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const place = { projectId: 'shop', room: 'login' };
const max = { name: 'max', agentType: 'plain' };
const lin = { name: '小林', agentType: 'plain', systemInstruction: ['You are Lin.', '', ' Be brief. '] };
let time = 0;
let store: Store;
let model: ScriptedModel;
let galley: Galley;

beforeEach(async () => {
  time = 1_000;
  store = await openStore({ path: ':memory:', now: () => time });
});
afterEach(async () => {
  await galley.close();
  await store.close();
});

async function open(lines: readonly Line[], more: object = {}, grants?: Parameters<typeof createGalley>[0]) {
  model = scriptedModel(lines);
  galley = createGalley({ folder, store, model: async () => model, now: () => time, ...grants });
  await galley.call('agents:rooms:create', { ...place, task: 'The login', agents: [max, lin], ...more });
}
const say = (
  from: string,
  content: RequestOf<'agents:rooms:say'>['content'],
  more: Partial<RequestOf<'agents:rooms:say'>> = {},
) => galley.call('agents:rooms:say', { ...place, from, content, ...more });
const run = (agent?: string) => galley.call('agents:rooms:run', { ...place, ...(agent ? { agent } : {}) });
const get = async () => galley.call('agents:rooms:get', place);
const lines = async () =>
  (await get()).messages.map(({ number, role, from, content, notice }) =>
    [
      number,
      role === 'notice'
        ? `${notice?.kind} ${notice?.agent ?? ''} ${notice?.code ?? ''}`.trim()
        : `${from}: ${content}`,
    ].join(' '),
  );
const codeOf = async (call: Promise<unknown>) =>
  call.then(
    () => 'accepted',
    (error) => (error as GalleyError).code,
  );

describe('who speaks in a room', () => {
  it('has nothing to undo when it is a model without tools', async () => {
    await open(['Hi']);
    await say('kailai', '@max hello');
    expect((await run()).turn).toBeUndefined();
    expect((await galley.call('agents:turns', {})).turns).toEqual([]);
  });

  it('is whom the message is for, whom it mentions, or whom the caller names', async () => {
    await open(['Hi', '@小林 and you?', '好的', 'Mine']);
    await say('kailai', 'Write to someone@maxwell.com, @max, please');
    expect((await run()).message).toMatchObject({ number: 2, from: 'max', role: 'assistant', content: 'Hi' });
    await say('kailai', 'Go on', { to: 'max' });
    expect((await run()).message.from).toBe('max');
    expect((await run()).message.from).toBe('小林');
    expect(await codeOf(run())).toBe('INVALID_ARGUMENT');
    expect((await run('max')).message.content).toBe('Mine');
    expect(await codeOf(run('nobody'))).toBe('INVALID_ARGUMENT');
    await say('max', '@max 小林你好');
    expect(await codeOf(run())).toBe('INVALID_ARGUMENT');
    await say('kailai', '@小林你好');
    expect((await run()).message.from).toBe('小林');
  });

  it('is shown what was said, with task and system text of its own', async () => {
    await open(['Sessions.', 'Agreed.']);
    await say('kailai', 'Sessions or tokens?', { to: 'max' });
    await run();
    await say('kailai', 'And you?', { to: '小林' });
    const { receipt, message } = await run();
    expect(model.requests[1]?.prompt).toBe(
      'You are Lin.\nBe brief.\n\nThe login\n\nkailai: Sessions or tokens?\nmax: Sessions.\n\nAnd you?',
    );
    expect(receipt.ledger).toEqual([]);
    expect(verifyReceipt(receipt, hashText)).toBe('sealed');
    const kept = await galley.call('receipts:get', { projectId: 'shop', id: message.receipt ?? '' });
    expect(kept.seal).toBe('sealed');
    expect(kept.operation).toBe('agents:rooms:run');
    expect(JSON.stringify(kept.value)).toContain('message#1');
  });

  it('has something to answer: a task, or what was said', async () => {
    await open(['I begin.'], { task: undefined });
    await expect(run('max')).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringContaining('nothing was said in it yet'),
    });
    expect(await lines()).toEqual([]);
    const other = { ...place, room: 'other' };
    await galley.call('agents:rooms:create', { ...other, task: 'The login', agents: [max] });
    const { message } = await galley.call('agents:rooms:run', { ...other, agent: 'max' });
    expect([message.content, model.requests[0]?.prompt]).toEqual(['I begin.', 'The login']);
  });

  it('may be an agent CLI as installed here', async () => {
    const fake = installFakeAgent(folder, 'claude', 'answer');
    vi.stubEnv('PATH', `${folder}${delimiter}${process.env.PATH}`);
    await open([], { agents: [{ name: 'max', agentType: 'claude', systemInstruction: 'You are Max.' }] });
    await say('kailai', 'Say hello');
    const { message } = await run('max');
    vi.unstubAllEnvs();
    expect(message.content).toBe('Hello wörld 你好 😀');
    expect(fake.call().stdin).toContain('[TEAM_TASK]\nThe login\n\n[MESSAGE]\nSay hello');
  });

  it.each(['claude', 'gemini'] as const)(
    'is given files by reference where %s would attach them',
    async (cli) => {
      const programs = mkdtempSync(join(folder, 'bin-'));
      const fake = installFakeAgent(programs, cli, 'answer');
      for (const name of ['notes.md', 'my plan.md']) writeFileSync(join(folder, name), 'not to be sent');
      vi.stubEnv('PATH', `${programs}${delimiter}${process.env.PATH}`);
      await open([], { task: 'As in @notes.md', agents: [{ name: 'max', agentType: cli }] });
      await say('lin', '@max see @notes.md, @"my plan.md" and @none.md (@notes.md).');
      await say('kailai', [
        { type: 'text', text: 'Read @notes.md' },
        { type: 'file', path: 'b.ts' },
      ]);
      const warnings: unknown[] = [];
      await galley.call(
        'agents:rooms:run',
        { ...place, agent: 'max' },
        { onEvent: (event) => warnings.push(event) },
      );
      vi.unstubAllEnvs();
      const { stdin } = fake.call();
      expect(stdin).toContain(
        '@max see [file: notes.md], [file: my plan.md] and @none.md ([file: notes.md]).',
      );
      expect(stdin).toContain('Read [file: notes.md]\n[file: b.ts]');
      expect(stdin).not.toMatch(/@(?:notes|"my)/);
      expect(warnings).toContainEqual(expect.objectContaining({ about: 'files-by-reference' }));
      expect((await lines())[0]).toContain('@max see @notes.md, @"my plan.md"');
    },
  );
});

describe('a turn that comes to nothing', () => {
  it('leaves the room as it was and a line that says so, which nobody is shown', async () => {
    const fail: Line = async () => {
      throw new GalleyError('MODEL_REFUSED', 'No.');
    };
    const controller = new AbortController();
    const cancel: Line = async (_, { signal }) => {
      controller.abort();
      signal.throwIfAborted();
      return '';
    };
    const crash: Line = async () => {
      throw new GalleyError('MODEL_UNAVAILABLE', 'Down.');
    };
    await open([fail, cancel, crash, 'Here']);
    await say('kailai', 'Hello @max');
    expect(await codeOf(run())).toBe('MODEL_REFUSED');
    expect(await codeOf(galley.call('agents:rooms:run', place, { signal: controller.signal }))).toBe(
      'CANCELLED',
    );
    expect(await codeOf(run())).toBe('MODEL_UNAVAILABLE');
    await run();
    expect(await lines()).toEqual([
      '1 kailai: Hello @max',
      '2 refused max MODEL_REFUSED',
      '3 cancelled max',
      '4 failed max MODEL_UNAVAILABLE',
      '5 max: Here',
    ]);
    expect(new Set(model.requests.map(({ prompt }) => prompt)).size).toBe(1);
  });

  it('is taken over at once when its process died on this machine', async () => {
    await open(['Mine']);
    await say('kailai', 'Hello @max');
    const claimBy = (owner: string) =>
      store.rooms.change(place.projectId, place.room, ({ value }) => ({
        value: { ...Object(value), claim: { owner, agent: 'max', until: time + 60_000 } },
      }));
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    const [machine, , start] = thisProcess().split('.');
    await claimBy(`elsewhere.${pid}.${start}.x`);
    expect(await codeOf(run())).toBe('CONTEXT_BACKPRESSURE');
    await claimBy(`${thisProcess()}.x`);
    expect(await codeOf(run())).toBe('CONTEXT_BACKPRESSURE');
    await claimBy(`${machine}.${pid}.${start}.x`);
    expect((await get()).room.speaking).toBeUndefined();
    await run();
    expect(await lines()).toEqual(['1 kailai: Hello @max', '2 lost max', '3 max: Mine']);
  });

  it('runs out when its process died; a late answer finds the room taken', async () => {
    let release: (text: string) => void = () => undefined;
    const slow: Line = () => new Promise((resolve) => (release = resolve));
    await open([slow, 'Mine']);
    await say('kailai', 'Hello @max');
    const late = codeOf(run());
    await vi.waitUntil(() => model.requests.length === 1);
    expect((await get()).room.speaking).toBe('max');
    expect(await codeOf(run())).toBe('CONTEXT_BACKPRESSURE');
    expect(await codeOf(galley.call('agents:rooms:close', place))).toBe('CONTEXT_BACKPRESSURE');
    await say('kailai', '小林?', { to: '小林' });
    time += 60_001;
    await run();
    release('Too late');
    expect(await late).toBe('CHANGED_MEANWHILE');
    expect(await lines()).toEqual(['1 kailai: Hello @max', '2 kailai: 小林?', '3 lost max', '4 小林: Mine']);
  });
});

describe('what is said in a room', () => {
  it('is said once under one id, and not after the room was closed', async () => {
    await open([]);
    await say('kailai', 'Once', { id: 'a' });
    expect(await codeOf(say('kailai', 'Once', { id: 'a' }))).toBe('ALREADY_EXISTS');
    await galley.call('agents:rooms:close', place);
    for (const refused of [say('kailai', 'More'), run('max'), galley.call('agents:rooms:close', place)])
      expect(await codeOf(refused)).toBe('INVALID_ARGUMENT');
    expect(await lines()).toEqual(['1 kailai: Once', '2 closed']);
    expect((await galley.call('agents:rooms:list', { projectId: 'shop' })).rooms).toMatchObject([
      { room: 'login', messages: 2, closedAt: 1_000 },
    ]);
  });

  it('is not guessed at where another version wrote it', async () => {
    await open([]);
    await store.rooms.change('shop', 'login', ({ value }) => ({ value: { ...(value as object), form: 2 } }));
    expect(await codeOf(get())).toBe('STORE_TOO_NEW');
    expect(await codeOf(say('kailai', 'Hi'))).toBe('STORE_TOO_NEW');
  });

  it('survives a small budget when it is pinned, a rule, or the message to answer', async () => {
    await open(['ok'], { agents: [{ ...max, maxBytes: 120 }] });
    await say('kailai', 'Never store passwords', { role: 'system' });
    for (const n of [1, 2, 3, 4, 5, 6]) await say('kailai', `chatter number ${n}`);
    await say('kailai', 'Ports are odd', { pinned: true });
    await say('kailai', 'Answer this');
    await run('max');
    const prompt = model.requests[0]?.prompt ?? '';
    expect(Buffer.byteLength(prompt)).toBeLessThanOrEqual(120);
    for (const words of ['Never store passwords', 'Ports are odd', 'Answer this'])
      expect(prompt).toContain(words);
    expect(prompt).not.toContain('chatter number 1');
    await say('kailai', 'x'.repeat(100), { pinned: true });
    expect(await codeOf(run('max'))).toBe('CONTEXT_BUDGET_INFEASIBLE');
  });
});

describe('a summary', () => {
  const compact = (more: object) => galley.call('agents:rooms:compact', { ...place, ...more });
  const sent = async () => {
    await run('max');
    return (model.requests.at(-1)?.prompt ?? '').split('\n').filter((line) => line.includes(': '));
  };
  const talk = async () => {
    for (const n of [1, 2, 3, 4]) await say('kailai', `word ${n}`, n === 2 ? { pinned: true } : {});
    await say('kailai', 'rule', { role: 'system' });
    await say('kailai', 'now');
  };

  it('stands for its stretch, keeps rules and pins word for word, and the receipt names what it replaced', async () => {
    await open(['ok']);
    await talk();
    const { message, replaced } = await compact({
      first: 1,
      last: 5,
      text: 'Words were said.',
      from: 'kailai',
    });
    expect([message.number, replaced]).toEqual([7, 3]);
    expect(await sent()).toEqual([
      'kailai: (summary of messages 1 to 5) Words were said.',
      'kailai: word 2',
      'kailai: rule',
    ]);
    const id = (await get()).messages.at(-1)?.receipt ?? '';
    const { value } = await galley.call('receipts:get', { projectId: 'shop', id });
    const { ledger } = value as { ledger: { fragment: string; verdict: string; reason: string }[] };
    expect(ledger.filter(({ verdict }) => verdict === 'withheld')).toMatchObject(
      [1, 3, 4].map((n) => ({ fragment: `message#${n}`, reason: 'summary 7 stands for it' })),
    );
    expect((await get()).messages.map(({ replacedBy }) => replacedBy ?? 0)).toEqual([7, 0, 7, 7, 0, 0, 0, 0]);
  });

  it('can be written anew, lie in a wider one, and be taken back, which brings the messages back', async () => {
    await open(['ok']);
    await talk();
    await compact({ first: 1, last: 3, text: 'First try' });
    await compact({ first: 1, last: 3, text: 'Second try' });
    await compact({ first: 1, last: 4, text: 'All of it' });
    for (const [first, last] of [
      [2, 6],
      [2, 3],
      [9, 99],
      [5, 5],
    ])
      expect(await codeOf(compact({ first, last, text: 'x' }))).toBe('INVALID_ARGUMENT');
    expect((await sent())[0]).toContain('All of it');
    const back = () => galley.call('agents:rooms:expand', place);
    expect(await back()).toEqual({ summary: 9, first: 1, last: 4 });
    expect((await sent()).slice(0, 2)).toEqual([
      'user: (summary of messages 1 to 3) Second try',
      'kailai: word 2',
    ]);
    await back();
    expect((await sent()).slice(0, 4)).toEqual([1, 2, 3, 4].map((n) => `kailai: word ${n}`));
    expect(await codeOf(back())).toBe('INVALID_ARGUMENT');
    expect((await lines()).filter((line) => line.includes('expanded'))).toHaveLength(2);
  });

  it('is written by an agent that was shown every word of it, or by nobody', async () => {
    await open([' They spoke. ', 'ok'], { agents: [{ ...max, maxBytes: 700 }] });
    await talk();
    const { message } = await compact({ keep: 1 });
    expect(message).toMatchObject({ from: 'max', content: 'They spoke.', range: { first: 1, last: 5 } });
    for (const n of [1, 2, 3, 4]) expect(model.requests[0]?.prompt).toContain(`kailai: word ${n}`);
    await say('kailai', 'long '.repeat(100));
    expect(await codeOf(compact({ first: 6, keep: 0 }))).toBe('CONTEXT_BUDGET_INFEASIBLE');
    expect((await get()).room.summaries).toHaveLength(1);
  });

  it('is not written by a model for whoever may not ask one', async () => {
    await open(['ok'], {}, { grants: new Set(['read', 'write'] as const) });
    await talk();
    expect(await codeOf(compact({ keep: 1 }))).toBe('FORBIDDEN');
    expect((await compact({ keep: 1, text: 'By hand' })).replaced).toBe(3);
  });
});
