// Agents beside the three: over the Agent Client Protocol and by description, well-behaved and not.
import { chmodSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { scratchFolder } from '../../git/testing/scratch-repository.js';
import type { AgentEvent, Permission } from '../contract/agent-event.js';
import type { RunOptions } from '../contract/model.js';
import { otherAgentModel, otherAgents } from './other-agents.js';

const fake = join(process.cwd(), 'src/testing/fake-agent/fake-acp-agent.mjs');
const timeouts = { firstByteMs: 60_000, totalMs: 60_000 };

function scratch(): string {
  const folder = scratchFolder();
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The agents of a file like the user's own, in an environment that knows nothing else. */
async function described(folder: string, agents: object, more: NodeJS.ProcessEnv = {}) {
  const file = join(folder, 'agents.json');
  writeFileSync(file, JSON.stringify(agents));
  const environment = { PATH: process.env.PATH, GALLEY_AGENTS: file, ...more };
  return { environment, agents: await otherAgents(environment) };
}

interface Spoken {
  readonly mode?: string;
  readonly may?: Permission;
  readonly run?: Partial<RunOptions>;
  readonly clocks?: Partial<typeof timeouts>;
}

async function talk({ mode = 'good', may = 'edit', run = {}, clocks = {} }: Spoken = {}) {
  const folder = scratch();
  const agent = { command: [process.execPath, fake], speaks: 'acp', variables: ['FAKE_ACP'], title: 'Faker' };
  const { agents, environment } = await described(scratch(), { faker: agent }, { FAKE_ACP: mode });
  if (agents.faker === undefined) throw new Error('not described');
  const model = await otherAgentModel('faker', agents.faker, { folder, may, environment });
  const events: AgentEvent[] = [];
  const answer = model.run(
    { prompt: 'Make the file.', timeouts: { ...timeouts, ...clocks } },
    { signal: new AbortController().signal, onEvent: (event) => events.push(event), ...run },
  );
  return { answer, events, made: () => existsSync(join(folder, 'made.txt')), folder };
}

const kinds = (events: readonly AgentEvent[]) => events.map(({ kind }) => kind);

describe('an agent that speaks the Agent Client Protocol', () => {
  it.each(['good', 'late'])('does what it may, and tells it in the words of all agents: %s', async (mode) => {
    const { answer, events, made, folder } = await talk({ mode });
    expect(await answer).toEqual({
      text: 'Heard 14. \n\nDone.',
      finish: 'stop',
      usage: { inputTokens: 120, outputTokens: 5, cachedInputTokens: 90, cacheWriteTokens: 20 },
    });
    expect(made()).toBe(true);
    expect(kinds(events)).toEqual([
      ...['warning', 'session', 'reasoning', 'tool-started', 'text'],
      ...['tool-ended', 'file-changed', 'text', 'usage', 'end'],
    ]);
    expect(events).toContainEqual({ kind: 'file-changed', path: 'made.txt', change: 'created' });
    expect(events.filter(({ kind }) => kind.startsWith('tool-'))).toMatchObject([
      { tool: 'edit', target: 'made.txt' },
      { tool: 'edit', target: 'made.txt', outcome: 'done' },
    ]);
    expect(JSON.stringify(events)).not.toContain(folder);
  });

  it.each([
    ['read', 'good', 'edit', 'made.txt'],
    ['read', 'late', 'edit', 'made.txt'],
    ['edit', 'outside', 'edit', '(outside the folder)'],
    ['edit', 'late-outside', 'edit', '(outside the folder)'],
    ['edit', 'link', 'edit', 'way-out/made.txt'],
    ['edit', 'command', 'execute', 'touch made.txt'],
  ] as const)('is refused under %s what is not covered: %s', async (may, mode, tool, target) => {
    const { answer, events, made } = await talk({ may, mode });
    expect((await answer).text).toContain('I may not.');
    expect(made()).toBe(false);
    expect(events).toContainEqual({ kind: 'refused', tool, target });
  });

  it('may have nothing to say once it was refused something', async () => {
    const { answer, events } = await talk({ may: 'read', mode: 'sulk' });
    expect((await answer).text).toBe('');
    expect(kinds(events)).toContain('refused');
  });

  it('may run commands under run', async () => {
    const { answer, made } = await talk({ may: 'run', mode: 'command' });
    await answer;
    expect(made()).toBe(true);
  });

  it.each([
    ['die', 'MODEL_UNAVAILABLE'],
    ['no-login', 'MODEL_NOT_CONFIGURED'],
    ['refuse', 'MODEL_REFUSED'],
    ['silent', 'MODEL_ANSWER_INVALID'],
  ])('that behaves like "%s" ends with %s', async (mode, code) => {
    await expect((await talk({ mode })).answer).rejects.toMatchObject({ code });
  });

  it('that never answers is ended by the clock', async () => {
    const { answer } = await talk({ mode: 'deaf', clocks: { firstByteMs: 300 } });
    await expect(answer).rejects.toMatchObject({ code: 'TIMEOUT', details: { phase: 'first-byte' } });
  });

  it('that is cancelled is told so, and is gone', async () => {
    const cancel = new AbortController();
    const run = { signal: cancel.signal, onText: () => cancel.abort() };
    const { answer } = await talk({ mode: 'hang', run });
    await expect(answer).rejects.toMatchObject({ code: 'CANCELLED' });
  });

  it('whose process would stay is ended once it has answered', async () => {
    const { answer } = await talk({ mode: 'stay' });
    expect((await answer).text).toContain('Done.');
  });
});

describe('an agent by description', () => {
  const script = (folder: string, text: string) => {
    const path = join(folder, 'agent.sh');
    writeFileSync(path, `#!/bin/sh\n${text}\n`);
    chmodSync(path, 0o755);
    return path;
  };
  const ask = async (description: object, may: Permission) => {
    const folder = scratch();
    const { agents, environment } = await described(scratch(), { own: description });
    if (agents.own === undefined) throw new Error('not described');
    const model = await otherAgentModel('own', agents.own, { folder, may, environment });
    return model.run({ prompt: 'Say it.', timeouts }, { signal: new AbortController().signal });
  };

  it('takes the prompt on its standard input or as an argument, with what keeps it to a permission', async () => {
    const folder = scratch();
    const stdin = script(folder, 'printf "\\033[1m%s\\033[0m " "$1"; cat');
    const answer = await ask({ command: [stdin], may: { read: ['--safe'] } }, 'read');
    expect(answer).toEqual({ text: '--safe Say it.', finish: 'unknown' });
    const argument = script(scratch(), 'echo "<$*>"');
    const said = await ask({ command: [argument, '-m'], prompt: 'argument' }, 'run');
    expect(said.text).toBe('<-m Say it.>');
  });

  it('is not started under a permission that nothing keeps it to', async () => {
    await expect(ask({ command: ['/bin/cat'] }, 'read')).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      details: { field: 'may' },
    });
  });

  it('that fails, says nothing or is not there is told apart', async () => {
    const failing = script(scratch(), 'echo half; exit 4');
    await expect(ask({ command: [failing] }, 'run')).rejects.toThrow('ended with exit code 4');
    const silent = script(scratch(), 'cat > /dev/null');
    await expect(ask({ command: [silent] }, 'run')).rejects.toThrow('ended without a result');
    await expect(ask({ command: ['no-such-agent-anywhere'] }, 'run')).rejects.toThrow('not installed');
  });

  it.each([
    ['not JSON', '{'],
    ['a name that is none', '{"No Name":{"command":["x"]}}'],
    ['no command', '{"own":{}}'],
  ])('in a file with %s is refused', async (_, text) => {
    const file = join(scratch(), 'agents.json');
    writeFileSync(file, text);
    await expect(otherAgents({ GALLEY_AGENTS: file })).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  });
});
