// Sessions as the real CLIs wrote them (test/real-cli makes such anew), and what no CLI should have written.
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { scratchFolder } from '../../git/testing/scratch-repository.js';
import { builtInCatalog } from '../../models/catalog/catalog.js';
import type { AgentCliName } from '../../models/cli/agent-cli.js';
import { findSession, listSessions } from './find-sessions.js';
import { inspectSession } from './inspect-session.js';
import { sessionHomes, shownPath } from './session-homes.js';

const scratch = scratchFolder();
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const folder = '/home/ada/rates';
const homes = sessionHomes({}, '/home/ada');
const fixture = (name: string) => readFileSync(new URL(`fixtures/${name}.jsonl`, import.meta.url), 'utf8');

let files = 0;
async function inspect(cli: AgentCliName, text: string | Buffer) {
  files += 1;
  const path = join(scratch, `${files}.jsonl`);
  writeFileSync(path, text);
  const found = { cli, id: 'x', path, changedAt: 0, bytes: text.length };
  return inspectSession(found, { folder, homes, catalog: builtInCatalog });
}
const share = ({ parts }: Awaited<ReturnType<typeof inspect>>, kind: string) =>
  parts.find((one) => one.kind === kind);

describe('a session of each CLI', () => {
  it.each(['claude', 'codex', 'gemini'] as const)(
    '%s: every line is known, and none of its words is told',
    async (cli) => {
      const told = await inspect(cli, fixture(cli));
      expect(told.lines).toMatchObject({ unknown: 0, unreadable: 0 });
      expect(told.lines.lines).toBeGreaterThan(20);
      const json = JSON.stringify(told);
      for (const word of ['汇率', 'exchange', 'Rounding', 'half-even', '/home/ada', 'What is left'])
        expect(json).not.toContain(word);
      expect(told.heaviest.map(({ tool, target }) => `${tool} ${target}`).join('\n')).toMatch(/rates\.ts/);
    },
  );

  it('of Claude Code: a long window is known by what was sent, and said to be unknown otherwise', async () => {
    const usual = await inspect('claude', fixture('claude'));
    expect(usual).toMatchObject({ windowTokens: 200_000, longWindowTokens: 1_000_000 });
    const large = fixture('claude').replace(
      /"cache_read_input_tokens":\d+/g,
      '"cache_read_input_tokens":250000',
    );
    const told = await inspect('claude', large);
    expect([told.windowTokens, told.longWindowTokens]).toEqual([1_000_000, undefined]);
  });

  it('of Claude Code: answers of several lines are one request', async () => {
    const told = await inspect('claude', fixture('claude'));
    expect(told).toMatchObject({
      cli: 'claude',
      folder: '.',
      version: '2.1.197',
      model: 'claude-sonnet-4-5',
    });
    expect(told.requests).toMatchObject({ count: 7, inputTokens: 221_089, cachedInputTokens: 174_481 });
    // When it was taken up again, its system text told of another state of the repository.
    expect(told.cacheBreaks).toMatchObject([
      { request: 7, cause: 'not-in-file', block: { part: 'before-messages' } },
    ]);
    expect(share(told, 'tools')?.items).toBe(2);
    expect(share(told, 'results')?.items).toBe(6);
    expect(share(told, 'messages')?.of).toHaveProperty('reasoning');
    expect(told.dollars).toBeCloseTo((46_608 * 3.75 + 174_481 * 0.3 + 208 * 15) / 1e6, 4);
  });

  it('of Codex: system text stands in the file, and what stands there is not counted as missing', async () => {
    const told = await inspect('codex', fixture('codex'));
    expect(told).toMatchObject({ cli: 'codex', folder: '.', windowTokens: 258_400, exact: true });
    expect(told.requests.count).toBe(5);
    expect(share(told, 'system')?.items).toBe(2);
    // Newer models are sent the instructions as a message, which the file then holds, too.
    const lines = fixture('codex').split('\n');
    const { text } = JSON.parse(lines[0] ?? '').payload.base_instructions;
    const message = { type: 'message', role: 'developer', content: [{ type: 'input_text', text }] };
    lines.splice(1, 0, JSON.stringify({ type: 'response_item', payload: message }));
    expect(share(await inspect('codex', lines.join('\n')), 'system')).toEqual(share(told, 'system'));
    expect(told.heaviest.find(({ part }) => part === 'result')).toMatchObject({
      tool: 'exec_command',
      target: 'rates.ts',
    });
    const held = told.parts.reduce(
      (sum, { kind, tokens }) => (kind === 'not-in-file' ? sum : sum + tokens),
      0,
    );
    // All that was sent, less what the model answered last.
    expect(held + (share(told, 'not-in-file')?.tokens ?? 0)).toBeCloseTo(told.tokens ?? 0, -1);
  });

  it('of Gemini CLI: a session that was taken up again sends its results twice, and that broke the prefix', async () => {
    const told = await inspect('gemini', fixture('gemini'));
    expect(told.compactions).toEqual([]);
    expect(told.heaviest[0]).toMatchObject({
      part: 'result',
      tool: 'read_file',
      target: 'rates.ts',
      times: 2,
    });
    expect(told.cacheBreaks).toMatchObject([{ request: 5, cause: 'resume' }]);
  });
});

describe('a session of Gemini CLI that was taken up again in the same minute', () => {
  it('tells its requests and calls once more, which are not made again', async () => {
    const told = await inspect('gemini', fixture('gemini-resumed'));
    expect(told.requests.count).toBe(5);
    expect(told.cacheBreaks).toMatchObject([{ request: 5, cause: 'resume' }]);
    const calls = told.heaviest.filter(({ part }) => part === 'call');
    expect(calls.map(({ tool, times }) => `${tool} ${times}`).sort()).toEqual(['replace 1', 'write_todos 1']);
    expect(told.compactions).toEqual([]);
  });
});

describe('what was compacted', () => {
  it('Claude Code: what it kept word for word is still in its head, the rest is not', async () => {
    const told = await inspect('claude', fixture('claude-compacted'));
    expect(told.compactions).toMatchObject([{ by: 'request', tokensBefore: 32_163, tokensAfter: 4_473 }]);
    expect(told.cacheBreaks).toMatchObject([{ cause: 'compaction', cachedTokens: 0 }]);
    expect(share(told, 'messages')?.of).toMatchObject({ summary: expect.any(Number) });
    // "Read it." was kept, the call before it was not.
    expect(share(told, 'messages')?.of).not.toHaveProperty('call');
    expect(share(told, 'results')).toMatchObject({ items: 1 });
  });

  it('Codex: the history that stands from then on is in the file', async () => {
    const told = await inspect('codex', fixture('codex-compacted'));
    expect(told.compactions).toHaveLength(1);
    expect(share(told, 'memory')?.items).toBe(1);
    expect(share(told, 'messages')?.of).toMatchObject({ summary: expect.any(Number) });
    expect(share(told, 'results')).toBeUndefined();
  });
});

describe('what broke the prefix', () => {
  interface Line {
    readonly at?: number;
    readonly model?: string;
    readonly version?: string;
    readonly read: number;
    readonly write?: number;
    readonly parent?: string;
  }
  let number = 0;
  const told = async (...lines: Line[]) => {
    number = 0;
    const text = lines.map(
      ({ at = 0, model = 'claude-sonnet-4-5', version = '1', read, write = 5_000, parent }) => {
        number += 1;
        const base = { timestamp: new Date(at).toISOString(), version };
        const usage = {
          input_tokens: 0,
          cache_read_input_tokens: read,
          cache_creation_input_tokens: write,
          output_tokens: 9,
        };
        const last = number === 1 ? null : `a${number - 1}`;
        return [
          {
            type: 'user',
            uuid: `u${number}`,
            parentUuid: parent ?? last,
            ...base,
            message: { content: 'And?' },
          },
          {
            type: 'assistant',
            uuid: `a${number}`,
            parentUuid: `u${number}`,
            ...base,
            message: { id: `m${number}`, model, usage, content: [{ type: 'text', text: 'So.' }] },
          },
        ];
      },
    );
    const inspection = await inspect(
      'claude',
      text
        .flat()
        .map((line) => `${JSON.stringify(line)}\n`)
        .join(''),
    );
    return inspection.cacheBreaks.map(({ cause }) => cause);
  };
  const first = { read: 0, write: 20_000 };

  it.each([
    ['nothing, when all of it was read again', { read: 20_000 }, []],
    ['another model', { read: 0, model: 'claude-opus-4-5' }, ['model']],
    ['another version', { read: 0, version: '2' }, ['version']],
    ['a pause longer than the cache lives', { read: 0, at: 301_000 }, ['expired']],
    ['what the file does not hold', { read: 300 }, ['not-in-file']],
  ] as const)('%s', async (_, second, causes) => {
    expect(await told(first, second)).toEqual(causes);
  });

  it('somebody went back', async () => {
    expect(await told(first, { read: 20_000 }, { read: 20_000, parent: 'a1' })).toEqual(['rewind']);
  });
});

describe('what fills the window', () => {
  it('begins anew when somebody goes back to the very first message', async () => {
    const once = await inspect('claude', fixture('claude'));
    const twice = await inspect('claude', fixture('claude').repeat(2));
    expect(twice.requests.count).toBe(2 * once.requests.count);
    expect(twice.parts.map(({ kind, items }) => [kind, items])).toEqual(
      once.parts.map(({ kind, items }) => [kind, items]),
    );
    expect(twice.cacheBreaks.map(({ cause }) => cause)).toContain('rewind');
    expect(twice).not.toHaveProperty('unsentTokens');
  });

  it('says so where the file holds more than was sent', async () => {
    const told = await inspect('codex', fixture('codex').repeat(40));
    const held = told.parts.reduce((sum, { tokens }) => sum + tokens, 0);
    expect(held - (told.unsentTokens ?? 0)).toBeLessThanOrEqual((told.tokens ?? 0) + 10);
    expect(told.unsentTokens).toBeGreaterThan(1_000);
    expect(await inspect('codex', fixture('codex'))).not.toHaveProperty('unsentTokens');
  });
});

describe('memory files of Claude Code', () => {
  it('are a row of their own, as they are on disk, and the rest is less by that', async () => {
    const home = join(scratch, 'memory');
    const work = join(home, 'rates');
    mkdirSync(join(work, '.claude'), { recursive: true });
    const text = fixture('claude').replaceAll('/home/ada/rates', work);
    const path = join(home, 'session.jsonl');
    writeFileSync(path, text);
    const look = () =>
      inspectSession(
        { cli: 'claude', id: 'x', path, changedAt: 0, bytes: 0 },
        { folder: work, homes: sessionHomes({}, home), catalog: builtInCatalog },
      );
    const before = await look();
    writeFileSync(join(work, 'CLAUDE.md'), 'Keep the sign of every rate. '.repeat(50));
    writeFileSync(join(home, 'CLAUDE.md'), 'Be brief. '.repeat(50));
    const after = await look();
    const memory = share(after, 'memory')?.tokens ?? 0;
    expect(share(after, 'memory')?.items).toBe(2);
    expect(memory).toBeGreaterThan(300);
    expect(share(after, 'not-in-file')?.tokens).toBe((share(before, 'not-in-file')?.tokens ?? 0) - memory);
    expect([before.memoryOnDisk, after.memoryOnDisk]).toEqual([undefined, true]);
    expect(after.heaviest).toContainEqual(expect.objectContaining({ part: 'memory', target: 'CLAUDE.md' }));
    // More than was ever sent cannot have been sent.
    writeFileSync(join(work, 'CLAUDE.md'), 'Keep the sign of every rate. '.repeat(20_000));
    expect(share(await look(), 'memory')).toBeUndefined();
  });
});

describe('a file', () => {
  it('that was cut in the middle of a line, or knows more than we do, is read as far as it goes', async () => {
    const text = fixture('claude');
    const cut = await inspect('claude', text.slice(0, -200));
    expect(cut.lines).toMatchObject({ unknown: 0, unreadable: 1 });
    const newer = await inspect(
      'claude',
      `{"type":"hologram","x":1}\n${text}{"type":"hologram"}\n\nno json\n[1]\n`,
    );
    expect(newer.lines).toMatchObject({ unknown: 2, unreadable: 2 });
    expect(newer.requests.count).toBe(7);
  });

  it('of another CLI, or of noise, is counted and never fatal', async () => {
    for (const cli of ['claude', 'codex', 'gemini'] as const)
      for (const other of ['claude', 'codex', 'gemini'])
        expect((await inspect(cli, `${fixture(other)}${fixture(cli)}`)).lines.unreadable).toBe(0);
    const lines = fixture('codex').trimEnd().split('\n');
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('claude', 'codex', 'gemini' as const),
        fc.shuffledSubarray(lines),
        fc.array(fc.jsonValue(), { maxLength: 5 }),
        async (cli, some, values) => {
          const noise = values.map((value) =>
            JSON.stringify({ type: 'response_item', payload: value, message: value, $set: value }),
          );
          const own = fixture(cli).split('\n')[0] ?? '';
          await inspect(cli as AgentCliName, [own, ...some, ...noise].join('\n'));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('of which no line is its own is no session', async () => {
    for (const text of ['', '\n', 'noise\n', '{"hello":1}\n', fixture('codex')])
      await expect(inspect('claude', text)).rejects.toMatchObject({ code: 'FILE_UNREADABLE' });
  });

  it('with a line no session has is read on behind it', async () => {
    const path = join(scratch, 'long.jsonl');
    writeFileSync(path, '{"type":"user","x":"');
    truncateSync(path, 70 << 20);
    appendFileSync(path, `"}\n${fixture('claude')}`);
    const told = await inspectSession(
      { cli: 'claude', id: 'x', path, changedAt: 0, bytes: 0 },
      { folder, homes, catalog: builtInCatalog },
    );
    expect(told.lines).toMatchObject({ unreadable: 1, lines: 29 });
    expect(told.requests.count).toBe(7);
  });

  it('that is not there is named as what it is, without its path', async () => {
    const gone = { cli: 'claude', id: 'x', path: join(scratch, 'gone'), changedAt: 0, bytes: 0 } as const;
    const refusal = inspectSession(gone, { folder, homes, catalog: builtInCatalog });
    await expect(refusal).rejects.toMatchObject({ code: 'FILE_UNREADABLE' });
    await expect(refusal).rejects.not.toMatchObject({ message: expect.stringContaining(scratch) });
  });
});

describe('which session is meant', () => {
  const home = join(scratch, 'home');
  const own = sessionHomes({}, home);
  const work = join(home, 'my rates');
  const put = (path: string, text: string, seconds: number) => {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
    utimesSync(join(home, path), seconds, seconds);
  };
  const rollout = (id: string) => `.codex/sessions/2026/11/16/rollout-2026-11-16T17-20-15-${id}.jsonl`;
  const meta = (cwd: string) => `${JSON.stringify({ type: 'session_meta', payload: { id: 'x', cwd } })}\n`;
  mkdirSync(work, { recursive: true });
  const project = work.replace(/[^A-Za-z0-9]/g, '-');
  put(`.claude/projects/${project}/aaaa1111-0.jsonl`, '', 10);
  put(`.claude/projects/${project}/agent-7.jsonl`, '', 99);
  put(`.claude/projects/-elsewhere/aabb2222-0.jsonl`, '', 50);
  put(rollout('01a1e55f-aef2-70e3-bf6d-5f48d336fa09'), meta(work), 20);
  put(rollout('02a1e55f-aef2-70e3-bf6d-5f48d336fa09'), meta('/elsewhere'), 60);
  put('.gemini/projects.json', JSON.stringify({ projects: { [work]: 'my-rates' } }), 1);
  put(
    '.gemini/tmp/my-rates/chats/session-2026-11-16T17-20-09353e79.jsonl',
    '{"sessionId":"09353e79-6d57"}\n',
    15,
  );
  const idOf = async (asked?: string) => (await findSession(own, asked, work)).id.slice(0, 8);

  it('the newest of this folder, of any CLI or of one', async () => {
    expect(await idOf()).toBe('01a1e55f');
    expect(await idOf('claude')).toBe('aaaa1111');
    expect(await idOf('gemini')).toBe('09353e79');
    expect((await listSessions(own, { folder: work })).map(({ cli }) => cli)).toEqual([
      'codex',
      'gemini',
      'claude',
    ]);
    expect(await listSessions(own, {})).toHaveLength(5);
  });

  it('the one whose id begins like that, here before elsewhere', async () => {
    expect(await idOf('aa')).toBe('aaaa1111');
    expect(await idOf('claude:aab')).toBe('aabb2222');
    expect(await idOf('02')).toBe('02a1e55f');
    await expect(idOf('0')).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(idOf('gemini:ffff')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(findSession(own, undefined, '/nowhere')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await listSessions(sessionHomes({ CODEX_HOME: '/nowhere' }, home), { cli: 'codex' })).toEqual([]);
  });

  it('files are shown by where they are seen from', () => {
    const places = { folder: '/home/ada/rates', person: '/home/ada' };
    expect(shownPath('/home/ada/rates/src/a.ts', places)).toBe('src/a.ts');
    expect(shownPath('/home/ada/notes.md', places)).toBe('~/notes.md');
    expect(shownPath('/etc/passwd', places)).toBe('…/passwd');
    expect(shownPath('../secret/a.ts', places)).toBe('…/a.ts');
  });
});
