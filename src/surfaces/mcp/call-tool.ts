// Runs a tool. A refusal is an answer the model can read; only a tool that does not exist breaks the protocol.
import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server';
import { GalleyError, toGalleyError } from '../../core/model/error.js';
import type { AgentEvent } from '../../models/contract/agent-event.js';
import type { Operation } from '../../operations/operation.js';
import type { AnswerPart } from '../../operations/parts.js';
import { requestOfModel } from '../../operations/request-fields.js';
import { findOperation } from '../../operations/table.js';
import type { EngineCall } from '../engine.js';
import {
  answerText,
  type OperationCall,
  operationOfCall,
  runAgentTool,
  type ToolPlace,
} from './agent-tools.js';
import { knowsTasks, taskInsteadOfWaiting } from './job-tasks.js';
import { protocolError } from './protocol-error.js';
import { type Offer, operationOfTool } from './tools.js';

interface ToolBench {
  readonly place: ToolPlace;
  readonly offer: Offer;
}

interface ToolCall {
  readonly name: string;
  readonly arguments?: Record<string, unknown> | undefined;
}

export async function callTool(
  bench: ToolBench,
  { name, arguments: request = {} }: ToolCall,
  context: ServerContext,
): Promise<CallToolResult> {
  const { place, offer } = bench;
  const { settled, ...progress } = reportProgress(context);
  const options = { ...progress, signal: context.mcpReq.signal };
  const answered = await refused(offer, async () => {
    const isTasked = knowsTasks(context);
    const meant = offer.everyOperation || isTasked ? await meantBy(bench, name, request) : undefined;
    if (meant !== undefined && isTasked && isWaiting(meant))
      return taskInsteadOfWaiting(place.engine, meant.request, context);
    if (offer.everyOperation)
      return (
        meant && withNext(resultOf(await place.engine.call(meant.operation.id, meant.request, options)), name)
      );
    const text = await runAgentTool(name, request, { place, options });
    return text === undefined ? undefined : textResult(text);
  });
  await settled();
  return answered ?? noSuchTool();
}

/** The operation that a call runs, and what it is asked. */
async function meantBy(
  { place, offer }: ToolBench,
  name: string,
  given: Record<string, unknown>,
): Promise<OperationCall | undefined> {
  if (!offer.everyOperation) return operationOfCall(name, given, place.projectId);
  const id = await operationOfTool(name, offer);
  const operation = id === undefined ? undefined : ((await findOperation(id)) as Operation);
  return operation && { operation, request: requestOfModel(operation, given) };
}

const isWaiting = ({ operation, request }: OperationCall) =>
  operation.waits === true && request.timeoutMs === undefined;

function noSuchTool(): never {
  throw protocolError(
    new GalleyError('UNKNOWN_OPERATION', 'There is no tool of that name; tools/list names them.'),
  );
}

/** A refusal in the form of the tools that are offered. */
async function refused<T>({ everyOperation }: Offer, run: () => Promise<T>): Promise<T | CallToolResult> {
  try {
    return await run();
  } catch (error) {
    const refusal = toGalleyError(error);
    const told = everyOperation
      ? resultOf({ error: refusal })
      : textResult(`${refusal.code}: ${refusal.message}`);
    return { ...told, isError: true };
  }
}

/** What a call that waited for a job answers with. */
export function resultOfFollow(job: unknown, { everyOperation }: Offer): CallToolResult {
  return everyOperation ? resultOf(job) : textResult(answerText(job, 1));
}

/** Text alone: what a model reads is sent once. */
const textResult = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] });

function resultOf(answer: unknown): CallToolResult {
  const text = JSON.stringify(answer ?? null);
  const value: unknown = JSON.parse(text);
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value);
  return {
    content: [{ type: 'text', text }],
    ...(isRecord ? { structuredContent: value as Record<string, unknown> } : {}),
  };
}

/** Says in words how to go on, since a model may read no more than the beginning of an answer. */
function withNext(result: CallToolResult, name: string): CallToolResult {
  const { part } = Object(result.structuredContent) as { readonly part?: AnswerPart };
  if (part?.next === undefined) return result;
  const { number, of, next } = part;
  const text = `This is part ${number} of ${of}. For the next, call ${name} with the same arguments and "part": ${next}.`;
  return { ...result, content: [...result.content, { type: 'text', text }] };
}

interface ProgressReports extends Pick<EngineCall, 'onText' | 'onEvent' | 'onProgress'> {
  /** When everything said so far is on its way. */
  settled(): Promise<void>;
}

interface Report {
  readonly kind: 'text' | 'deed' | 'stage';
  readonly progress: number;
  readonly total?: number;
  readonly message: string;
}

/**
 * Progress for callers who asked for it. Numbers only grow, and text that arrives while something is being sent travels
 * together.
 */
function reportProgress({ mcpReq }: ServerContext): ProgressReports {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return { settled: () => Promise.resolve() };
  const waiting: Report[] = [];
  let last = 0;
  let current = { stage: '', from: 0 };
  let sending: Promise<void> | undefined;

  const send = async () => {
    for (let report = waiting.shift(); report !== undefined; report = waiting.shift()) {
      const { kind: _, ...params } = report;
      // A caller that has gone away is told by its signal, not here.
      await mcpReq
        .notify({ method: 'notifications/progress', params: { progressToken, ...params } })
        .catch(() => undefined);
    }
    sending = undefined;
  };
  const say = (report: Report) => {
    last = report.progress;
    waiting.push(report);
    sending ??= send();
  };

  return {
    onText: (text) => {
      if (text === '') return;
      const before = waiting.at(-1)?.kind === 'text' ? waiting.pop()?.message : undefined;
      say({ kind: 'text', progress: last + text.length, message: (before ?? '') + text });
    },
    onEvent: (event) => {
      const message = deedOf(event);
      if (message !== undefined) say({ kind: 'deed', progress: last + 1, message });
    },
    onProgress: ({ stage, done, total }) => {
      // Each stage counts from its start; what a client sees goes on from where the last one ended.
      if (stage !== current.stage) current = { stage, from: last };
      const progress = current.from + done;
      if (progress <= last) return;
      const ahead = total === undefined ? {} : { total: current.from + total };
      say({ kind: 'stage', progress, ...ahead, message: stage });
    },
    settled: async () => sending,
  };
}

/** What is worth a line while an agent works; its text comes as text. */
function deedOf(event: AgentEvent): string | undefined {
  switch (event.kind) {
    case 'tool-started':
      return [event.tool, event.target].join(' ').trim();
    case 'file-changed':
      return `${event.change}: ${event.path}`;
    case 'refused':
      return `refused: ${[event.tool, event.target].join(' ').trim()}`;
    case 'warning':
      return event.message;
    default:
      return undefined;
  }
}
