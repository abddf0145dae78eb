#!/usr/bin/env node
// An agent that speaks the Agent Client Protocol, well or badly: FAKE_ACP says how. It asks before it writes, and writes when it may.
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const mode = process.env.FAKE_ACP ?? 'good';
const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const update = (fields) => say({ method: 'session/update', params: { sessionId: 's', update: fields } });
const speak = (text) => update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
let folder = '';
let prompting;

const answers = {
  initialize: ({ id }) => {
    if (mode === 'deaf') return;
    process.stdout.write('Loading…\n');
    say({ id, result: { protocolVersion: 1, agentCapabilities: {} } });
  },
  'session/new': ({ id, params }) => {
    folder = params.cwd;
    if (mode === 'no-login') say({ id, error: { code: -32_000, message: 'Authentication required' } });
    else say({ id, result: { sessionId: 's' } });
  },
  'session/prompt': ({ id, params }) => {
    prompting = id;
    if (mode === 'die') process.exit(3);
    if (mode === 'hang') return speak('Wait');
    if (mode === 'refuse') return say({ id, result: { stopReason: 'refusal' } });
    if (mode === 'silent') return say({ id, result: { stopReason: 'end_turn' } });
    update({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'Hm.' } });
    update({ sessionUpdate: 'from_the_future', anything: true });
    say({ id: 'x', method: 'fs/read_text_file', params: { path: '/etc/passwd' } });
    if (mode === 'link') symlinkSync('..', join(folder, 'way-out'));
    const places = {
      outside: '/somewhere/else.txt',
      'late-outside': '/somewhere/else.txt',
      link: join(folder, 'way-out', 'made.txt'),
    };
    const path = places[mode] ?? join(folder, 'made.txt');
    const command = mode === 'command' ? { kind: 'execute', rawInput: { command: 'touch made.txt' } } : {};
    const call = { toolCallId: 't1', title: 'Write', kind: 'edit', ...command };
    const at = mode === 'command' ? {} : { locations: [{ path }] };
    // Some begin before they know what a call is used on, and say it once.
    const isLate = mode.startsWith('late');
    if (!isLate) Object.assign(call, at);
    update({ sessionUpdate: 'tool_call', status: 'pending', ...call });
    const content = [{ type: 'diff', path, oldText: null, newText: 'made\n' }];
    if (isLate) update({ sessionUpdate: 'tool_call_update', toolCallId: 't1', ...at, content });
    const options = [
      { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
      { optionId: 'no', name: 'No', kind: 'reject_once' },
    ];
    say({ id: 7, method: 'session/request_permission', params: { sessionId: 's', toolCall: call, options } });
    if (mode !== 'sulk') speak(`Heard ${params.prompt[0].text.length}. `);
  },
  'session/cancel': () => say({ id: prompting, result: { stopReason: 'cancelled' } }),
};

function decided({ result }) {
  const isAllowed = result?.outcome?.optionId === 'yes';
  if (isAllowed && !mode.endsWith('outside')) writeFileSync(join(folder, 'made.txt'), 'made\n');
  const diff = { type: 'diff', path: join(folder, 'made.txt'), oldText: null, newText: 'made\n' };
  update({
    sessionUpdate: 'tool_call_update',
    toolCallId: 't1',
    ...(isAllowed
      ? { status: 'completed', ...(mode === 'late' ? {} : { content: [diff] }) }
      : { status: 'failed' }),
  });
  if (mode !== 'sulk') speak(isAllowed ? 'Done.' : 'I may not.');
  const usage = { inputTokens: 10, outputTokens: 5, cachedReadTokens: 90, cachedWriteTokens: 20 };
  say({ id: prompting, result: { stopReason: 'end_turn', usage } });
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line);
  if (message.id === 7 && message.method === undefined) decided(message);
  else answers[message.method]?.(message);
});
if (mode === 'stay') setInterval(() => {}, 1000);
