// An agent CLI for tests: speaks the events of the CLI it is called as, and misbehaves on command.
// Called as: node fake-agent.mjs <cli> <behaviour> <record file> -- <arguments of the CLI>
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';

const [cli, behaviour, recordFile, , ...args] = process.argv.slice(2);
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
    begin: () => say({ type: 'system', subtype: 'init', model: 'fake-model', tools: [] }),
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
    good: (text) =>
      say({
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
      await say({ type: 'thread.started', thread_id: 'fake' });
      await say({ type: 'turn.started' });
      await say({ type: 'error', message: 'Reconnecting... 1/5 (SECRET)' });
      await say({ type: 'item.completed', item: { id: 'item_0', type: 'error', message: 'SECRET' } });
    },
    delta: () => say({ type: 'item.started', item: { id: 'item_1', type: 'reasoning', text: 'SECRET' } }),
    message: (text) => say({ type: 'item.completed', item: { id: 'item_2', type: 'agent_message', text } }),
    good: () =>
      say({ type: 'turn.completed', usage: { input_tokens: 17, cached_input_tokens: 5, output_tokens: 7 } }),
    bad: (status) =>
      say({
        type: 'turn.failed',
        error: { message: `unexpected status ${status} Nope: SECRET, url: SECRET` },
      }),
    badExit: () => 1,
  },
  gemini: {
    begin: async () => {
      await say({ type: 'init', session_id: 'fake', model: 'fake-model' });
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

const behaviours = {
  answer: () => answerWell(),
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
  await speech.begin();
  await behaviours[behaviour]();
}
// Children it left behind would keep it waiting.
process.exit();
