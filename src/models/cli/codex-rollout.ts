// What Codex was refused. Its events are silent about it: a patch it may not apply, a command the sandbox stopped. The file it
// keeps of the thread has every call with what came of it, and what this turn alone has used.
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { type JsonObject, parseEvent, pick, pickText } from '../answer/json-fields.js';
import type { AgentEvent, ToolOutcome } from '../contract/agent-event.js';
import type { Usage } from '../contract/model.js';
import { readUsage } from './agent-cli.js';
import { type Naming, shown } from './tool-target.js';

interface EndedCall {
  readonly tool: string;
  readonly target: string | undefined;
  readonly outcome: ToolOutcome;
}

export interface RolloutTurn {
  readonly events: readonly AgentEvent[];
  readonly usage?: Usage | undefined;
  /** Which its events do not name. */
  readonly model?: string | undefined;
}

/** The last turn of a thread. */
export async function readRollout(file: string, naming: Naming): Promise<RolloutTurn> {
  let calls = new Map<string, JsonObject>();
  let ended: EndedCall[] = [];
  let usage: Usage | undefined;
  let model: string | undefined;
  for await (const line of createInterface({
    input: createReadStream(file),
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
    const event = parseEvent(line);
    const payload = pick(event, 'payload') as JsonObject | undefined;
    const kind = pickText(payload, 'type') ?? '';
    if (pickText(event, 'type') === 'turn_context') model = pickText(payload, 'model') ?? model;
    if (kind === 'task_started') [calls, ended, usage] = [new Map(), [], undefined];
    else if (pickText(event, 'type') === 'token_usage_record')
      usage =
        readUsage(payload ?? {}, { under: 'turn_token_usage', cached: 'cached_input_tokens' }).usage ?? usage;
    else if (payload !== undefined && /^(?:custom_tool|function)_call$/.test(kind))
      calls.set(pickText(payload, 'call_id') ?? '', payload);
    else if (payload !== undefined && /^(?:custom_tool|function)_call_output$/.test(kind)) {
      const call = calls.get(pickText(payload, 'call_id') ?? '');
      if (call !== undefined) ended.push(...endedBy(call, payload.output, naming));
    }
  }
  return { events: refusalsOf(ended), usage, model };
}

function refusalsOf(ended: readonly EndedCall[]): AgentEvent[] {
  return ended.flatMap(({ tool, target, outcome }, at) => {
    if (outcome !== 'refused') return [];
    const isOvercome = ended
      .slice(at + 1)
      .some((later) => later.outcome === 'done' && later.tool === tool && later.target === target);
    const where = target === undefined ? {} : { target };
    return [{ kind: 'refused', tool, ...where, ...(isOvercome ? { overcome: true } : {}) } as const];
  });
}

const rejected = /rejected by user approval settings|patch rejected|rejected: |approval policy/i;
/** The words of the system where the sandbox says no. */
const sandboxed = /Read-only file system|Operation not permitted|Permission denied|Could not resolve host/i;
const unwritten = /Failed to (?:write|create|delete) /;
const badExit = /"exit_code":\s*[1-9]|exited with code [1-9]|exit code:? [1-9]/i;

/** A script may call several tools; each file of a patch and the first command count as one call. */
function endedBy(call: JsonObject, output: unknown, naming: Naming): EndedCall[] {
  const said = JSON.stringify(output ?? '').replaceAll('\\"', '"');
  const isBlocked = badExit.test(said) && sandboxed.test(said);
  const outcome: ToolOutcome =
    rejected.test(said) || isBlocked
      ? 'refused'
      : badExit.test(said) || /Script failed/.test(said)
        ? 'failed'
        : 'done';
  const given = pickText(call, 'input') ?? pickText(call, 'arguments') ?? '';
  const files = [...given.matchAll(/\*\*\* (?:Add|Update|Delete) File: (.+?)(?=\\n|\n|\\r|$)/g)];
  if (files.length > 0)
    return files.map(([, path = '']) => {
      // Its sandbox stops a patch that a link would lead out of the folder, and says no more than this.
      const isStopped = outcome === 'failed' && unwritten.test(said) && !naming.holds(path.trim());
      const target = naming.path(path.trim());
      return { tool: 'apply_patch', target, outcome: isStopped ? 'refused' : outcome };
    });
  const command = commandIn(given);
  return [
    {
      tool: command === undefined ? shown(pickText(call, 'name') ?? 'unknown', 100) : 'exec_command',
      target: command === undefined ? undefined : naming.command(command),
      outcome,
    },
  ];
}

/** Of JSON arguments, or of a script that calls the tool. */
function commandIn(given: string): string | undefined {
  const asked = pick(parseEvent(given), 'cmd') ?? pick(parseEvent(given), 'command');
  if (typeof asked === 'string') return asked;
  if (Array.isArray(asked)) return asked.join(' ');
  const quoted = /\bcmd["']?\s*:\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`)/.exec(given)?.[1];
  return quoted?.slice(1, -1).replace(/\\(.)/g, '$1');
}
