// The adapters against the real CLIs and a provider on this machine. Opt-in: the programs weigh about 0.9 GB.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agentClis } from '../../src/models/cli/agent-clis.js';
import { cliModel } from '../../src/models/cli/cli-model.js';
import type { ModelRequest } from '../../src/models/model.js';
import { type Line, type Loopback, openLoopback } from '../../src/testing/loopback/open-loopback.js';

const programs = process.env.GALLEY_REAL_CLI;
const command = (name: string) => join(programs ?? '', 'node_modules', '.bin', name);
if (programs === undefined) {
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
const quoted = (text: string) => JSON.stringify(text).slice(1, -1);

for (const cli of Object.values(agentClis)) {
  describe.skipIf(programs === undefined || !existsSync(command(cli.name)))(`the real ${cli.title}`, () => {
    const root = mkdtempSync(join(tmpdir(), 'galley-real-cli-'));
    const work = join(root, 'work');
    let loopback: Loopback;
    let environment: NodeJS.ProcessEnv;

    beforeAll(async () => {
      loopback = await openLoopback();
      for (const folder of ['work', '.gemini', '.codex']) mkdirSync(join(root, folder));
      writeFileSync(join(work, 'notes.md'), 'LOCAL');
      writeFileSync(join(work, 'CLAUDE.md'), 'LOCAL');
      const settings = { security: { auth: { selectedType: 'gemini-api-key' } } };
      writeFileSync(join(root, '.gemini', 'settings.json'), JSON.stringify(settings));
      const provider = `name = "x"\nbase_url = "${loopback.url}/v1"\nenv_key = "OPENAI_API_KEY"\nwire_api = "responses"\n`;
      const retries = 'request_max_retries = 1\nstream_max_retries = 1\n';
      writeFileSync(
        join(root, '.codex', 'config.toml'),
        `model_provider = "x"\n[model_providers.x]\n${provider}${retries}`,
      );
      environment = {
        PATH: process.env.PATH,
        HOME: root,
        ANTHROPIC_API_KEY: 'none',
        ANTHROPIC_BASE_URL: loopback.url,
        OPENAI_API_KEY: 'none',
        GEMINI_API_KEY: 'none',
        GEMINI_MODEL: 'gemini-2.5-flash',
        GOOGLE_GEMINI_BASE_URL: loopback.url,
      };
    });
    afterAll(() => {
      loopback?.close();
      rmSync(root, { recursive: true, force: true });
    });

    const run = async (line: Line, native: boolean, request: Partial<ModelRequest> = {}) => {
      loopback.play(line);
      loopback.forgetCalls();
      const model = cliModel(cli, { command: command(cli.name), folder: work, native, environment });
      let spoken = '';
      const told = await model
        .run(
          { prompt, timeouts: patient, ...request },
          {
            signal: new AbortController().signal,
            onText: (text) => {
              spoken += text;
            },
          },
        )
        .catch((error: unknown) => error);
      const { stdout } = spawnSync('ps', ['-A', '-o', 'stat=,args='], { encoding: 'utf8' });
      const left = stdout
        .split('\n')
        .filter((line) => line.includes(command(cli.name)) && !line.startsWith('Z'));
      expect(left).toEqual([]);
      expect(JSON.stringify(told)).not.toContain('SECRET');
      return { told, spoken, sent: loopback.calls.at(-1)?.bytes.toString('utf8') ?? '' };
    };

    for (const native of [true, false]) {
      it(`hands over prompt and system text byte for byte, native ${native}`, async () => {
        for (const text of [system, '--help', `${'系统'.repeat(30_000)}.`]) {
          const { told, spoken, sent } = await run(answer, native, { system: text });
          expect(told).toMatchObject({ text: 'Hello wörld', usage: { inputTokens: 17, outputTokens: 7 } });
          expect(spoken).toBe('Hello wörld');
          expect(sent).toContain(quoted(prompt));
          expect(sent).toContain(quoted(text));
          expect(sent).not.toContain('LOCAL');
        }
      });
    }

    it('hands over a command as text, and a megabyte whole', async () => {
      for (const text of ['/help', 'word '.repeat(209_000)]) {
        const { told, sent } = await run(answer, true, { prompt: text });
        expect(told).toMatchObject({ text: 'Hello wörld' });
        expect(sent).toContain(quoted(text));
      }
    });

    it('tells failures apart', async () => {
      expect((await run(refusal(401), true)).told).toMatchObject({ code: 'MODEL_NOT_CONFIGURED' });
      expect((await run(refusal(400), true)).told).toMatchObject({ code: 'MODEL_REFUSED' });
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
