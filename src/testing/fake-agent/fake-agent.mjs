// An agent CLI for tests: speaks the events of the CLI it is called as, and misbehaves on command.
// Called as: node fake-agent.mjs <cli> <behaviour> <record file> -- <arguments of the CLI>
import { spawn, spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';

const [cli, behaviour, recordFile, , ...args] = process.argv.slice(2);
const session = '0d94148c-a323-48bd-b1c8-1241590650c7';
const words = ['Hel', 'lo ', 'wörld 你好 😀'];
const answer = words.join('');

const write = (text) =>
  new Promise((resolve) => {
    process.stdout.write(text, () => resolve());
  });
const say = (event) => write(`${JSON.stringify(event)}\n`);
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const forever = () => new Promise(() => setInterval(() => undefined, 1000));

const speech = {
  claude: {
    begin: () =>
      say({ type: 'system', subtype: 'init', session_id: session, model: 'fake-model', tools: [] }),
    delta: (text) =>
      say({
        type: 'stream_event',
        parent_tool_use_id: null,
        event: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
      }),
    message: (text) =>
      say({
        type: 'assistant',
        parent_tool_use_id: null,
        message: { model: 'fake-model', role: 'assistant', content: [{ type: 'text', text }] },
      }),
    good: (text, more) =>
      say({
        ...more,
        type: 'result',
        subtype: 'success',
        is_error: false,
        api_error_status: null,
        num_turns: 1,
        result: text,
        stop_reason: 'end_turn',
        usage: {
          input_tokens: 10,
          cache_creation_input_tokens: 2,
          cache_read_input_tokens: 5,
          output_tokens: 7,
        },
      }),
    bad: async (status) => {
      const text = `API Error: ${status} SECRET`;
      await say({
        type: 'assistant',
        error: 'unknown',
        message: { model: '<synthetic>', role: 'assistant', content: [{ type: 'text', text }] },
      });
      await say({
        type: 'result',
        subtype: 'success',
        is_error: true,
        api_error_status: status,
        num_turns: 1,
        result: text,
      });
    },
    badExit: () => 1,
  },
  codex: {
    begin: async () => {
      await say({ type: 'thread.started', thread_id: session });
      await say({ type: 'turn.started' });
      await say({ type: 'error', message: 'Reconnecting... 1/5 (SECRET)' });
      await say({ type: 'item.completed', item: { id: 'item_0', type: 'error', message: 'SECRET' } });
    },
    delta: () => say({ type: 'item.started', item: { id: 'item_1', type: 'reasoning', text: 'SECRET' } }),
    message: (text) => say({ type: 'item.completed', item: { id: 'item_2', type: 'agent_message', text } }),
    good: (_, more) =>
      say({
        type: 'turn.completed',
        usage: { input_tokens: 17, cached_input_tokens: 5, output_tokens: 7 },
        ...more,
      }),
    bad: (status) =>
      say({
        type: 'turn.failed',
        error: { message: `unexpected status ${status} Nope: SECRET, url: SECRET` },
      }),
    badExit: () => 1,
  },
  gemini: {
    begin: async () => {
      await say({ type: 'init', session_id: session, model: 'fake-model' });
      await say({ type: 'message', role: 'user', content: 'SECRET prompt echoed' });
    },
    delta: (text) => say({ type: 'message', role: 'assistant', content: text, delta: true }),
    message: async () => undefined,
    good: () =>
      say({
        type: 'result',
        status: 'success',
        stats: { input_tokens: 17, output_tokens: 7, cached: 5, total_tokens: 24 },
      }),
    bad: () => say({ type: 'result', status: 'error', error: { type: 'unknown', message: 'SECRET' } }),
    badExit: (status) => status % 256,
  },
}[cli];

/** One tool call after the other, each with how it ended: done, failed or refused, in the words of each CLI. */
const cwd = process.cwd();
const calls = [
  { tool: 'edit', path: `${cwd}/refused.txt`, outcome: 'refused' },
  { tool: 'edit', path: `${cwd}/later.txt`, outcome: 'refused' },
  { tool: 'edit', path: `${cwd}/later.txt`, outcome: 'done' },
  { tool: 'run', command: `node ${cwd}/x.js /etc/passwd`, outcome: 'failed' },
];
const toolsOf = {
  claude: async (list) => {
    const denials = [];
    for (const [at, { tool, path, command, outcome }] of list.entries()) {
      const [id, name] = [`toolu_${at}`, tool === 'edit' ? 'Write' : 'Bash'];
      const input = tool === 'edit' ? { file_path: path, content: 'x' } : { command };
      const content = [{ type: 'tool_use', id, name, input }];
      await say({ type: 'assistant', parent_tool_use_id: null, message: { model: 'fake-model', content } });
      const bad = {
        refused: `Claude requested permissions to write to ${path}, but you haven't granted it yet.`,
        failed: 'Exit code 1',
      }[outcome];
      if (outcome === 'refused') denials.push({ tool_name: name, tool_use_id: id, tool_input: input });
      const result = {
        type: 'tool_result',
        tool_use_id: id,
        content: bad ?? 'done',
        is_error: bad !== undefined,
      };
      const more = outcome === 'done' && path ? { tool_use_result: { type: 'create', filePath: path } } : {};
      await say({ type: 'user', message: { role: 'user', content: [result] }, ...more });
    }
    return { permission_denials: denials, total_cost_usd: 0.25 };
  },
  codex: async (list) => {
    const lines = [
      { type: 'event_msg', payload: { type: 'task_started' } },
      { type: 'turn_context', payload: { model: 'fake-model' } },
    ];
    for (const [at, { tool, path, command, outcome }] of list.entries()) {
      const script =
        tool === 'edit'
          ? `await tools.apply_patch(\`*** Begin Patch\n*** Add File: ${path}\n+x\n*** End Patch\`)`
          : `await tools.exec_command({cmd: ${JSON.stringify(command)}})`;
      const output = {
        refused:
          'Script error:\npatch rejected: writing is blocked by read-only sandbox; rejected by user approval settings',
        failed: '{"exit_code":1,"output":"no"}',
        done: 'Script completed',
      }[outcome];
      const call_id = `call_${at}`;
      lines.push({
        type: 'response_item',
        payload: { type: 'custom_tool_call', call_id, name: 'exec', input: script },
      });
      const text = [{ type: 'input_text', text: output }];
      lines.push({
        type: 'response_item',
        payload: { type: 'custom_tool_call_output', call_id, output: text },
      });
      if (outcome === 'refused') continue;
      const item =
        tool === 'edit'
          ? { id: `item_t${at}`, type: 'file_change', changes: [{ path, kind: 'add' }] }
          : { id: `item_t${at}`, type: 'command_execution', command: `/bin/bash -lc '${command}'` };
      await say({ type: 'item.started', item: { ...item, status: 'in_progress' } });
      await say({
        type: 'item.completed',
        item: { ...item, status: outcome === 'done' ? 'completed' : 'failed' },
      });
    }
    const usage = { input_tokens: 17, cached_input_tokens: 5, output_tokens: 7 };
    lines.push({ type: 'token_usage_record', payload: { turn_token_usage: usage } });
    writeRollout(lines);
    return { usage: { input_tokens: 1017, cached_input_tokens: 505, output_tokens: 107 } };
  },
  gemini: async (list) => {
    for (const [at, { tool, path, command, outcome }] of list.entries()) {
      const named = tool === 'edit' ? { tool_name: 'write_file' } : { tool_name: 'run_shell_command' };
      const parameters = tool === 'edit' ? { file_path: path, content: 'x' } : { command };
      await say({ type: 'tool_use', tool_id: `t${at}`, ...named, parameters });
      const error = {
        refused: {
          type: 'invalid_tool_params',
          message: `Access denied: plan path (${path}) must be elsewhere`,
        },
        failed: { type: 'shell_execute_error', message: 'no' },
      }[outcome];
      await say({ type: 'tool_result', tool_id: `t${at}`, status: error ? 'error' : 'success', error });
    }
    return {};
  },
};

/** Where the real one keeps a thread. */
function writeRollout(lines) {
  const day = `${process.env.CODEX_HOME ?? `${process.env.HOME}/.codex`}/sessions/2026/01/02`;
  mkdirSync(day, { recursive: true });
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  appendFileSync(`${day}/rollout-2026-01-02T03-04-05-${session}.jsonl`, text);
}

const record = (entry) => appendFileSync(recordFile, `${JSON.stringify(entry)}\n`);

async function readAll() {
  const chunks = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

function systemFileOf() {
  const flagged = args.findIndex((arg) => arg.endsWith('system-prompt-file'));
  if (flagged >= 0) return args[flagged + 1];
  const set = args.find((arg) => arg.startsWith('model_instructions_file='));
  return set === undefined ? process.env.GEMINI_SYSTEM_MD : JSON.parse(set.slice(set.indexOf('=') + 1));
}

function recordCall(stdin) {
  const file = systemFileOf();
  const exists = file !== undefined && existsSync(file);
  record({
    pid: process.pid,
    args,
    cwd: process.cwd(),
    entries: readdirSync('.'),
    environment: { ...process.env },
    stdin,
    ...(exists
      ? { systemFile: file, system: readFileSync(file, 'utf8'), mode: statSync(file).mode & 0o777 }
      : {}),
  });
}

async function tell(text = answer) {
  if (text === answer) for (const word of words) await speech.delta(word);
  else await speech.delta(text);
  await speech.message(text);
}

async function answerWell(text) {
  await tell(text);
  await speech.good(text ?? answer);
}

/** The bytes of a good answer, unsaid. */
async function rehearse() {
  const real = process.stdout.write.bind(process.stdout);
  let bytes = Buffer.alloc(0);
  process.stdout.write = (text, done) => {
    bytes = Buffer.concat([bytes, Buffer.from(text)]);
    done?.();
    return true;
  };
  await answerWell();
  process.stdout.write = real;
  return bytes;
}

/** A child of the same group that survives its parent and a polite signal, and holds the pipes open. */
async function leaveGrandchild() {
  const script =
    "process.on('SIGTERM', () => undefined); setInterval(() => undefined, 1000); console.log('{}');";
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  const holder = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'inherit', 'inherit'] });
  record({ grandchildren: [child.pid, holder.pid] });
}

/** What a test wants done to the folder it works in. */
const work = () => spawnSync('/bin/sh', [`${recordFile}.sh`], { stdio: 'ignore' });

const behaviours = {
  answer: () => answerWell(),
  work: async () => {
    work();
    await answerWell();
  },
  'work-fail': async () => {
    work();
    await speech.bad(429);
    process.exitCode = speech.badExit(429);
  },
  late: async () => {
    await sleep(400);
    await answerWell();
  },
  'when-released': async () => {
    // A test that failed takes its folder along, and must not leave this behind.
    while (!existsSync(`${recordFile}.released`) && existsSync(recordFile)) await sleep(5);
    await answerWell();
  },
  unknown: async () => {
    await write(
      'plain talk on stdout\n\n[1,2]\nnull\n"text"\n{"type":"not.known","text":"SECRET"}\n{"type":7}\n',
    );
    await write(
      '{"type":"result"\n{"type":"assistant","message":null}\n{"type":"item.completed","item":3}\n',
    );
    await tell();
    await say({ type: 'another.unknown' });
    await speech.good(answer);
  },
  chopped: async () => {
    const bytes = await rehearse();
    const whole = bytes.subarray(0, -1);
    for (let at = 0; at < whole.length; at += 7) {
      await write(whole.subarray(at, at + 7));
      await new Promise(setImmediate);
    }
  },
  /** Refused one file, refused another and then let, and a command that failed. */
  tools: async () => {
    const more = await toolsOf[cli](calls);
    await tell();
    await speech.good(answer, more);
  },
  /** Refused, and let later. */
  'tools-overcome': async () => {
    const more = await toolsOf[cli](calls.slice(1, 3));
    await tell();
    await speech.good(answer, more);
  },
  'no-session': async () => {
    if (cli === 'claude')
      await say({
        type: 'result',
        subtype: 'error_during_execution',
        is_error: true,
        errors: ['No conversation found with session ID: SECRET'],
      });
    process.stderr.write(
      cli === 'codex' ? 'Error: no rollout found for thread id SECRET' : 'Error resuming session: SECRET',
    );
    process.exitCode = cli === 'gemini' ? 42 : 1;
  },
  'no-result': () => tell(),
  'half-json': async () => {
    await tell();
    await write('{"type":"result","subtype":"success","is_error":fal');
  },
  garbage: () => write('\u0000\u0001 not json at all\n{{{{\n'),
  empty: () => answerWell('  \n'),
  'bad-exit-0': async () => {
    await tell();
    await speech.bad(500);
  },
  'good-exit-1': async () => {
    await answerWell();
    process.exitCode = 1;
  },
  'api-401': async () => {
    await speech.bad(401);
    process.exitCode = speech.badExit(401);
  },
  'api-429': async () => {
    await speech.bad(429);
    process.exitCode = speech.badExit(429);
  },
  'api-400': async () => {
    await speech.bad(400);
    process.exitCode = speech.badExit(400);
  },
  never: () => forever(),
  'begin-hang': async () => {
    await tell();
    await forever();
  },
  'ignore-term': async () => {
    process.on('SIGTERM', () => record({ asked: 'SIGTERM' }));
    await tell();
    await forever();
  },
  'grandchild-answer': async () => {
    await leaveGrandchild();
    await answerWell();
  },
  'grandchild-hang': async () => {
    await leaveGrandchild();
    await tell();
    await forever();
  },
  'flood-line': async () => {
    await write('x'.repeat(24 * 1024 * 1024));
    await forever();
  },
  'flood-lines': async () => {
    const noise = `${'x'.repeat(1023)}\n`.repeat(1024);
    for (let megabyte = 0; megabyte < 20; megabyte += 1) await write(noise);
    await answerWell();
  },
  'flood-answer': async () => {
    const part = 'x'.repeat(1024 * 1024);
    for (let megabyte = 0; megabyte < 20; megabyte += 1) {
      await speech.delta(part);
      await speech.message(part);
    }
    await forever();
  },
  // Ends at once, whether or not anybody has read what it wrote.
  hasty: async () => {
    const bytes = await rehearse();
    const echo = { type: 'message', role: 'user', content: 'x'.repeat(4_000_000) };
    process.stdout.write(`${JSON.stringify(echo)}\n`);
    process.stdout.write(bytes);
    process.exit(0);
  },
  'flood-slowly': async () => {
    for (;;) {
      await speech.delta('again and again ');
      await sleep(20);
    }
  },
  die: async () => {
    await tell();
    process.kill(process.pid, 'SIGKILL');
    await forever();
  },
};

if (args[0] === '--version') {
  await write(behaviour === 'old' ? `0.9.1 (${cli})\n` : '99.0.0\n');
} else if (behaviour === 'old') {
  process.stderr.write("error: unknown option '--SECRET'\n");
  process.exitCode = 1;
} else if (behaviour === 'close-stdin') {
  process.stdin.destroy();
  recordCall('');
  await speech.begin();
  await sleep(200);
  await answerWell();
} else {
  recordCall(await readAll());
  if (behaviour !== 'no-session') await speech.begin();
  await behaviours[behaviour]();
}
// Children it left behind would keep it waiting.
process.exit();
