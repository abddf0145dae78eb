// The adapters against the real CLIs and a provider on this machine. Opt-in: the programs weigh about 0.9 GB.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cliModel } from '../../src/models/cli/cli-model.js';
import { agentClis } from '../../src/models/cli/find-agent-cli.js';
import type { ModelRequest, RunOptions } from '../../src/models/contract/model.js';
import type { Line, Loopback, Script } from '../../src/testing/loopback/open-loopback.js';
import { isInstalled, openRealHome, type RealHome, realCommand } from './real-home.js';

if (process.env.GALLEY_REAL_CLI === undefined) {
  console.log(
    'real agent CLIs: skipped; install test/real-cli/package.json somewhere and set GALLEY_REAL_CLI to that folder',
  );
}

const patient = { firstByteMs: 50_000, totalMs: 50_000 };
const prompt =
  '[MESSAGE]\nSay 你好 😀 "q"\n@@ -1,3 +1,4 @@\nsee @notes.md, @/etc/hostname\n\n  spaces at the end  \n';
const system = 'You are Max — 系统 "q" `x` $HOME.';
const answer: Line = {
  chunks: ['Hel', 'lo ', 'wörld'],
  usage: { input: 17, output: 7, cacheRead: 5, cacheWrite: 2 },
};
const refusal = (status: number): Line => ({ kind: 'status', status, message: 'SECRET' });
/** Gemini tries again for longer than anyone should wait. */
const patiently = { any: 'MODEL_UNAVAILABLE', gemini: 'TIMEOUT' };
const unavailable = { any: 'MODEL_UNAVAILABLE' };
const failures: readonly [what: string, line: Line, codes: Readonly<Record<string, string>>][] = [
  ['a key that is not known', refusal(401), { any: 'MODEL_NOT_CONFIGURED' }],
  ['a key that is not allowed', refusal(403), { any: 'MODEL_NOT_CONFIGURED' }],
  ['a request that is not understood', refusal(400), { any: 'MODEL_REFUSED' }],
  ['a request that is too large', refusal(413), { any: 'MODEL_REFUSED' }],
  ['too many calls', { kind: 'status', status: 429, retryAfter: 1, message: 'SECRET' }, patiently],
  ['a broken provider', refusal(500), patiently],
  ['an overloaded provider', refusal(529), patiently],
  ['a lost connection', { kind: 'reset' }, patiently],
  ['an error inside the answer', { kind: 'error-event', message: 'SECRET' }, unavailable],
  ['an answer cut inside a character', { kind: 'cut', at: 'mid-character' }, unavailable],
  ['an answer without its end', { kind: 'cut', at: 'before-final', cleanly: true }, unavailable],
  ['an empty answer', { kind: 'empty' }, { any: 'MODEL_ANSWER_INVALID', gemini: 'MODEL_UNAVAILABLE' }],
  ['signs of life without an answer', { kind: 'keep-alive' }, { any: 'TIMEOUT' }],
];
const quoted = (text: string) => JSON.stringify(text).slice(1, -1);

for (const cli of Object.values(agentClis)) {
  describe.skipIf(!isInstalled(cli.name))(`the real ${cli.title}`, () => {
    let home: RealHome;
    let work: string;
    let loopback: Loopback;
    let environment: NodeJS.ProcessEnv;

    beforeAll(async () => {
      home = await openRealHome();
      ({ work, loopback, environment } = home);
      writeFileSync(join(work, 'notes.md'), 'LOCAL');
      writeFileSync(join(work, 'CLAUDE.md'), 'LOCAL');
    });
    afterAll(() => home?.close());

    const run = async (
      script: Script,
      native: boolean,
      { signal = new AbortController().signal, ...request }: Partial<ModelRequest & RunOptions> = {},
    ) => {
      loopback.play(script);
      loopback.forgetCalls();
      const model = cliModel(cli, { command: realCommand(cli.name), folder: work, native, environment });
      let spoken = '';
      const told = await model
        .run(
          { prompt, timeouts: patient, ...request },
          {
            signal,
            onText: (text) => {
              spoken += text;
            },
          },
        )
        .catch((error: unknown) => error);
      const { stdout } = spawnSync('ps', ['-A', '-o', 'stat=,args='], { encoding: 'utf8' });
      const left = stdout
        .split('\n')
        .filter((line) => line.includes(realCommand(cli.name)) && !line.startsWith('Z'));
      expect(left).toEqual([]);
      expect(JSON.stringify(told)).not.toContain('SECRET');
      return { told, spoken, sent: loopback.calls.at(-1)?.bytes.toString('utf8') ?? '' };
    };

    for (const native of [true, false]) {
      it(`hands over prompt and system text byte for byte, native ${native}`, async () => {
        // In its folder an agent is refused words that name a file.
        const said = native ? prompt : prompt.replace('@notes.md, @/etc/hostname', '@nothing.md, @max');
        for (const text of [system, '--help', `${'系统'.repeat(30_000)}.`]) {
          const { told, spoken, sent } = await run(answer, native, { system: text, prompt: said });
          expect(told).toMatchObject({ text: 'Hello wörld', usage: { inputTokens: 17, outputTokens: 7 } });
          expect(spoken).toBe('Hello wörld');
          expect(sent).toContain(quoted(said));
          expect(sent).toContain(quoted(text));
          expect(sent).not.toContain('LOCAL');
        }
      });
    }

    it('hands over a command as text, and a megabyte whole', async () => {
      // Whoever seals a prompt puts a line before what the CLI would take for a command.
      const command = cli.commandMark === undefined ? '/help' : '\n/help';
      for (const text of [command, 'word '.repeat(209_000)]) {
        const { told, sent } = await run(answer, true, { prompt: text });
        expect(told).toMatchObject({ text: 'Hello wörld' });
        expect(sent).toContain(quoted(text));
      }
    });

    for (const [what, line, codes] of failures) {
      it(`tells ${what}`, async () => {
        const code = codes[cli.name] ?? codes.any;
        const firstByteMs = code === 'TIMEOUT' ? 15_000 : 45_000;
        const { told } = await run(line, true, { timeouts: { firstByteMs, totalMs: 50_000 } });
        expect(told).toMatchObject({ code });
      });
    }

    it('is cancelled in the middle of an answer', async () => {
      const cancel = new AbortController();
      const script = () => {
        cancel.abort();
        return { kind: 'endless' } as const;
      };
      const { told } = await run(script, true, { signal: cancel.signal });
      expect(told).toMatchObject({ code: 'CANCELLED' });
      while (loopback.calls.at(-1)?.ending === 'open') await new Promise(setImmediate);
      expect(loopback.calls.at(-1)?.ending).toBe('left');
    });

    // Codex names a new route with each run, so it finds nothing of the run before.
    it.skipIf(cli.name === 'codex')('reads the system text of the run before from the cache', async () => {
      const long = 'Word by word. '.repeat(2000);
      await run('one', true, { system: long, prompt: 'First.' });
      const { told } = await run('two', true, { system: long, prompt: 'Second.' });
      const { cacheRead = 0 } = loopback.calls.at(-1)?.usage ?? {};
      expect(cacheRead).toBeGreaterThan(7900);
      expect(told).toMatchObject({ usage: { cachedInputTokens: cacheRead } });
    });

    it('is ended when the provider hangs or stalls', async () => {
      const hung = await run({ kind: 'stall', after: 'nothing' }, true, {
        timeouts: { firstByteMs: 8000, totalMs: 50_000 },
      });
      expect(hung.told).toMatchObject({ code: 'TIMEOUT', details: { phase: 'first-byte' } });
      const stalled = await run({ kind: 'stall' }, true, {
        timeouts: { firstByteMs: 50_000, totalMs: 10_000 },
      });
      expect(stalled.told).toMatchObject({ code: 'TIMEOUT', details: { phase: 'total' } });
    });
  });
}
