// A session handed over: what the other agent is told, and what it is not.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { scratchFolder, scratchRepository } from '../../git/testing/scratch-repository.js';
import { builtInCatalog } from '../../models/catalog/catalog.js';
import type { AgentCliName } from '../../models/cli/agent-cli.js';
import { sessionHomes } from '../sessions/session-homes.js';
import { handOver } from './hand-over.js';
import { readTheFile } from './handed-over.js';

const home = scratchFolder();
const repository = scratchRepository({ folder: join(home, 'rates') });
const homes = sessionHomes({}, home);
const secret = ['ghp', '0123456789abcdefABCDEF0123456789abcd'].join('_');
const id = '01a1e55f-aef2-70e3-bf6d-5f48d336fa09';
repository.write('notes.md', 'The function is called convert.\n');
repository.commit('one');
repository.write('notes.md', `The function is called exchange.\ntoken: ${secret}\n`);
afterAll(() => rmSync(home, { recursive: true, force: true }));

const fixture = (name: string) =>
  readFileSync(new URL(`../sessions/fixtures/${name}.jsonl`, import.meta.url), 'utf8').replaceAll(
    '/home/ada/rates',
    repository.folder,
  );
const places: Readonly<Record<AgentCliName, string>> = {
  claude: join(homes.claude, 'projects', repository.folder.replace(/[^A-Za-z0-9]/g, '-'), `${id}.jsonl`),
  codex: join(homes.codex, `sessions/2026/11/16/rollout-2026-11-16T17-20-15-${id}.jsonl`),
  gemini: join(homes.gemini, 'tmp/rates/chats/session-2026-11-16T17-20-01a1e55f.jsonl'),
};
const put = (cli: AgentCliName, text: string) => {
  mkdirSync(join(places[cli], '..'), { recursive: true });
  writeFileSync(places[cli], text);
};
mkdirSync(homes.gemini, { recursive: true });
writeFileSync(
  join(homes.gemini, 'projects.json'),
  JSON.stringify({ projects: { [repository.folder]: 'rates' } }),
);
for (const cli of ['claude', 'codex', 'gemini'] as const) put(cli, fixture(cli));

const hand = (cli: AgentCliName, more: { budget?: number; message?: string } = {}) =>
  handOver({ homes, folder: repository.folder, session: cli, to: 'codex', catalog: builtInCatalog, ...more });

describe('what the next agent is told', () => {
  it.each(['claude', 'codex', 'gemini'] as const)('of a session of %s', async (cli) => {
    const { prompt, counts, left, from } = await hand(cli);
    expect(from.cli).toBe(cli);
    for (const words of [
      '1. Rename convert to exchange in notes.md, and keep the sign of rate 17.',
      '2. Say in one line what is left to do.',
      '- [completed] Rename in notes.md',
      '- [pending] Rename in rates.ts',
      'Rounding stays half-even, since the ledger was written with it.',
      '### notes.md (+2 -1)',
      '-The function is called convert.',
      '+The function is called exchange.',
      'The renaming in rates.ts is left.',
    ])
      expect(prompt).toContain(words);
    expect(prompt).toMatch(/- L\d+: Rounding stays/);
    expect(counts).toMatchObject({ requests: 2, steps: 2, files: 1 });
    // Results of tools are what fills a head; they can be read again.
    expect(prompt).not.toContain('汇率');
    expect(left.results).toBeGreaterThan(2);
  });

  it('holds no secret that a file came to hold meanwhile, and the receipt says so', async () => {
    const { prompt, receipt } = await hand('claude');
    expect(prompt).not.toContain(secret);
    expect(prompt).toContain('[redacted:');
    const line = receipt.ledger.find(({ fragment }) => fragment === 'file:notes.md');
    expect(Object.keys(line?.finished ?? {}).join()).toMatch(/^secret:/);
    expect(JSON.stringify(receipt)).not.toContain('exchange');
  });

  it('gives way in order: what was said last first, what was asked for last', async () => {
    const whole = await hand('claude');
    const tight = await hand('claude', { budget: 260 });
    const tighter = await hand('claude', { budget: 210 });
    expect(whole.counts.messages).toBeGreaterThan(tight.counts.messages);
    expect(tight.tokens).toBeLessThanOrEqual(260);
    expect(tight.counts).toMatchObject({ requests: 2, files: 1, decisions: 0, messages: 0 });
    expect(tight.prompt).toContain('-The function is called convert.');
    expect(tighter.prompt).not.toContain('-The function is called convert.');
    expect(tighter.prompt).toContain('### notes.md (+2 -1)');
    expect(tighter.prompt).toContain('1. Rename convert');
    expect(tighter.receipt.ledger).toHaveLength(whole.receipt.ledger.length);
    await expect(hand('claude', { budget: 30 })).rejects.toMatchObject({ code: 'CONTEXT_BUDGET_INFEASIBLE' });
  });

  it('ends with what is wanted now', async () => {
    const { prompt } = await hand('codex', { message: 'Finish the tests.' });
    expect(prompt).toMatch(/## Now\nFinish the tests\.$/);
  });
});

describe('a session that was itself handed over', () => {
  const said = (content: unknown) =>
    `${JSON.stringify({ type: 'user', message: { role: 'user', content } })}\n`;
  const asked = [
    'Rename convert to exchange in notes.md, and keep the sign of rate 17.',
    'Say in one line what is left to do.',
  ];

  it('is asked for what the user asked for, not for the words of the turn', async () => {
    const first = await hand('codex', { message: 'Finish it.\n\n## Really\n1. now' });
    put('claude', said(first.prompt) + said('One thing more.'));
    const { prompt, counts } = await hand('claude');
    const requests = [...asked, 'Finish it.', 'One thing more.'];
    for (const [at, words] of requests.entries()) expect(prompt).toContain(`\n${at + 1}. ${words}`);
    expect(counts.requests).toBe(requests.length);
    expect(prompt.match(/You take over/g)).toHaveLength(1);
  });

  it('also where it went by a file, and only by that file', async () => {
    const { prompt: turn } = await hand('codex');
    const numbered = turn.split('\n').map((line, at) => `${at + 1}\t${line}`);
    const read = (file_path: string) =>
      `${JSON.stringify({ type: 'assistant', message: { content: [{ type: 'tool_use', id: file_path, name: 'Read', input: { file_path } }] } })}\n${said([{ type: 'tool_result', tool_use_id: file_path, content: numbered.join('\n') }])}`;
    put('claude', said(readTheFile('/tmp/a/handoff.md')) + read('/tmp/b/handoff.md'));
    await expect(hand('claude')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    put('claude', said(readTheFile('/tmp/a/handoff.md')) + read('/tmp/a/handoff.md'));
    const { prompt, counts } = await hand('claude');
    expect(prompt).toContain(`word for word\n1. ${asked[0]}\n2. ${asked[1]}\n\n`);
    expect(counts.requests).toBe(2);
  });
});

describe('a session that was rewritten', () => {
  it('is told once, though its file tells it twice', async () => {
    const { prompt } = await hand('gemini');
    expect(prompt.match(/Rename convert to exchange/g)).toHaveLength(1);
    put('codex', fixture('codex-compacted'));
    const { prompt: compacted } = await hand('codex');
    expect(compacted.match(/\d\. Read big\.ts/g)).toHaveLength(1);
    put('codex', fixture('codex'));
  });

  it('without what somebody took back', async () => {
    const line = (uuid: string, parentUuid: string | null, content: string) =>
      `${JSON.stringify({ type: 'user', uuid, parentUuid, message: { role: 'user', content } })}\n`;
    put(
      'claude',
      line('a', null, 'Keep this.') + line('b', 'a', 'Take this back.') + line('c', 'a', 'And this instead.'),
    );
    const { prompt } = await hand('claude');
    expect(prompt).toContain('1. Keep this.\n2. And this instead.');
    expect(prompt).not.toContain('Take this back');
    put('claude', line('a', null, 'Take this back.') + line('b', null, 'Begin with this.'));
    expect((await hand('claude')).prompt).toContain('word for word\n1. Begin with this.\n\n');
  });

  it('with the last of a plan that has more steps than anybody reads', async () => {
    const task = (name: string, input: object) =>
      `${JSON.stringify({ type: 'assistant', message: { content: [{ type: 'tool_use', id: 't', name, input }] } })}\n`;
    let text = '';
    for (let step = 1; step <= 1_200; step += 1) text += task('TaskCreate', { subject: `Step ${step}.` });
    put('claude', text + task('TaskUpdate', { taskId: '1200', status: 'completed' }));
    const { prompt, counts } = await hand('claude');
    expect(counts.steps).toBe(1_000);
    expect(prompt).toContain('- [completed] Step 1200.');
    expect(prompt).not.toContain('Step 200.');
  });
});
