import { describe, expect, it } from 'vitest';
import type { AgentCli } from './agent-cli.js';
import { claude } from './claude.js';
import { cliModel } from './cli-model.js';
import { codex } from './codex.js';
import { gemini } from './gemini.js';

const request = {
  prompt: '[MESSAGE]\nHello',
  system: 'You are Max.',
  native: false,
  model: undefined,
  environment: {},
  systemFile: '/private/system.md',
};
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
    const { args, place } = claude.prepare({ ...request, native: true });
    expect(valueAfter(args, '--system-prompt-file')).toBe(request.systemFile);
    expect(valueAfter(args, '--tools')).toBe('');
    expect(place).toBe('empty');
  });

  it('never lets words like @path be read as files', () => {
    const isBare = (prompt: string, environment = {}) =>
      claude.prepare({ ...request, prompt, environment }).args.includes('--bare');
    for (const prompt of ['@/etc/passwd', 'see @notes.md', '"@x"', '(@x)', 'a\n@x'])
      expect(isBare(prompt), prompt).toBe(true);
    expect(isBare('write to max@example.org')).toBe(false);
    expect(isBare('Hello', { ANTHROPIC_API_KEY: 'key' })).toBe(true);
  });

  it('in an empty folder minds only words that lead out of it, so that a login can read a diff', () => {
    const isBare = (prompt: string) =>
      claude.prepare({ ...request, native: true, prompt }).args.includes('--bare');
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
      place: 'empty',
    });
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
