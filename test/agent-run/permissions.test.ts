// What an agent was refused, in the words of each CLI: real processes, one answer.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runTurn } from '../../src/agents/run/run-turn.js';
import { builtInCatalog } from '../../src/models/catalog/catalog.js';
import { type CliModelOptions, cliModel } from '../../src/models/cli/cli-model.js';
import { agentClis } from '../../src/models/cli/find-agent-cli.js';
import type { AgentEvent } from '../../src/models/contract/agent-event.js';
import { installFakeAgent } from '../../src/testing/fake-agent/install-fake-agent.js';

const root = mkdtempSync(join(tmpdir(), 'galley-may-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const timeouts = { firstByteMs: 50_000, totalMs: 50_000 };
const session = '0d94148c-a323-48bd-b1c8-1241590650c7';
const types = { claude: 'claude-code', codex: 'openai-codex', gemini: 'google-gemini' } as const;
const tools = {
  claude: { edit: 'Write', run: 'Bash' },
  codex: { edit: 'apply_patch', run: 'exec_command' },
  gemini: { edit: 'write_file', run: 'run_shell_command' },
};
const priced = { model: 'fake-model', input: 1000, cachedInput: 100, output: 2000 };
const catalog = { ...builtInCatalog, rows: [priced] };
let count = 0;

for (const cli of Object.values(agentClis)) {
  const { edit, run } = tools[cli.name];
  const stage = (behaviour: string, options: Partial<CliModelOptions> = {}) => {
    count += 1;
    const home = join(root, `${cli.name}-${count}`);
    const work = join(home, 'work');
    mkdirSync(work, { recursive: true });
    const fake = installFakeAgent(home, cli.name, behaviour);
    const environment = { PATH: process.env.PATH, HOME: home, ...options.environment };
    const places = { command: fake.command, folder: work, native: false };
    const model = cliModel(cli, { ...places, ...options, environment });
    const events: AgentEvent[] = [];
    const turn = (currentMessage = 'Do it.') =>
      runTurn(
        types[cli.name],
        { contextMessages: [], currentMessage },
        {
          ...{ model, timeouts, catalog, signal: new AbortController().signal },
          onEvent: (event) => events.push(event),
        },
      );
    const rollouts = () => {
      const day = join(home, '.codex', 'sessions', '2026', '01', '02');
      return existsSync(day) ? readdirSync(day) : [];
    };
    return { fake, work, turn, events, rollouts };
  };

  describe.concurrent(`${cli.title} says what it did`, () => {
    it('and what it was refused for good, in answer, record and events [A2]', async () => {
      const { turn, events, rollouts } = stage('tools');
      const { refusals, filesChanged, runs, cost, usage } = await turn();
      expect(refusals).toEqual([{ tool: edit, target: 'refused.txt' }]);
      expect(filesChanged.map(({ path }) => path)).toEqual(['later.txt']);
      expect(runs[0]?.refused).toEqual([{ tool: edit, times: 1 }]);
      expect(usage).toMatchObject({ inputTokens: 17, outputTokens: 7 });
      // Claude Code counts it itself; of the others the model is known, and what it costs.
      expect(cost?.dollars).toBeCloseTo(cli.name === 'claude' ? 0.25 : 12e-3 + 5e-4 + 14e-3, 6);
      const refused = events.filter(({ kind }) => kind === 'refused');
      expect(refused.map((event) => 'target' in event && event.target)).toEqual(['refused.txt', 'later.txt']);
      expect(events).toContainEqual(
        expect.objectContaining({ kind: 'tool-ended', tool: run, outcome: 'failed' }),
      );
      expect(events.at(-1)).toMatchObject({ kind: 'end' });
      expect(rollouts()).toEqual([]);
    });

    it('with no absolute path in any event', async () => {
      const { turn, events } = stage('tools');
      const answer = await turn();
      const said = JSON.stringify([events, answer.refusals, answer.filesChanged]);
      expect(said).not.toContain(root);
      expect(said).not.toContain('/etc/passwd');
      expect(said).toContain('(outside the folder)');
    });

    it('and nothing was refused for good that it got later', async () => {
      const { turn, events } = stage('tools-overcome');
      const { refusals, runs } = await turn();
      expect(refusals).toEqual([]);
      expect(runs[0]).not.toHaveProperty('refused');
      expect(events.some(({ kind }) => kind === 'refused')).toBe(true);
    });

    it('after it has said what the agent may not do', async () => {
      const { turn, events } = stage('answer');
      await turn();
      expect(events[0]).toMatchObject({ kind: 'warning', about: 'only-reads' });
      const free = stage('answer', { may: 'run' });
      await free.turn();
      expect(free.events[0]).toMatchObject({
        kind: 'warning',
        about: cli.name === 'codex' ? 'commands-in-sandbox' : 'commands-anywhere',
      });
      const editing = stage('answer', { may: 'edit' });
      await editing.turn();
      const before = editing.events.filter(({ kind }) => kind === 'warning');
      expect(before.some((event) => 'about' in event && event.about === 'edit-runs-commands')).toBe(
        cli.name === 'codex',
      );
    });
  });

  describe.concurrent(`${cli.title} works`, () => {
    it('in the folder of the project', async () => {
      const { turn, fake, work } = stage('answer');
      await turn();
      expect(fake.call().cwd).toBe(work);
    });

    it('with @max, and is not begun with a word that it would read as a file [A3]', async () => {
      const { turn, fake, work } = stage('answer');
      writeFileSync(join(work, 'notes.md'), 'x');
      await turn('ask @max and @sarah, mail max@example.org');
      expect(fake.call().stdin).toContain('ask @max and @sarah');
      const calls = fake.records().length;
      const words = ['see @notes.md, please', 'see @./notes.md', '@notes.md'];
      for (const message of words) {
        const begun = turn(message);
        if (cli.name === 'codex') await begun;
        else
          await expect(begun).rejects.toMatchObject({
            code: 'INVALID_ARGUMENT',
            message: expect.stringMatching(/@(?:\.\/)?notes\.md/),
          });
      }
      expect(fake.records().length - calls).toBe(cli.name === 'codex' ? words.length : 0);
    });

    it('on a session that is kept only when it is asked for', async () => {
      const once = stage('tools');
      expect(await once.turn()).not.toHaveProperty('session');
      expect(once.events).not.toContainEqual(expect.objectContaining({ kind: 'session', id: session }));
      const kept = stage('tools', { keepSession: true });
      expect(await kept.turn()).toMatchObject({ session });
      if (cli.name === 'codex') expect(kept.rollouts()).toHaveLength(1);
      const resumed = stage('tools', { resume: session });
      expect(await resumed.turn()).toMatchObject({ session, usage: { inputTokens: 17, outputTokens: 7 } });
      expect(resumed.fake.call().args).toContain(session);
    });

    it('on no session that it does not know', async () => {
      const { turn } = stage('no-session', { resume: session });
      await expect(turn()).rejects.toMatchObject({ code: 'NOT_FOUND' });
      // Some begin a new one without a word.
      const other = stage('answer', { resume: '11111111-a323-48bd-b1c8-1241590650c7' });
      await expect(other.turn()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    });
  });
}
