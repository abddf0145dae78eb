// How long is a session of 200 MB looked into, or gathered for another agent, against a plain split of the same file into lines, and
// does its memory stay flat? As sessions are, compacted whenever the window is full; without a single compaction; and of short lines
// only, which are the most to read. For each of the CLIs.
// Options: --megabytes <n> (200), --shape compacted|whole|short (all of them), --runs <n> (1; the fastest counts).
import { spawnSync } from 'node:child_process';
import {
  closeSync,
  createReadStream,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { gatherHandoff } from '../src/agents/handoff/gather-handoff.js';
import { inspectSession } from '../src/agents/sessions/inspect-session.js';
import { builtInCatalog } from '../src/models/catalog/catalog.js';
import type { AgentCliName } from '../src/models/cli/agent-cli.js';

const { values: options } = parseArgs({
  options: {
    megabytes: { type: 'string', default: '200' },
    shape: { type: 'string' },
    runs: { type: 'string', default: '1' },
    child: { type: 'string' },
    path: { type: 'string', default: '' },
  },
});

/** One way through the file, in a process of its own, so that each begins with the same memory. */
async function measure(kind: string, path: string): Promise<void> {
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
  }, 20);
  const used = process.cpuUsage();
  const start = performance.now();
  let seen = 0;
  if (kind === 'split')
    for await (const line of createInterface({ input: createReadStream(path) })) seen += line.length;
  else {
    const [cli, verb] = kind.split(' ');
    const found = { cli: cli as AgentCliName, id: 'x', path, changedAt: 0, bytes: statSync(path).size };
    const homes = { person: '/home/ada', claude: '', codex: '', gemini: '' };
    if (verb === 'handoff') seen = (await gatherHandoff(found)).messages.length;
    else {
      const told = await inspectSession(found, { folder: '/', homes, catalog: builtInCatalog });
      seen = told.lines.lines + told.compactions.length;
    }
  }
  const ms = performance.now() - start;
  clearInterval(watch);
  peak = Math.max(peak, process.memoryUsage().rss);
  // What it took of a processor, since others may want one at the same time.
  const { user, system } = process.cpuUsage(used);
  console.log(JSON.stringify({ ms, cpu: (user + system) / 1000, peak, seen }));
}

async function compare(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'galley-bench-sessions-'));
  const rows: Record<string, unknown>[] = [];
  try {
    for (const cli of ['claude', 'codex', 'gemini'] as const)
      for (const shape of shapes.filter((each) => each.startsWith(options.shape ?? ''))) {
        const path = join(folder, 'session.jsonl');
        writeSession(path, { cli, bytes: Number(options.megabytes) * 1e6, shape });
        for (const megabytes of [Number(options.megabytes), Number(options.megabytes) / 8]) {
          // The smaller one is the beginning of the larger; its last line is cut off, as they are.
          truncateSync(path, megabytes * 1e6);
          const run = (kind: string) => {
            const args = [process.argv[1] ?? '', '--child', kind, '--path', path];
            return JSON.parse(spawnSync(process.execPath, args, { encoding: 'utf8' }).stdout) as {
              ms: number;
              cpu: number;
              peak: number;
            };
          };
          // The small one is only there for its memory.
          const isWhole = megabytes === Number(options.megabytes);
          const split = isWhole ? run('split') : undefined;
          const runs = isWhole ? Number(options.runs) : 1;
          const own = Array.from({ length: runs }, () => run(cli)).sort((a, b) => a.ms - b.ms)[0]!;
          const handoff = run(`${cli} handoff`);
          rows.push({
            cli,
            megabytes,
            shape,
            ms: Math.round(own.ms),
            cpuMs: Math.round(own.cpu),
            ...(split === undefined
              ? {}
              : { splitMs: Math.round(split.ms), ratio: Number((own.cpu / split.cpu).toFixed(2)) }),
            peakMegabytes: Math.round(own.peak / 1e6),
            handoffCpuMs: Math.round(handoff.cpu),
            handoffMegabytes: Math.round(handoff.peak / 1e6),
          });
        }
      }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  console.table(rows);
  mkdirSync('bench/results', { recursive: true });
  writeFileSync('bench/results/session-inspect.json', `${JSON.stringify(rows, null, 2)}\n`);
}

const shapes = ['compacted', 'whole', 'short lines'] as const;

interface SessionShape {
  readonly cli: AgentCliName;
  readonly bytes: number;
  readonly shape: (typeof shapes)[number];
}

/** Files read, answers, results as the CLIs write them down: a result of some ten kilobytes stands there twice. */
function writeSession(path: string, { cli, bytes, shape }: SessionShape): void {
  const file = openSync(path, 'w');
  let written = 0;
  let window = 0;
  let pending = '';
  const flush = () => {
    writeSync(file, pending);
    pending = '';
  };
  const put = (lines: readonly object[]) => {
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    written += Buffer.byteLength(text);
    pending += text;
    if (pending.length > 1 << 20) flush();
  };
  put(opening[cli]);
  for (let turn = 0; written < bytes; turn += 1) {
    const source = Array.from(
      { length: shape === 'short lines' ? 3 : 220 },
      (_, at) =>
        `  const rate${(turn * 7 + at) % 997} = convert(amount${at}, "${words[(turn + at) % words.length]}");`,
    ).join('\n');
    window += shape === 'short lines' ? 100 : 6_000;
    const isFull = shape === 'compacted' && window > 150_000;
    put(turns[cli]({ turn, source, window }));
    if (isFull) {
      put(compaction[cli](turn));
      window = 0;
    }
  }
  flush();
  closeSync(file);
}

const words = ['half-even', '汇率', 'ledger', 'the sign is kept', 'rounding', '四舍五入'];
const began = Date.parse('2026-11-16T17:20:13.888Z');
const at = new Date(began).toISOString();
const later = (turn: number) => new Date(began + 7_321 * turn).toISOString();

interface TurnShape {
  readonly turn: number;
  readonly source: string;
  readonly window: number;
}

const opening: Readonly<Record<AgentCliName, object[]>> = {
  claude: [],
  codex: [
    {
      timestamp: at,
      type: 'session_meta',
      payload: { id: 'x', cwd: '/home/ada', base_instructions: { text: 'You are.' } },
    },
    { timestamp: at, type: 'turn_context', payload: { model: 'gpt-5' } },
  ],
  gemini: [{ sessionId: 'x', projectHash: 'y', startTime: at, kind: 'main' }],
};

const turns: Readonly<Record<AgentCliName, (shape: TurnShape) => object[]>> = {
  claude: ({ turn, source, window }) => {
    const base = {
      isSidechain: false,
      timestamp: later(turn),
      cwd: '/home/ada',
      sessionId: 'x',
      version: '2.1.197',
    };
    const usage = {
      input_tokens: 3,
      cache_read_input_tokens: window,
      cache_creation_input_tokens: 5_000,
      output_tokens: 90,
    };
    const message = { id: `m${turn}`, role: 'assistant', model: 'claude-sonnet-4-5', usage };
    const file = { filePath: `/home/ada/src/rate${turn % 40}.ts`, content: source };
    const call = { type: 'tool_use', id: `t${turn}`, name: 'Read', input: { file_path: file.filePath } };
    const result = { type: 'tool_result', tool_use_id: `t${turn}`, content: source };
    return [
      {
        ...base,
        type: 'assistant',
        uuid: `a${turn}`,
        parentUuid: `u${turn - 1}`,
        message: { ...message, content: [{ type: 'text', text: 'I look.' }] },
      },
      {
        ...base,
        type: 'assistant',
        uuid: `b${turn}`,
        parentUuid: `a${turn}`,
        message: { ...message, content: [call] },
      },
      {
        ...base,
        type: 'user',
        uuid: `u${turn}`,
        parentUuid: `b${turn}`,
        message: { role: 'user', content: [result] },
        toolUseResult: { type: 'text', file },
      },
    ];
  },
  codex: ({ turn, source, window }) => {
    const timestamp = later(turn);
    const line = (type: string, payload: object) => ({ timestamp, ordinal: turn, type, payload });
    const usage = { input_tokens: window + 5_000, cached_input_tokens: window, output_tokens: 90 };
    const id = `call${turn}`;
    const command = {
      type: 'CommandExecution',
      id,
      parsed_cmd: [{ type: 'read', path: `src/rate${turn % 40}.ts` }],
      aggregated_output: source,
    };
    return [
      line('response_item', {
        type: 'message',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'I look.' }],
      }),
      line('response_item', {
        type: 'function_call',
        name: 'exec_command',
        arguments: '{"cmd":"cat"}',
        call_id: id,
      }),
      line('token_usage_record', { response_id: `r${turn}`, usage }),
      line('event_msg', { type: 'item_completed', item: command }),
      line('response_item', { type: 'function_call_output', call_id: id, output: source }),
      line('event_msg', {
        type: 'token_count',
        info: { last_token_usage: usage, model_context_window: 258_400 },
      }),
    ];
  },
  gemini: ({ turn, source, window }) => {
    const id = `read${turn}`;
    const args = { file_path: `src/rate${turn % 40}.ts` };
    const result = [{ functionResponse: { id, name: 'read_file', response: { output: source } } }];
    const tokens = { input: window + 5_000, output: 90, cached: window, thoughts: 0, tool: 0 };
    const message = {
      id: `g${turn}`,
      timestamp: later(turn),
      type: 'gemini',
      content: 'I look.',
      tokens,
      model: 'gemini-2.5-flash',
    };
    return [
      message,
      { ...message, toolCalls: [{ id, name: 'read_file', args, result, status: 'success' }] },
      { id: `u${turn}`, timestamp: later(turn), type: 'user', content: result },
      { $set: { lastUpdated: at } },
    ];
  },
};

const compaction: Readonly<Record<AgentCliName, (turn: number) => object[]>> = {
  claude: (turn) => [
    {
      type: 'system',
      subtype: 'compact_boundary',
      uuid: `c${turn}`,
      timestamp: at,
      compactMetadata: { trigger: 'auto', preTokens: 155_000 },
    },
    {
      type: 'user',
      isCompactSummary: true,
      uuid: `u${turn}`,
      timestamp: at,
      message: { role: 'user', content: 'So far: rates.' },
    },
  ],
  codex: () => [
    {
      timestamp: at,
      type: 'compacted',
      payload: {
        message: 'So far.',
        replacement_history: [
          { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'So far: rates.' }] },
        ],
      },
    },
  ],
  gemini: (turn) => [
    {
      $set: {
        messages: [
          { id: `s${turn}`, type: 'user', content: [{ text: '<state_snapshot>rates</state_snapshot>' }] },
        ],
      },
    },
  ],
};

if (options.child !== undefined) await measure(options.child, options.path);
else await compare();
