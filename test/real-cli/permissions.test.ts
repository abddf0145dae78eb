// What agents may do, with the real CLIs and a scripted model: galley agent run from its arguments to the files on disk.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { agentClis } from '../../src/models/cli/find-agent-cli.js';
import { permissions } from '../../src/models/contract/agent-event.js';
import type { Loopback } from '../../src/testing/loopback/open-loopback.js';
import { isInstalled, openRealHome, type RealHome, realCommand } from './real-home.js';
import { calling, hands } from './scripted-tools.js';

const bin = join(process.cwd(), 'bin/galley.js');

interface Ended {
  readonly status: number | null;
  readonly events: readonly Record<string, unknown>[];
  readonly answer: {
    readonly refusals: readonly { tool: string; target?: string }[];
    readonly filesChanged: readonly { path: string }[];
    readonly session?: string;
    readonly usage?: { inputTokens: number };
  };
}

for (const cli of Object.values(agentClis)) {
  describe.skipIf(!isInstalled(cli.name))(`the real ${cli.title}`, () => {
    const { write, run } = hands[cli.name];
    let home: RealHome;
    let loopback: Loopback;
    let work: string;
    let outside: string;

    beforeAll(async () => {
      home = await openRealHome();
      ({ loopback, work } = home);
      outside = join(home.root, 'outside');
    });
    beforeEach(() => {
      for (const folder of [work, outside]) {
        rmSync(folder, { recursive: true, force: true });
        mkdirSync(folder, { recursive: true });
      }
      loopback.forgetCalls();
    });
    afterAll(() => home?.close());

    const galley = (
      args: readonly string[],
      { message = 'DO IT NOW', onStart = (_: () => void) => {} } = {},
    ) =>
      new Promise<Ended>((resolve) => {
        const env = { ...home.environment, [`GALLEY_${cli.name.toUpperCase()}`]: realCommand(cli.name) };
        const child = spawn(
          process.execPath,
          [bin, 'agent', 'run', '--agent', cli.name, '--json', '--message', message, ...args],
          { cwd: work, env, stdio: ['ignore', 'pipe', 'inherit'] },
        );
        let stdout = '';
        child.stdout.on('data', (chunk) => {
          stdout += chunk;
        });
        onStart(() => child.kill('SIGINT'));
        child.on('close', (status) => {
          const lines = stdout.split('\n').filter((line) => line !== '');
          const events = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
          expect(stdout).not.toContain(home.root);
          resolve({ status, events, answer: events.at(-1) as unknown as Ended['answer'] });
        });
      });
    const living = () => {
      const { stdout } = spawnSync('ps', ['-A', '-o', 'stat=,args='], { encoding: 'utf8' });
      return stdout
        .split('\n')
        .filter((line) => line.includes(realCommand(cli.name)) && !line.startsWith('Z'));
    };
    const warned = ({ events }: Ended) =>
      events.filter(({ kind }) => kind === 'warning').map(({ about }) => about);
    const confinesCommands = cli.name === 'codex';

    it('ends the command that runs when it is cancelled', async () => {
      const sleeping = () => {
        const { stdout } = spawnSync('ps', ['-A', '-o', 'stat=,args='], { encoding: 'utf8' });
        return stdout.split('\n').filter((line) => line.endsWith('sleep 987.6') && !line.startsWith('Z'));
      };
      loopback.play(calling([run('sleep 987.6')]));
      const { status } = await galley(['--may', 'run'], {
        onStart: (cancel) =>
          void vi.waitFor(() => expect(sleeping()).not.toEqual([]), { timeout: 60_000 }).then(cancel),
      });
      expect(status).toBe(130);
      expect(sleeping()).toEqual([]);
    });

    for (const may of permissions) {
      it(`may ${may}: a file of the project`, async () => {
        loopback.play(calling([write(join(work, 'a.txt'))]));
        const ended = await galley(['--may', may]);
        const mayWrite = may !== 'read';
        expect(existsSync(join(work, 'a.txt'))).toBe(mayWrite);
        expect(readdirSync(outside)).toEqual([]);
        expect(ended.status).toBe(mayWrite ? 0 : 6);
        expect(ended.answer.filesChanged.map(({ path }) => path)).toEqual(mayWrite ? ['a.txt'] : []);
        expect(ended.answer.refusals.map(({ target }) => target)).toEqual(mayWrite ? [] : ['a.txt']);
        expect(warned(ended).includes('only-reads')).toBe(!mayWrite);
      });

      it(`may ${may}: a file outside`, async () => {
        loopback.play(calling([write(join(outside, 'a.txt'))]));
        const { status, answer } = await galley(['--may', may]);
        expect(readdirSync(outside)).toEqual([]);
        expect(readdirSync(work).filter((name) => name !== '.galley')).toEqual([]);
        expect(status).toBe(6);
        expect(answer.refusals.map(({ target }) => target)).toEqual(['(outside the folder)']);
      });

      it(`may ${may}: a command in the project, and one that writes outside`, async () => {
        loopback.play(calling([run('echo 1 > b.txt'), run(`echo 1 > ${join(outside, 'b.txt')}`)]));
        const ended = await galley(['--may', may]);
        const mayRun = may === 'run' || (may === 'edit' && confinesCommands);
        expect(existsSync(join(work, 'b.txt'))).toBe(mayRun);
        const gotOut = mayRun && !confinesCommands;
        expect(existsSync(join(outside, 'b.txt'))).toBe(gotOut);
        if (gotOut) expect(warned(ended)).toContain('commands-anywhere');
        expect(ended.answer.refusals).toHaveLength(mayRun ? (gotOut ? 0 : 1) : 2);
        expect(ended.status).toBe(gotOut ? 0 : 6);
      });

      it(`may ${may}: cancelled and timed out it leaves nothing running`, async () => {
        let begun = () => {};
        const cancelling = new Promise<void>((resolve) => {
          begun = resolve;
        });
        loopback.play(() => {
          begun();
          return { kind: 'endless' };
        });
        const cancelled = await galley(['--may', may], {
          onStart: (cancel) => void cancelling.then(cancel),
        });
        expect(cancelled.status).toBe(130);
        expect(living()).toEqual([]);
        loopback.play({ kind: 'stall' });
        const late = await galley(['--may', may, '--timeout', '10']);
        expect(late.status).toBe(124);
        expect(living()).toEqual([]);
      });

      it(`may ${may}: a session goes on from what was said before`, async () => {
        const model = { claude: 'claude-opus-4-8', codex: 'gpt-5', gemini: 'gemini-2.5-flash' }[cli.name];
        const again = ['--may', may, '--model', model];
        loopback.play('First answer.');
        const first = await galley([...again, '--keep-session']);
        const session = first.answer.session ?? '';
        expect(session).toMatch(/^[\w-]{36}$/);
        const before = spoken();
        loopback.forgetCalls();
        loopback.play('Second answer.');
        const second = await galley([...again, '--resume', session], { message: 'AND NOW THIS' });
        expect(second).toMatchObject({ status: 0, answer: { session, answer: 'Second answer.' } });
        const after = spoken();
        expect(after.slice(0, before.length)).toEqual(before);
        expect(JSON.stringify(after.slice(before.length))).toContain('AND NOW THIS');
        // The whole thread is more than twice what this turn alone has read.
        const read = second.answer.usage?.inputTokens ?? 0;
        expect(read).toBeLessThan(1.5 * (first.answer.usage?.inputTokens ?? 0));
      });
    }

    /** The messages of the last request, without markers of a cache and what follows the clock. */
    const spoken = (): unknown[] => {
      const bodies = loopback.calls.map(({ body }) => body as Record<string, unknown>);
      const body = bodies.findLast((each) => each.tools !== undefined || each.input !== undefined) ?? {};
      const messages = (body.messages ?? body.input ?? body.contents) as unknown[];
      return JSON.parse(
        JSON.stringify(messages, (key, value) =>
          ['cache_control', 'id', 'internal_chat_message_metadata_passthrough'].includes(key)
            ? undefined
            : value,
        ),
      );
    };

    it.skipIf(!confinesCommands)('has a temporary folder of its own for its commands', async () => {
      loopback.play(calling([run('echo 1 > "$TMPDIR/x" && cp "$TMPDIR/x" b.txt')]));
      const ended = await galley(['--may', 'run']);
      expect(existsSync(join(work, 'b.txt'))).toBe(true);
      expect(warned(ended)).toContain('commands-in-sandbox');
      expect(ended.status).toBe(0);
    });

    it('does not know a session that never was', async () => {
      loopback.play('Done.');
      const { status } = await galley(['--resume', '0d94148c-a323-48bd-b1c8-1241590650c7']);
      expect(status).toBe(2);
      expect(loopback.calls).toHaveLength(0);
    });

    it('is told the words of the project once, and takes @max for a word', async () => {
      for (const name of ['CLAUDE.md', 'AGENTS.md', 'GEMINI.md'])
        writeFileSync(join(work, name), `WORDS OF ${name}`);
      writeFileSync(join(work, 'maximum.txt'), 'NOT TO BE READ');
      loopback.play('Done.');
      expect((await galley([], { message: 'ask @max DO IT NOW' })).status).toBe(0);
      const sent = loopback.calls.map(({ bytes }) => bytes.toString('utf8')).join('\n');
      const own = { claude: 'CLAUDE.md', codex: 'AGENTS.md', gemini: 'GEMINI.md' }[cli.name];
      expect(sent.split(`WORDS OF ${own}`)).toHaveLength(2);
      expect(sent.match(/WORDS OF/g)).toHaveLength(1);
      expect(sent).not.toContain('NOT TO BE READ');
      expect(sent).toContain('ask @max DO IT NOW');
      const { status } = await galley([], { message: 'read @maximum.txt' });
      expect(status).toBe(cli.name === 'codex' ? 0 : 2);
      expect(readFileSync(join(work, 'maximum.txt'), 'utf8')).toBe('NOT TO BE READ');
    });

    it('keeps no session that nobody asked for', async () => {
      loopback.play('Done.');
      await galley([]);
      const kept = spawnSync('grep', ['-rlE', 'DO IT NOW', home.root], { encoding: 'utf8' }).stdout;
      const files = kept.split('\n').filter((path) => path.endsWith('.jsonl'));
      expect(files.filter((path) => !keptBefore.has(path))).toEqual([]);
    });
    const keptBefore = new Set<string>();
    beforeEach(() => {
      const { stdout } = spawnSync('grep', ['-rlE', 'DO IT NOW', home.root], { encoding: 'utf8' });
      for (const path of stdout.split('\n')) keptBefore.add(path);
    });
  });
}
