// galley watch as a person types it, with a small client in place of an agent: what is said, what is written, and that no key is in
// any of it.
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { scratchFolder } from '../../../git/testing/scratch-repository.js';
import { type Loopback, openLoopback } from '../../../testing/loopback/open-loopback.js';
import { widthOf } from '../terminal/text-width.js';
import { speak } from '../words/word.js';
import { type WatchFlags, watchCommand } from './watch-command.js';

const folder = scratchFolder();
const key = 'sk-ant-api03-NOBODY-MAY-SEE-THIS-0123456789';
const secretText = 'the sentence nobody may read';
let loopback: Loopback;
let said = '';

/** Two requests of one conversation, the second with another tool; and one that counts tokens. */
const client = join(folder, 'client.mjs');
writeFileSync(
  client,
  `const url = process.env.AGENT_URL, exit = Number(process.argv[2] ?? 0);
const tool = (description) => ({ name: 'Read', description, input_schema: {} });
const ask = (path, tools, messages) => fetch(url + path, {
  method: 'POST',
  headers: { 'x-api-key': '${key}', authorization: 'Bearer ${key}', cookie: 'session=${key}' },
  body: JSON.stringify({ model: 'claude-sonnet-4-5', max_tokens: 9, stream: true, tools, messages }),
}).then((answer) => answer.text());
const first = { role: 'user', content: '${secretText}; key=${key}' };
await ask('/v1/messages/count_tokens', [], [first]);
await ask('/v1/messages?key=${key}', [tool('Reads.')], [first]);
const next = [first, { role: 'assistant', content: 'Yes.' }, { role: 'user', content: 'Go on.' }];
await ask('/v1/messages', [tool('Reads a file.')], next);
if (exit === 99) process.kill(process.pid, 'SIGTERM');
process.exit(exit);
`,
);

beforeAll(async () => {
  loopback = await openLoopback({ cache: false });
});
beforeEach(() => {
  said = '';
  loopback.forgetCalls();
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    said += String(text);
    return true;
  });
});
afterEach(async () => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
  await speak('en');
});
afterAll(async () => {
  await loopback.close();
  rmSync(folder, { recursive: true, force: true });
});

const watch = (flags: WatchFlags = {}, exit = '0') =>
  watchCommand({
    paths: [process.execPath, client, exit],
    upstream: loopback.url,
    variable: 'AGENT_URL',
    ...flags,
  });

describe('galley watch', () => {
  it.each(['en', 'zh'] as const)('says in %s what broke the cache, in eighty columns', async (language) => {
    await speak(language);
    await watch({ live: true });
    expect(loopback.calls).toHaveLength(2);
    expect(said).toContain('tools[0].description');
    expect(said).toContain('POST /v1/messages/count_tokens × 1');
    expect(said).toContain('#2 claude-sonnet-4-5');
    for (const line of said.split('\n').filter((each) => !each.includes(' · ')))
      expect(widthOf(line), line).toBeLessThanOrEqual(80);
    expect(said).not.toContain(secretText);
    expect(said).not.toContain(key);
    expect(said).not.toContain(folder);
  });

  it('ends as the program ends', async () => {
    await watch({}, '7');
    expect(process.exitCode).toBe(7);
    await watch({}, '99');
    expect(process.exitCode).toBe(143);
    await expect(watch({ paths: [join(folder, 'not-there')] })).rejects.toMatchObject({
      code: 'MODEL_UNAVAILABLE',
    });
  });

  it('writes counts and hashes for its owner alone, text only on request, a key never', async () => {
    const [save, report] = [join(folder, 'requests.jsonl'), join(folder, 'report.json')];
    await watch({ save, report });
    const lines = readFileSync(save, 'utf8').trimEnd().split('\n');
    expect(lines).toHaveLength(2);
    expect(JSON.parse(lines[1] ?? '')).toMatchObject({
      number: 2,
      broke: { cause: 'tool', block: { number: 1, tool: 'Read' } },
      blocks: expect.arrayContaining([
        expect.objectContaining({ part: 'user', place: 'messages[2].content' }),
      ]),
    });
    expect(JSON.parse(readFileSync(report, 'utf8'))).toMatchObject({
      requests: 2,
      conversations: [{ requests: 2 }],
    });
    const written = readFileSync(save, 'utf8') + readFileSync(report, 'utf8');
    expect(written).not.toContain(secretText);
    expect(written).not.toContain(key);
    if (process.platform !== 'win32') expect(statSync(save).mode & 0o077).toBe(0);
    await watch({ save, withText: true });
    const told = readFileSync(save, 'utf8');
    expect(told).toContain(secretText);
    expect(told).not.toContain(key);
  });

  it('writes nothing unless it is told to, and refuses what it cannot do', async () => {
    const before = existsSync(join(folder, 'requests.jsonl'));
    await watch();
    expect(existsSync(join(folder, 'requests.jsonl'))).toBe(before);
    const refused = (flags: WatchFlags) =>
      expect(watchCommand(flags)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await refused({});
    await refused({ paths: ['some-agent'] });
    await refused({ paths: ['claude'], upstream: 'ftp://example.org' });
    await refused({ paths: ['claude'], withText: true });
    await refused({ paths: ['x'], variable: 'NOT_SET_ANYWHERE' });
    await refused({ paths: ['x'], variable: 'A B', upstream: loopback.url });
  });
});
