// What Claude Code says while it works. Its totals come with the result; what single messages count is only an estimate on the way.

import { type JsonObject, pick, pickCount, pickText } from '../answer/json-fields.js';
import type { AgentEvent } from '../contract/agent-event.js';
import type { Finish } from '../contract/model.js';
import { type CliFailureReason, type EventReader, type Outcome, reasonOfStatus } from './agent-cli.js';
import { type StartedTool, toolCalls } from './tool-calls.js';
import type { Naming } from './tool-target.js';

const writers: ReadonlySet<string> = new Set(['Edit', 'Write', 'MultiEdit', 'NotebookEdit']);

/** A tool that is off is unknown to it; one that is on says who would have to be asked. */
const refusal =
  /No such tool available|Permission to use|requested permissions|haven't granted|permission.{0,40}denied/i;

export function claudeEvents(naming: Naming): EventReader {
  let outcome: Outcome = { kind: 'none' };
  let spoken = false;
  let streams = false;
  let model: string | undefined;
  let complaint: string | undefined;
  const tools = toolCalls();
  const used = runningUsage();

  const readStream = (event: JsonObject) => {
    streams = true;
    const events = [...used.read(event), ...thoughtOf(event)];
    // A helper inside the agent has a parent; its words are not the answer.
    if (typeof event.parent_tool_use_id === 'string') return { begun: true, events };
    const isNext = pickText(event, 'event', 'type') === 'message_start' && spoken;
    const text = isNext ? '\n\n' : pickText(event, 'event', 'delta', 'text');
    if (text === undefined || text === '') return { begun: true, events };
    spoken = true;
    return { begun: true, text, events };
  };
  const readMessage = (event: JsonObject) => {
    complaint = pickText(event, 'error') ?? complaint;
    const speaker = pickText(event, 'message', 'model');
    if (speaker === '<synthetic>') return {};
    model = speaker ?? model;
    const content = pick(event, 'message', 'content');
    const events = blocksOf(content, 'tool_use').flatMap((block) => tools.start(startedBy(block, naming)));
    if (streams || typeof event.parent_tool_use_id === 'string') return { begun: true, events };
    const text = blocksOf(content, 'text')
      .map((block) => pickText(block, 'text') ?? '')
      .join('');
    if (text === '') return { begun: true, events };
    const apart = spoken ? '\n\n' : '';
    spoken = true;
    return { begun: true, text: apart + text, events };
  };
  const readResults = (event: JsonObject): AgentEvent[] =>
    blocksOf(pick(event, 'message', 'content'), 'tool_result').flatMap((block) => {
      const id = pickText(block, 'tool_use_id') ?? '';
      if (block.is_error === true)
        return tools.end(id, refusal.test(JSON.stringify(block.content ?? '')) ? 'refused' : 'failed');
      return [...tools.end(id, 'done'), ...changeBy(tools.started(id), pick(event, 'tool_use_result'))];
    });
  return {
    read(event) {
      switch (event.type) {
        case 'stream_event':
          return readStream(event);
        case 'assistant':
          return readMessage(event);
        case 'user':
          return { events: readResults(event) };
        case 'system':
          return { events: noticeOf(event) };
        case 'result': {
          outcome = resultOf(event, { model, complaint });
          const denied = arrayOf(event.permission_denials).map((each) => pickText(each, 'tool_use_id') ?? '');
          const dollars = pick(event, 'total_cost_usd');
          const cost = typeof dollars === 'number' && dollars > 0 ? [{ kind: 'cost' as const, dollars }] : [];
          return { events: [...denied.flatMap((id) => tools.refuse(id)), ...cost] };
        }
        default:
          return {};
      }
    },
    outcome: () => outcome,
  };
}

function startedBy(block: JsonObject, naming: Naming): StartedTool {
  const input = block.input;
  const path = pickText(input, 'file_path') ?? pickText(input, 'notebook_path') ?? pickText(input, 'path');
  const command = pickText(input, 'command');
  const target =
    path !== undefined ? naming.path(path) : command === undefined ? undefined : naming.command(command);
  return { id: pickText(block, 'id') ?? '', tool: pickText(block, 'name') ?? 'unknown', target };
}

function changeBy(tool: StartedTool | undefined, result: unknown): AgentEvent[] {
  if (tool?.target === undefined || !writers.has(tool.tool)) return [];
  const isNew = pick(result, 'type') === 'create' || pick(result, 'originalFile') === null;
  return [{ kind: 'file-changed', path: tool.target, change: isNew ? 'created' : 'changed' }];
}

function noticeOf(event: JsonObject): AgentEvent[] {
  switch (event.subtype) {
    case 'init': {
      const [id, model] = [pickText(event, 'session_id'), pickText(event, 'model')];
      return [
        { kind: 'session', ...(id === undefined ? {} : { id }), ...(model === undefined ? {} : { model }) },
      ];
    }
    case 'compact_boundary': {
      const before = pickCount(event, 'compact_metadata', 'pre_tokens');
      const after = pickCount(event, 'compact_metadata', 'post_tokens');
      return [
        {
          kind: 'compacted',
          by: pickText(event, 'compact_metadata', 'trigger') === 'manual' ? 'request' : 'itself',
          ...(before === undefined ? {} : { tokensBefore: before }),
          ...(after === undefined ? {} : { tokensAfter: after }),
        },
      ];
    }
    case 'api_retry':
      return [
        { kind: 'warning', about: 'tries-again', message: 'Its provider failed; the agent tries again.' },
      ];
    default:
      return [];
  }
}

function thoughtOf(event: JsonObject): AgentEvent[] {
  const text = pickText(event, 'event', 'delta', 'thinking');
  return text ? [{ kind: 'reasoning', text }] : [];
}

/** The sum over the messages so far; of each, what it said last. */
function runningUsage() {
  const none = { input: 0, cached: 0, created: 0, output: 0 };
  let before = none;
  let message = none;
  return {
    read(event: JsonObject): AgentEvent[] {
      const kind = pickText(event, 'event', 'type');
      const count = (...path: string[]) => pickCount(event, 'event', ...path) ?? 0;
      if (kind === 'message_start') {
        before = {
          input: before.input + message.input,
          cached: before.cached + message.cached,
          created: before.created + message.created,
          output: before.output + message.output,
        };
        const cached = count('message', 'usage', 'cache_read_input_tokens');
        const created = count('message', 'usage', 'cache_creation_input_tokens');
        const input = count('message', 'usage', 'input_tokens') + cached + created;
        message = { input, cached, created, output: 0 };
      }
      if (kind !== 'message_delta') return [];
      message = { ...message, output: count('usage', 'output_tokens') };
      return [
        {
          kind: 'usage',
          inputTokens: before.input + message.input,
          outputTokens: before.output + message.output,
          cachedInputTokens: before.cached + message.cached,
          ...(before.created + message.created === 0
            ? {}
            : { cacheWriteTokens: before.created + message.created }),
        },
      ];
    },
  };
}

function resultOf(
  event: JsonObject,
  { model, complaint }: { model: string | undefined; complaint: string | undefined },
): Outcome {
  const status = pickCount(event, 'api_error_status');
  if (event.is_error === true || event.subtype !== 'success') {
    const reason = failureOf(event, status, complaint);
    return { kind: 'failed', reason, ...(status === undefined ? {} : { status }) };
  }
  if (event.num_turns === 0) return { kind: 'failed', reason: 'not-sent' };
  const cached = pickCount(event, 'usage', 'cache_read_input_tokens') ?? 0;
  const created = pickCount(event, 'usage', 'cache_creation_input_tokens') ?? 0;
  const input = pickCount(event, 'usage', 'input_tokens');
  const output = pickCount(event, 'usage', 'output_tokens');
  return {
    kind: 'answered',
    text: pickText(event, 'result') ?? '',
    finish: finishOf(pickText(event, 'stop_reason')),
    ...(input === undefined || output === undefined
      ? {}
      : {
          usage: {
            inputTokens: input + cached + created,
            outputTokens: output,
            cachedInputTokens: cached,
          },
        }),
    ...(model === undefined ? {} : { model }),
  };
}

function failureOf(
  event: JsonObject,
  status: number | undefined,
  complaint: string | undefined,
): CliFailureReason {
  if (event.stop_reason === 'refusal') return 'refused';
  if (/No conversation found|requires a valid session ID/.test(JSON.stringify(event.errors ?? '')))
    return 'no-session';
  if (status !== undefined) return reasonOfStatus(status);
  if (event.subtype === 'error_max_turns') return 'length';
  switch (complaint) {
    case 'authentication_failed':
    case 'oauth_org_not_allowed':
    case 'billing_error':
      return 'authentication';
    case 'rate_limit':
      return 'rate-limit';
    case 'invalid_request':
      return 'bad-request';
    case 'max_output_tokens':
      return 'length';
    default:
      return /\/login\b|API key/.test(pickText(event, 'result') ?? '') ? 'authentication' : 'unavailable';
  }
}

function finishOf(reason: string | undefined): Finish {
  if (reason === 'max_tokens') return 'length';
  return reason === undefined ? 'unknown' : 'stop';
}

function arrayOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function blocksOf(content: unknown, type: string): JsonObject[] {
  return arrayOf(content).filter((block): block is JsonObject => pick(block, 'type') === type);
}
