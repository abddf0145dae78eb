import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { scratchFolder } from '../../git/testing/scratch-repository.js';
import type { AgentCli } from './agent-cli.js';
import { claude } from './claude.js';
import { codex } from './codex.js';
import { readRollout } from './codex-rollout.js';
import { gemini } from './gemini.js';
import { namingIn } from './tool-target.js';

function replay(cli: AgentCli, events: readonly object[]) {
  const reader = cli.events(namingIn('/home/max/work'));
  let text = '';
  let begunAt = -1;
  events.forEach((event, index) => {
    const news = reader.read(event as Record<string, unknown>);
    text += news.text ?? '';
    if (news.begun && begunAt < 0) begunAt = index;
  });
  return { text, begunAt, outcome: reader.outcome() };
}

const delta = (text: string, parent: string | null = null) => ({
  type: 'stream_event',
  parent_tool_use_id: parent,
  event: { type: 'content_block_delta', delta: { type: 'text_delta', text } },
});
const start = { type: 'stream_event', parent_tool_use_id: null, event: { type: 'message_start' } };
const result = { type: 'result', subtype: 'success', is_error: false, num_turns: 1, result: 'done' };

describe('events of Claude Code', () => {
  it('set messages apart and leave out the words of helpers', () => {
    const read = replay(claude, [
      start,
      delta('one'),
      delta('inner', 'tool-1'),
      start,
      delta('done'),
      result,
    ]);
    expect(read.text).toBe('one\n\ndone');
    expect(read.outcome).toMatchObject({ kind: 'answered', text: 'done' });
  });

  it('do not count retries and notices as the beginning of an answer', () => {
    const notices = [
      { type: 'system', subtype: 'init' },
      { type: 'system', subtype: 'api_retry', error_status: 500 },
      { type: 'assistant', error: 'unknown', message: { model: '<synthetic>', content: [] } },
    ];
    expect(replay(claude, notices).begunAt).toBe(-1);
    expect(replay(claude, [...notices, start]).begunAt).toBe(3);
  });

  it('are a failure when the flag says so, whatever the subtype says', () => {
    const failures: [object[], string][] = [
      [[{ ...result, is_error: true, api_error_status: 401 }], 'authentication'],
      [[{ ...result, is_error: true, api_error_status: 529 }], 'rate-limit'],
      [[{ ...result, is_error: true, api_error_status: 500 }], 'unavailable'],
      [[{ ...result, is_error: true, stop_reason: 'refusal' }], 'refused'],
      [[{ ...result, is_error: true, result: 'Not logged in · Please run /login' }], 'authentication'],
      [[{ ...result, subtype: 'error_max_turns' }], 'length'],
      [[{ ...result, subtype: 'error_during_execution' }], 'unavailable'],
      [[{ ...result, num_turns: 0 }], 'not-sent'],
      [
        [
          { type: 'assistant', error: 'max_output_tokens' },
          { ...result, is_error: true },
        ],
        'length',
      ],
      [[result, { ...result, is_error: true }], 'unavailable'],
    ];
    for (const [events, reason] of failures)
      expect(replay(claude, events).outcome).toMatchObject({ kind: 'failed', reason });
  });
});

describe('events of the others', () => {
  it('make the last message of Codex the answer', () => {
    const message = (text: string) => ({ type: 'item.completed', item: { type: 'agent_message', text } });
    const events = [message('I look.'), message('Done.'), { type: 'turn.completed' }];
    expect(replay(codex, events)).toMatchObject({ text: 'I look.\n\nDone.', outcome: { text: 'Done.' } });
    expect(replay(codex, [message('Half.'), { type: 'error', message: 'Reconnecting' }]).outcome.kind).toBe(
      'none',
    );
  });

  it('make what Gemini says after its last tool the answer', () => {
    const say = (content: string) => ({ type: 'message', role: 'assistant', content, delta: true });
    const events = [
      { type: 'message', role: 'user', content: 'prompt' },
      say('I '),
      say('look.'),
      { type: 'tool_use' },
      { type: 'tool_result' },
      say('Do'),
      say('ne.'),
      { type: 'result', status: 'success' },
    ];
    expect(replay(gemini, events)).toMatchObject({
      text: 'I look.\n\nDone.',
      begunAt: 1,
      outcome: { kind: 'answered', text: 'Done.' },
    });
  });
});

describe('the thread that Codex keeps', () => {
  it('tells as refused what its sandbox stopped behind a link, and as failed what failed inside', async () => {
    const root = scratchFolder();
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    const folder = join(root, 'work');
    mkdirSync(folder);
    symlinkSync(root, join(folder, 'way-out'));
    const lines = ['way-out/made.txt', 'made.txt'].flatMap((path, at) => {
      const input = `await tools.apply_patch("*** Begin Patch\\n*** Add File: ${join(folder, path)}\\n+x\\n*** End Patch")`;
      const text = `Script error:\nExit code: 1\nOutput:\nFailed to write file ${join(folder, path)}\n`;
      const call = { call_id: `c${at}`, name: 'exec', input };
      return [
        { type: 'response_item', payload: { type: 'custom_tool_call', ...call } },
        {
          type: 'response_item',
          payload: { type: 'custom_tool_call_output', call_id: `c${at}`, output: [{ text }] },
        },
      ];
    });
    const file = join(root, 'rollout.jsonl');
    writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    expect((await readRollout(file, namingIn(folder))).events).toEqual([
      { kind: 'refused', tool: 'apply_patch', target: 'way-out/made.txt' },
    ]);
  });
});
