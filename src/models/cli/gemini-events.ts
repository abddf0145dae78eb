// What Gemini CLI says while it works. It reports success for an answer cut at the output limit as well, so how it finished stays
// unknown.

import { type JsonObject, pick, pickText } from '../answer/json-fields.js';
import type { AgentEvent } from '../contract/agent-event.js';
import { type EventReader, type Outcome, readUsage } from './agent-cli.js';
import { type StartedTool, toolCalls } from './tool-calls.js';
import type { Naming } from './tool-target.js';

const refusedTypes: ReadonlySet<string> = new Set([
  'tool_not_registered',
  'policy_violation',
  'path_not_in_workspace',
]);
/** A path it may not touch counts as a wrong parameter. */
const refusedPath = /^(?:Error: )?(?:Access denied|Path not in workspace)|outside the allowed/i;

export function geminiEvents(naming: Naming): EventReader {
  let outcome: Outcome = { kind: 'none' };
  let model: string | undefined;
  let answer = '';
  let isNext = false;
  const tools = toolCalls();
  const created = new Set<string>();

  const readMessage = (event: JsonObject) => {
    const text = pickText(event, 'content');
    // The prompt comes back as a message of the user.
    if (event.role !== 'assistant' || !text) return {};
    const apart = isNext ? '\n\n' : '';
    answer = isNext ? text : answer + text;
    isNext = false;
    return { begun: true, text: apart + text };
  };
  const readStart = (event: JsonObject): AgentEvent[] => {
    const started = startedBy(event, naming);
    if (pick(event, 'parameters', 'old_string') === '') created.add(started.id);
    return tools.start(started);
  };
  const readEnd = (event: JsonObject): AgentEvent[] => {
    const id = pickText(event, 'tool_id') ?? '';
    if (event.status !== 'success') return tools.end(id, isRefusal(event) ? 'refused' : 'failed');
    const call = tools.started(id);
    const isWriter = call?.tool === 'write_file' || call?.tool === 'replace';
    if (!isWriter || call.target === undefined) return tools.end(id, 'done');
    const change = created.has(id) ? 'created' : 'changed';
    return [...tools.end(id, 'done'), { kind: 'file-changed', path: call.target, change }];
  };
  return {
    read(event) {
      switch (event.type) {
        case 'init': {
          model = pickText(event, 'model');
          const id = pickText(event, 'session_id');
          const names = { ...(id === undefined ? {} : { id }), ...(model === undefined ? {} : { model }) };
          return { events: [{ kind: 'session', ...names }] };
        }
        case 'message':
          return readMessage(event);
        case 'tool_use':
        case 'tool_result':
          isNext = answer !== '';
          return { begun: true, events: event.type === 'tool_use' ? readStart(event) : readEnd(event) };
        case 'result':
          outcome =
            event.status === 'success'
              ? answered(event, answer, model)
              : { kind: 'failed', reason: 'unavailable' };
          return {};
        default:
          return {};
      }
    },
    outcome: () => outcome,
  };
}

function startedBy(event: JsonObject, naming: Naming): StartedTool {
  const given = event.parameters;
  const path =
    pickText(given, 'file_path') ?? pickText(given, 'absolute_path') ?? pickText(given, 'dir_path');
  const command = pickText(given, 'command');
  const target =
    path !== undefined ? naming.path(path) : command === undefined ? undefined : naming.command(command);
  return { id: pickText(event, 'tool_id') ?? '', tool: pickText(event, 'tool_name') ?? 'unknown', target };
}

function isRefusal(event: JsonObject): boolean {
  if (refusedTypes.has(pickText(event, 'error', 'type') ?? '')) return true;
  return refusedPath.test(pickText(event, 'error', 'message') ?? '');
}

function answered(event: JsonObject, text: string, model: string | undefined): Outcome {
  return {
    kind: 'answered',
    text,
    finish: 'unknown',
    ...readUsage(event, { under: 'stats', cached: 'cached' }),
    ...(model === undefined ? {} : { model }),
  };
}
