// One suite for every agent CLI: real processes that answer, lie, hang, flood, die and leave children behind.
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { GalleyError } from '../../src/core/model/error.js';
import { type CliModelOptions, cliModel } from '../../src/models/cli/cli-model.js';
import { agentClis } from '../../src/models/cli/find-agent-cli.js';
import type { ModelRequest } from '../../src/models/contract/model.js';
import { installFakeAgent, livingProcesses } from '../../src/testing/fake-agent/install-fake-agent.js';

const answer = 'Hello wörld 你好 😀';
const secret = 'SECRET';
const patient = { firstByteMs: 50_000, totalMs: 50_000 };
const root = mkdtempSync(join(tmpdir(), 'galley-agent-run-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let count = 0;

for (const cli of Object.values(agentClis)) {
  const stage = (behaviour: string, options: Partial<CliModelOptions> = {}) => {
    count += 1;
    const folder = join(root, `${cli.name}-${count}`);
    const temporary = join(folder, 'tmp');
    const work = join(folder, 'work');
    for (const path of [folder, temporary, work]) mkdirSync(path);
    const fake = installFakeAgent(folder, cli.name, behaviour);
    const environment = { PATH: process.env.PATH, HOME: folder, TMPDIR: temporary, ...options.environment };
    const model = cliModel(cli, { command: fake.command, folder: work, ...options, environment });
    const spoken: string[] = [];
    const run = (request: Partial<ModelRequest> = {}, signal = new AbortController().signal) =>
      model.run(
        { prompt: `Say hello, ${secret}`, timeouts: patient, ...request },
        { signal, onText: (text) => spoken.push(text) },
      );
    const refusal = async (request: Partial<ModelRequest> = {}, signal?: AbortSignal) => {
      const error = await run(request, signal).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(error).toBeInstanceOf(GalleyError);
      const json = JSON.stringify(error);
      expect(json).not.toContain(secret);
      expect(json).not.toContain(root);
      expectNothingLeft();
      return JSON.parse(json) as { code: string; message: string; details: Record<string, unknown> };
    };
    const expectNothingLeft = () => {
      const call = fake.call();
      if (call !== undefined) expect(livingProcesses(call.pid)).toEqual([]);
    };
    /** Cancels as soon as the first text has come, so the order of events is certain. */
    const cancelOnText = () => {
      const controller = new AbortController();
      const failure = model
        .run(
          { prompt: `Say hello, ${secret}`, timeouts: patient },
          { signal: controller.signal, onText: () => controller.abort() },
        )
        .catch((error: unknown) => error);
      return failure as Promise<GalleyError>;
    };
    return { fake, run, refusal, spoken, work, expectNothingLeft, cancelOnText };
  };

  describe.concurrent(`${cli.title} answers`, () => {
    it('with the whole text, streamed before, and what it used [agent.run]', async () => {
      const { run, spoken, fake, expectNothingLeft } = stage('answer');
      const timeouts = { firstByteMs: Number.POSITIVE_INFINITY, totalMs: 2 ** 40 };
      const result = await run({ prompt: 'Sag hallo 你好 😀\n\n@@ -1 @@ @file', timeouts });
      expect(result).toMatchObject({
        text: answer,
        usage: { inputTokens: 17, outputTokens: 7, cachedInputTokens: 5 },
      });
      expect(spoken.join('')).toBe(answer);
      expect(fake.call().stdin).toBe('Sag hallo 你好 😀\n\n@@ -1 @@ @file');
      expectNothingLeft();
    });

    it('after a long silence, among noise and unknown events, and in chopped chunks', async () => {
      for (const behaviour of ['late', 'unknown', 'chopped']) {
        const { run, spoken } = stage(behaviour);
        expect(await run(), behaviour).toMatchObject({ text: answer });
        expect(spoken.join(''), behaviour).toBe(answer);
      }
    });

    it('though 20 MB of noise came first', async () => {
      expect(await stage('flood-lines').run()).toMatchObject({ text: answer });
    });

    it('and whatever it left running is ended', async () => {
      const { run, fake, expectNothingLeft } = stage('grandchild-answer');
      expect(await run()).toMatchObject({ text: answer });
      expect(fake.records().some((entry) => 'grandchildren' in entry)).toBe(true);
      expectNothingLeft();
    });

    it('to a prompt of one megabyte byte for byte', async () => {
      const prompt = '汉字 and text\n'.repeat(65_536).slice(0, 900_000);
      const { run, fake } = stage('answer');
      await run({ prompt: Buffer.byteLength(prompt) > 1_048_576 ? prompt.slice(0, 550_000) : prompt });
      const { stdin } = fake.call();
      expect(prompt.startsWith(stdin)).toBe(true);
      expect(stdin.length).toBeGreaterThan(500_000);
    });

    if (cli.hasty) {
      it('though it exits without waiting for its reader', async () => {
        expect(await stage('hasty').run()).toMatchObject({ text: answer });
      });
    }

    it('to a prompt that looks like a command', async () => {
      const { run, fake } = stage('answer');
      // It begins with an empty line where the CLI would take it for one; the desk sees to that before it seals.
      const prompt = cli.commandMark === undefined ? '/help me' : '\n/help me';
      await run({ prompt });
      expect(fake.call().stdin).toBe(prompt);
    });
  });

  describe.concurrent(`${cli.title} fails`, () => {
    const cases: [string, string, Record<string, unknown>][] = [
      ['no-result', 'MODEL_ANSWER_INVALID', { reason: 'no-result', exit: 0 }],
      ['half-json', 'MODEL_ANSWER_INVALID', { reason: 'no-result', exit: 0 }],
      ['garbage', 'MODEL_ANSWER_INVALID', { reason: 'no-result', exit: 0 }],
      ['empty', 'MODEL_ANSWER_INVALID', { reason: 'empty', exit: 0 }],
      ['bad-exit-0', 'MODEL_UNAVAILABLE', { exit: 0 }],
      ['good-exit-1', 'MODEL_UNAVAILABLE', { phase: 'exit', exit: 1 }],
      ['api-401', 'MODEL_NOT_CONFIGURED', { reason: 'authentication', status: 401 }],
      ['api-429', 'MODEL_UNAVAILABLE', { reason: 'rate-limit', status: 429 }],
      ['api-400', 'MODEL_REFUSED', { reason: 'bad-request', status: 400 }],
      ['die', 'MODEL_UNAVAILABLE', { phase: 'exit', signal: 'SIGKILL' }],
      ['old', 'MODEL_NOT_CONFIGURED', { reason: 'too-old', version: '0.9.1' }],
      ['flood-line', 'MODEL_ANSWER_INVALID', { reason: 'too-large' }],
      ['flood-answer', 'MODEL_ANSWER_INVALID', { reason: 'too-large' }],
    ];
    for (const [behaviour, code, details] of cases) {
      it(`with ${code} when it shows ${behaviour} [agent.run]`, async () => {
        expect(await stage(behaviour).refusal()).toMatchObject({
          code,
          details: { cli: cli.name, ...details },
        });
      });
    }

    it('when it stops reading before the prompt is through', async () => {
      const prompt = 'x'.repeat(900_000);
      const refused = await stage('close-stdin').refusal({ prompt });
      expect(refused).toMatchObject({ code: 'MODEL_UNAVAILABLE', details: { phase: 'input', exit: 0 } });
    });

    it('up front when the prompt is more than it takes', async () => {
      const { refusal, fake } = stage('answer');
      const refused = await refusal({ prompt: 'x'.repeat(cli.inputLimit.n + 1) });
      expect(refused).toMatchObject({ code: 'PAYLOAD_TOO_LARGE', details: { limit: cli.inputLimit.n } });
      expect(fake.records()).toEqual([]);
    });

    it('when there is nothing to say or nothing to run', async () => {
      expect(await stage('answer').refusal({ prompt: ' \n' })).toMatchObject({ code: 'INVALID_ARGUMENT' });
      const missing = await stage('answer', { command: join(root, 'nowhere') }).refusal();
      expect(missing).toMatchObject({ code: 'MODEL_NOT_CONFIGURED', details: { kind: 'ENOENT' } });
      expect(missing.message).toContain(cli.install);
    });
  });

  describe.concurrent(`${cli.title} is ended`, () => {
    it('with TIMEOUT when it never begins to answer, though it showed signs of life [agent.run]', async () => {
      const refused = await stage('never').refusal({ timeouts: { firstByteMs: 700, totalMs: 50_000 } });
      expect(refused).toMatchObject({ code: 'TIMEOUT', details: { phase: 'first-byte' } });
    });

    it('with TIMEOUT when it begins and never ends', async () => {
      const refused = await stage('begin-hang').refusal({ timeouts: { firstByteMs: 50_000, totalMs: 1500 } });
      expect(refused).toMatchObject({ code: 'TIMEOUT', details: { phase: 'total' } });
    });

    it('with CANCELLED by the caller, and TIMEOUT by the clock of the caller [agent.run]', async () => {
      const { cancelOnText, expectNothingLeft } = stage('begin-hang');
      expect(await cancelOnText()).toMatchObject({ code: 'CANCELLED' });
      expectNothingLeft();
      const clock = await stage('never').refusal({}, AbortSignal.timeout(700));
      expect(clock).toMatchObject({ code: 'TIMEOUT', details: { phase: 'caller' } });
    });

    it('before it starts when the run was cancelled already', async () => {
      const { refusal, fake } = stage('answer');
      expect(await refusal({}, AbortSignal.abort())).toMatchObject({ code: 'CANCELLED' });
      expect(fake.records()).toEqual([]);
    });

    it('by force when it ignores the polite signal', async () => {
      const { cancelOnText, expectNothingLeft, fake } = stage('ignore-term', { graceMs: 300 });
      expect(await cancelOnText()).toMatchObject({ code: 'CANCELLED' });
      expect(fake.records()).toContainEqual({ asked: 'SIGTERM' });
      expectNothingLeft();
    });

    it('together with grandchildren that ignore the polite signal and hold its pipes', async () => {
      const { cancelOnText, expectNothingLeft, fake } = stage('grandchild-hang', { graceMs: 300 });
      expect(await cancelOnText()).toMatchObject({ code: 'CANCELLED' });
      expect(fake.records().some((entry) => 'grandchildren' in entry)).toBe(true);
      expectNothingLeft();
    });

    it('when the listener throws, and the listener’s error comes out', async () => {
      const { fake, expectNothingLeft, work } = stage('begin-hang');
      const model = cliModel(cli, { command: fake.command, folder: work });
      const broken = new GalleyError('INTERNAL', 'The listener broke.');
      const onText = () => {
        throw broken;
      };
      const signal = new AbortController().signal;
      await expect(model.run({ prompt: 'x', timeouts: patient }, { signal, onText })).rejects.toBe(broken);
      expectNothingLeft();
    });
  });

  describe.concurrent(`${cli.title} is called`, () => {
    it('with the system text in a private file that is gone afterwards', async () => {
      const system = `${'系统'.repeat(100_000)} "quoted" $HOME`;
      for (const native of [true, false]) {
        const { run, fake } = stage('answer', { native });
        await run({ system });
        expect(fake.call()).toMatchObject({ system, mode: 0o600 });
        expect(fake.call().stdin).not.toContain('系统');
        expect(existsSync(dirname(fake.call().systemFile ?? '/'))).toBe(false);
      }
    });

    it('with the variables it needs and none of the others', async () => {
      const environment = {
        ANTHROPIC_API_KEY: 'key',
        OPENAI_API_KEY: 'key',
        GEMINI_API_KEY: 'key',
        DATABASE_PASSWORD: 'no',
        NODE_OPTIONS: '--no-warnings',
        MY_PROVIDER_KEY: 'named',
        GALLEY_AGENT_ENV: 'MY_PROVIDER_KEY',
      };
      const { run, fake } = stage('answer', { environment });
      await run();
      const seen = Object.keys(fake.call().environment);
      const own = { claude: 'ANTHROPIC_API_KEY', codex: 'OPENAI_API_KEY', gemini: 'GEMINI_API_KEY' }[
        cli.name
      ];
      expect(seen.filter((name) => /KEY|PASSWORD|NODE_OPTIONS/.test(name)).sort()).toEqual(
        [own, 'MY_PROVIDER_KEY'].sort(),
      );
    });

    it('in an empty folder when the run is Galley’s own', async () => {
      const { run, fake, work } = stage('answer');
      await run();
      expect(fake.call().entries).toEqual([]);
      expect(fake.call().cwd).not.toBe(work);
    });
  });
}
