// What a person at a terminal is told of an agent at work: nothing twice, and a hint only where it helps.
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { outside } from '../../../models/cli/tool-target.js';
import { refusalWords, speak } from '../words/word.js';
import { talkScreen } from './agent-run-command.js';
import { refusalLines } from './event-lines.js';

let said = '';
const { isTTY } = process.stderr;
beforeEach(() => {
  said = '';
  process.stderr.isTTY = true;
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    said += String(text);
    return true;
  });
});
afterEach(async () => {
  vi.restoreAllMocks();
  process.stderr.isTTY = isTTY;
  await speak('en');
});

const usage = (inputTokens: number) => ({ kind: 'usage', inputTokens, outputTokens: 1 }) as const;

describe('an agent at work on a terminal', () => {
  it('has what it used told between its deeds, and not again before the end', () => {
    const { onEvent } = talkScreen().listeners;
    onEvent?.(usage(10));
    onEvent?.(usage(20));
    onEvent?.({ kind: 'file-changed', path: 'a.txt', change: 'changed' });
    onEvent?.(usage(30));
    onEvent?.({ kind: 'end', finish: 'stop' });
    expect(said.match(/\d+(?= tokens in)/g)).toEqual(['20']);
  });

  it('told so all the same where it gives up', () => {
    const screen = talkScreen();
    screen.listeners.onEvent?.(usage(30));
    screen.giveUp();
    expect(said).toContain('30 tokens in');
  });

  it('gets no flag recommended for what lies outside its folder', () => {
    const far = { tool: 'Read', target: outside };
    expect(refusalLines([far], { may: 'read' })).toEqual([
      expect.stringMatching(/^(?!.*--may).*this folder alone/),
    ]);
    expect(refusalLines([far, { tool: 'Bash' }], { may: 'edit' })).toEqual([
      expect.stringMatching(/--may run.*this folder alone/),
    ]);
    expect(refusalLines([{ tool: 'Bash' }], { may: 'edit' })[0]).not.toContain('alone');
    // Its sandbox is the same under both.
    const sandboxed = refusalLines([{ tool: 'exec' }], { agent: 'codex', may: 'edit' });
    expect(sandboxed).toEqual([expect.stringMatching(/^(?!.*--may).*this folder alone/)]);
  });

  it('is not told an answer again that came line by line', () => {
    const screen = talkScreen();
    screen.listeners.onText?.('one\ntwo\n');
    screen.finish({ answer: 'one\ntwo', finish: 'stop', refusals: [], filesChanged: [] });
    expect(said).not.toContain('anew');
    expect(vi.mocked(process.stdout.write).mock.calls).toEqual([['one\ntwo\n']]);
  });

  it('is one page with its answer: no line runs into another, and none is empty', () => {
    const wasTerminal = process.stdout.isTTY;
    process.stdout.isTTY = true;
    onTestFinished(() => {
      process.stdout.isTTY = wasTerminal;
    });
    vi.mocked(process.stdout.write).mockImplementation((text) => {
      said += String(text);
      return true;
    });
    const { onText, onEvent } = talkScreen().listeners;
    onText?.('Let me look.');
    onEvent?.({ kind: 'tool-started', id: '1', tool: 'Read', target: 'a.txt' });
    onEvent?.({ kind: 'tool-ended', id: '1', tool: 'Read', target: outside, outcome: 'refused' });
    onText?.('\n\nDone');
    onText?.('.\n\nReally.');
    expect(said).toBe(
      'Let me look.\ngalley: … Read a.txt\ngalley: Read (outside the folder): refused\nDone.\n\nReally.',
    );
  });

  it('is refused in Chinese where that is the language', async () => {
    await speak('zh');
    for (const sentence of [
      'Claude Code is not installed; install it with: npm install -g x',
      'Codex did not finish in time.',
      'The race is still running; take when it is done.',
      'agent: it took no part in this race; claude, codex did.',
      "Unknown option '--mya' (Did you mean --may?)",
      "Unknown command 'jbos' (Did you mean jobs?)",
      "Unknown command 'frobnicate'",
      "Missing required argument 'text'",
      "Option '--may <what>' argument 'all' is invalid. Allowed are read, edit, run.",
      "Command-argument value 'x' is invalid for argument 'to'. Allowed are claude, codex.",
      'There is no session of Claude Code, Codex or Gemini CLI in this folder; galley agent sessions lists what there is.',
      'No such room in this project; list them to see what there is.',
      "Too many arguments for 'inspect'. Expected 1 argument but got 3.",
    ])
      expect(refusalWords(sentence)).toMatch(
        /^(?!.*(?:install it with|did|race|argument|Unknown|folder|project|invalid)).*\p{Script=Han}/u,
      );
  });
});
