// Jobs as tasks of the protocol (extension io.modelcontextprotocol/tasks, revision 2026-07-28): a call that would wait for a job
// answers at once with a handle, for clients that know the extension. The job is the task: it is asked, cancelled and kept by the
// same operations, so a handle outlives the connection and the process that gave it.
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import { GalleyError, toGalleyError } from '../../core/model/error.js';
import { keptMs } from '../../jobs/job-engine.js';
import type { AnswerOf } from '../../operations/table.js';
import type { Engine } from '../engine.js';
import { protocolError } from './protocol-error.js';

export const tasksExtension = 'io.modelcontextprotocol/tasks';

type Job = AnswerOf<'jobs:get'>;

/** How often it is worth asking: progress is noted about once a second. */
const pollIntervalMs = 1000;

export function knowsTasks({ mcpReq }: ServerContext): boolean {
  const said: Readonly<Record<string, unknown>> = { ...mcpReq.envelope };
  const { extensions } = Object(said[CLIENT_CAPABILITIES_META_KEY]) as { extensions?: object };
  return tasksExtension in Object(extensions);
}

/** The handle of the job that a call would wait for; a job that does not exist is refused as the call would be. */
export async function taskInsteadOfWaiting(
  engine: Engine,
  request: Readonly<Record<string, unknown>>,
  { mcpReq }: ServerContext,
): Promise<CallToolResult> {
  const { timeoutMs: _, ...named } = request;
  const job = (await engine.call('jobs:get', named, { signal: mcpReq.signal })) as Job;
  // The handle takes the place of the tool's result, which the types of the protocol do not know.
  return { resultType: 'task', ...taskOf(job) } as unknown as CallToolResult;
}

interface TaskDoor {
  readonly engine: Engine;
  /** What the call would have answered, had it waited. */
  resultOf(job: Job): CallToolResult;
}

export function serveTasks(server: Server, { engine, resultOf }: TaskDoor): void {
  const ask = async (id: string, taskId: string, context: ServerContext): Promise<Job> => {
    if (!knowsTasks(context)) {
      const requiredCapabilities = { extensions: { [tasksExtension]: {} } };
      throw new MissingRequiredClientCapabilityError({ requiredCapabilities });
    }
    try {
      return (await engine.call(id, nameOf(taskId), { signal: context.mcpReq.signal })) as Job;
    } catch (error) {
      const { code, message } = toGalleyError(error);
      // By the protocol a task that is not there is a wrong parameter.
      throw code === 'NOT_FOUND'
        ? new ProtocolError(ProtocolErrorCode.InvalidParams, message, { code })
        : protocolError(error);
    }
  };
  server.setRequestHandler('tasks/get', { params: taskParams }, async ({ taskId }, context) => {
    const job = await ask('jobs:get', taskId, context);
    const task = taskOf(job);
    // A result inside a result says itself what it is, since nothing stamps it on its way out.
    const result = { resultType: 'complete', ...resultOf(job) };
    return task.status === 'completed' ? { ...task, result } : task;
  });
  server.setRequestHandler('tasks/cancel', { params: taskParams }, async ({ taskId }, context) => {
    await ask('jobs:cancel', taskId, context);
    return {};
  });
  // A job never asks its client for anything, so whatever comes answers no question and is passed over.
  server.setRequestHandler('tasks/update', { params: taskParams }, async ({ taskId }, context) => {
    await ask('jobs:get', taskId, context);
    return {};
  });
}

const taskParams = z.looseObject({ taskId: z.string().min(1).max(4096) });

/** A job that failed is an answer of the call like any other: `failed` is for faults of the protocol. */
function taskOf(job: Job) {
  const { status, createdAt, startedAt, endedAt, progress } = job;
  const far = progress?.total === undefined ? '' : ` ${progress.done}/${progress.total}`;
  const isOver = endedAt !== undefined;
  return {
    taskId: idOf(job),
    status: !isOver ? 'working' : status === 'cancelled' ? 'cancelled' : 'completed',
    statusMessage: status === 'running' && progress !== undefined ? `${progress.stage}${far}` : status,
    createdAt: new Date(createdAt).toISOString(),
    lastUpdatedAt: new Date(endedAt ?? startedAt ?? createdAt).toISOString(),
    ttlMs: isOver ? endedAt - createdAt + keptMs : null,
    ...(isOver ? {} : { pollIntervalMs }),
  };
}

/** In characters that a header takes, since HTTP names the task there too. */
const idOf = ({ job, projectId }: Job) => `${encodeURIComponent(job)}@${encodeURIComponent(projectId)}`;

function nameOf(taskId: string): { readonly job: string; readonly projectId: string } {
  const [job = '', projectId = ''] = taskId.split('@');
  try {
    return { job: decodeURIComponent(job), projectId: decodeURIComponent(projectId) };
  } catch {
    throw new GalleyError('NOT_FOUND', 'There is no such task.');
  }
}
