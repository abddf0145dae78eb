import { describe, expect, it } from 'vitest';
import { permissions } from '../contract/agent-event.js';
import type { AgentCli, AgentTurn } from './agent-cli.js';
import { claude } from './claude.js';
import { cliModel } from './cli-model.js';
import { codex } from './codex.js';
import { gemini } from './gemini.js';

const request = {
  prompt: '[MESSAGE]\nHello',
  system: 'You are Max.',
  turn: { may: 'read', folder: '/home/max/work', keepSession: false } as AgentTurn | undefined,
  model: undefined,
  environment: {},
  systemFile: '/private/system.md',
  emptyFolder: '/private/empty',
  fileNamed: (name: string) => `/private/${name}`,
};
const turnOf = (turn: Partial<AgentTurn>): AgentTurn => ({
  ...{ may: 'read', folder: '/home/max/work', keepSession: false },
  ...turn,
});
const valueAfter = (args: readonly string[], flag: string) => args[args.indexOf(flag) + 1];

describe('the command line of Claude Code', () => {
  it('is the published one: prompt on stdin, system text as an argument [agent.run]', () => {
    const { args, input, systemText } = claude.prepare(request);
    expect(args.slice(0, 4)).toEqual(['--print', '--output-format', 'stream-json', '--verbose']);
    expect(valueAfter(args, '--append-system-prompt')).toBe('You are Max.');
    expect(input).toBe('[MESSAGE]\nHello');
    expect(systemText).toBeUndefined();
    expect(claude.prepare({ ...request, system: undefined }).args.join(' ')).not.toContain('system-prompt');
  });

  it('names a file instead from 128 KiB on, counted in bytes [agent.run]', () => {
    const border = 131_072;
    const largest = '汉'.repeat(Math.floor((border - 1) / 3)) + 'x'.repeat((border - 1) % 3);
    expect(Buffer.byteLength(largest)).toBe(border - 1);
    expect(valueAfter(claude.prepare({ ...request, system: largest }).args, '--append-system-prompt')).toBe(
      largest,
    );
    const system = `${largest}x`;
    const { args, systemText } = claude.prepare({ ...request, system });
    expect(valueAfter(args, '--append-system-prompt-file')).toBe(request.systemFile);
    expect(args).not.toContain('--append-system-prompt');
    expect(systemText).toBe(system);
  });

  it('names a file for a system text that looks like a flag', () => {
    const { args } = claude.prepare({ ...request, system: '--help' });
    expect(args).toContain('--append-system-prompt-file');
    expect(args).not.toContain('--help');
  });

  it('replaces the system text and switches tools off when the run is native', () => {
    const { args, place } = claude.prepare({ ...request, turn: undefined });
    expect(valueAfter(args, '--system-prompt-file')).toBe(request.systemFile);
    expect(valueAfter(args, '--tools')).toBe('');
    expect(place).toBe('empty');
  });

  it('is the same with a key and with a login, whatever stands in the prompt [A4]', () => {
    for (const may of permissions) {
      const args = (environment: Record<string, string>, prompt = 'Hello') =>
        claude.prepare({ ...request, turn: turnOf({ may }), environment, prompt }).args;
      expect(args({ ANTHROPIC_API_KEY: 'key' })).toEqual(args({}));
      expect(args({}, 'see @notes.md and @max')).toEqual(args({}));
      expect(args({})).not.toContain('--bare');
      expect(valueAfter(args({}), '--setting-sources')).toBe('');
      expect(args({})).toContain('--strict-mcp-config');
    }
  });

  it('has the tools of what the agent may do, and no mode without checks', () => {
    const args = (may: AgentTurn['may']) => claude.prepare({ ...request, turn: turnOf({ may }) }).args;
    expect(valueAfter(args('read'), '--tools')).toBe('Read,Glob,Grep');
    expect(valueAfter(args('read'), '--permission-mode')).toBe('dontAsk');
    expect(valueAfter(args('edit'), '--tools')).toBe('Read,Glob,Grep,Edit,Write');
    expect(valueAfter(args('edit'), '--permission-mode')).toBe('acceptEdits');
    expect(args('edit')).not.toContain('--allowedTools');
    expect(valueAfter(args('run'), '--allowedTools')).toBe('Bash');
    for (const may of permissions) expect(args(may).join(' ')).not.toMatch(/bypass|dangerously/);
  });

  it('in an empty folder minds only words that lead out of it, so that a login can read a diff', () => {
    const isBare = (prompt: string) =>
      claude.prepare({ ...request, turn: undefined, prompt }).args.includes('--bare');
    const leading = [
      '@/etc/passwd',
      'see @~/.ssh/id',
      '@../x',
      '@a/../../x',
      '"@./x"',
      '@"/x"',
      '@server:x',
      '@agent-x',
    ];
    for (const prompt of leading) expect(isBare(prompt), prompt).toBe(true);
    const harmless = ['@@ -1,3 +1,4 @@ function f() {', '+  @Injectable()', '"@types/node"', 'see @notes.md'];
    for (const prompt of harmless) expect(isBare(prompt), prompt).toBe(false);
  });

  it('keeps the cached prefix steady unless the user says otherwise', () => {
    expect(claude.prepare(request).environment).toMatchObject({ CLAUDE_CODE_ATTRIBUTION_HEADER: '0' });
    const environment = { CLAUDE_CODE_MAX_RETRIES: '9' };
    expect(claude.prepare({ ...request, environment }).environment).toMatchObject(environment);
  });
});

describe('the command lines of the others', () => {
  it('hand system text to Codex as a file of instructions, the path quoted', () => {
    const { args, input } = codex.prepare({ ...request, systemFile: '/a "b"/system.md' });
    expect(args).toContain('model_instructions_file="/a \\"b\\"/system.md"');
    expect(args.at(-1)).toBe('-');
    expect(input).toBe(request.prompt);
  });

  it('hand system text to Gemini as a file', () => {
    expect(gemini.prepare(request)).toMatchObject({
      environment: { GEMINI_SYSTEM_MD: request.systemFile },
      systemText: request.system,
      input: request.prompt,
    });
  });

  it('put an agent into its folder and Galley’s own runs into an empty one', () => {
    for (const cli of [claude, codex, gemini]) {
      expect(cli.prepare(request).place).toBe('folder');
      expect(cli.prepare({ ...request, turn: undefined }).place).toBe('empty');
    }
  });

  it('hold Codex to its sandbox, in a folder that counts as untrusted', () => {
    const args = (may: AgentTurn['may']) => codex.prepare({ ...request, turn: turnOf({ may }) }).args;
    expect(valueAfter(args('read'), '--sandbox')).toBe('read-only');
    expect(valueAfter(args('edit'), '--sandbox')).toBe('workspace-write');
    expect(args('edit')).toContain('sandbox_workspace_write.exclude_slash_tmp=true');
    expect(args('edit')).toContain('sandbox_workspace_write.exclude_tmpdir_env_var=true');
    expect(valueAfter(args('run'), '--sandbox')).toBe('workspace-write');
    expect(args('run')).toContain('sandbox_workspace_write.exclude_slash_tmp=true');
    const running = codex.prepare({ ...request, turn: turnOf({ may: 'run' }) });
    expect(running.environment.TMPDIR).toBe('/private/empty');
    for (const may of permissions)
      expect(args(may)).toContain('projects={"/home/max/work"={trust_level="untrusted"}}');
    expect(codex.prepare({ ...request, turn: undefined }).args).toContain('--ephemeral');
  });

  it('hold Gemini to its modes, with no folder it could trust', () => {
    const modes = { read: 'plan', edit: 'auto_edit', run: 'yolo' };
    for (const may of permissions) {
      const { args, environment, files } = gemini.prepare({ ...request, turn: turnOf({ may }) });
      expect(valueAfter(args, '--approval-mode')).toBe(modes[may]);
      expect(args).not.toContain('--policy');
      const trusted = environment.GEMINI_CLI_TRUSTED_FOLDERS_PATH ?? '';
      expect(files?.[trusted]).toBe('{}');
    }
    const { args, files } = gemini.prepare({ ...request, prompt: 'hi @max' });
    expect(files?.[valueAfter(args, '--policy') ?? '']).toContain('toolName = "glob"');
  });

  it('resume a session, and keep one only where it is asked for', () => {
    const turn = turnOf({ resume: '0d94148c-a323-48bd-b1c8-1241590650c7', keepSession: true });
    const args = (cli: AgentCli) => cli.prepare({ ...request, turn, model: 'm-1' } as never).args;
    expect(valueAfter(args(claude), '--resume')).toBe(turn.resume);
    expect(valueAfter(args(claude), '--model')).toBe('m-1');
    expect(args(claude)).not.toContain('--no-session-persistence');
    expect(claude.prepare(request).args).toContain('--no-session-persistence');
    expect(args(codex).slice(-3)).toEqual(['resume', turn.resume, '-']);
    expect(valueAfter(args(gemini), '--resume')).toBe(turn.resume);
  });

  it('never change a text; what would be changed on the way is refused before [wire.same]', async () => {
    const run = { signal: new AbortController().signal };
    const refusal = (cli: AgentCli, texts: { prompt: string; system?: string }) => {
      const timeouts = { firstByteMs: 1, totalMs: 1 };
      return cliModel(cli, { command: 'never-started', folder: '.' }).run({ ...texts, timeouts }, run);
    };
    const refused = (field: string, says: RegExp) => ({
      code: 'INVALID_ARGUMENT',
      details: { field },
      message: expect.stringMatching(says),
    });
    for (const cli of [claude, gemini])
      await expect(refusal(cli, { prompt: '/help' })).rejects.toMatchObject(refused('prompt', /command/));
    const templated = { prompt: 'Hello', system: `List $${'{AvailableTools}'}.` };
    await expect(refusal(gemini, templated)).rejects.toMatchObject(refused('system', /as it is/));
    await expect(refusal(codex, { prompt: 'Hello', system: ' \n' })).rejects.toMatchObject(
      refused('system', /no words/),
    );
    for (const [cli, texts] of [
      [codex, { prompt: '/help' }],
      [claude, templated],
    ] as const)
      await expect(refusal(cli, texts)).rejects.not.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it('pass the name of a model on', () => {
    for (const cli of [claude, codex, gemini])
      expect(valueAfter(cli.prepare({ ...request, model: 'm-1' }).args, '--model')).toBe('m-1');
  });
});
