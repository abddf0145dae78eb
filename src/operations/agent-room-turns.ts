// Who speaks in a room: an agent that answers, or one that sums up what was said. What runs agents is loaded when one is to speak.
import * as z from 'zod';
import type { TurnNotes } from '../agents/assemble-turn.js';
import { type AssemblerInput, agentTypeOf } from '../agents/assembler-input.js';
import { putSummary, stretchOf, summaryTurn, takeBackSummary } from '../agents/rooms/compact-room.js';
import { nextSpeaker } from '../agents/rooms/next-speaker.js';
import { participantName, type RoomAgent, readRoom, refuseClosed } from '../agents/rooms/room.js';
import { turnOf, viewOf } from '../agents/rooms/room-view.js';
import { readMessages, takeTurn } from '../agents/rooms/run-room.js';
import { GalleyError } from '../core/model/error.js';
import { shortReceipt } from '../core/seal/seal.js';
import { doorOf, message, roomRequest, stretch } from './agent-rooms.js';
import { deedFields, takeAgentTurn } from './agent-turn.js';
import { defineOperation, modelErrors, type OperationContext, storeErrors } from './operation.js';
import { count, inferred } from './published-schema.js';
import { durationField, proseField } from './request-fields.js';
import { receipt } from './shared-answers.js';

const runFields = {
  timeoutMs: durationField.optional(),
  firstByteTimeoutMs: durationField.optional(),
};

const turnErrors = [
  ...storeErrors,
  ...modelErrors,
  'NOT_FOUND',
  'CONTEXT_BUDGET_INFEASIBLE',
  'CONTEXT_BACKPRESSURE',
  'CHANGED_MEANWHILE',
  'FORBIDDEN',
] as const;

export const agentsRoomsRun = defineOperation({
  id: 'agents:rooms:run',
  summary: 'Lets an agent of a room speak: the one that is named, or the one that the last message is for.',
  input: roomRequest.extend({
    agent: participantName.optional().describe('who speaks; by @mention in the last message when left out'),
    ...runFields,
  }),
  example: { projectId: 'shop', room: 'login', agent: 'max' },
  streams: true,
  output: inferred(
    z.strictObject({
      message,
      ...deedFields,
      receipt: receipt.describe('without its lines, which receipts:get gives'),
    }),
  ),
  grant: 'run',
  errors: turnErrors,
  run: async ({ agent: asked, timeoutMs, firstByteTimeoutMs, ...request }, context) => {
    const door = await doorOf(request, context);
    const turn = { agent: asked, signal: context.signal };
    const { answer, message } = await takeTurn(door, turn, async ({ room, messages, agent, signal }) => {
      const { input, ...notes } = turnOf(room, messages, agent);
      if (agent.permission !== 'read') context.onEvent?.({ kind: 'warning', ...mayDo[agent.permission] });
      const limits = { timeoutMs, firstByteTimeoutMs };
      const said = await askAgent(
        agent,
        { input, notes, limits },
        { ...context, signal, project: door.project },
      );
      return { said, text: said.answer, receipt: said.receipt.id };
    });
    const { answer: _, receipt, ...rest } = answer.said;
    return { message, ...rest, receipt: shortReceipt(receipt) };
  },
});

/** Said before it begins: in a room it was decided when the room was opened. */
const mayDo = {
  edit: { about: 'may-edit', message: 'The agent may change files in the folder and nowhere else.' },
  run: { about: 'may-run', message: 'The agent may change files in the folder and run commands.' },
} as const;

interface AgentCall {
  readonly input: AssemblerInput;
  readonly notes?: TurnNotes;
  readonly limits: {
    readonly timeoutMs?: number | undefined;
    readonly firstByteTimeoutMs?: number | undefined;
  };
}

/** Through the agent's own CLI, or through a model where it has none; the receipt is kept. */
async function askAgent(
  agent: RoomAgent,
  { input, notes = {}, limits }: AgentCall,
  context: OperationContext & { readonly project: string },
): ReturnType<typeof takeAgentTurn> {
  const { permission, model, name, agentType } = agent;
  const isKnown = agentTypeOf(agentType) !== 'unknown' || (await isOtherAgent(agentType));
  const answering = isKnown
    ? {}
    : { answering: { model: await context.model(model), timeouts: timeoutsOf(limits) } };
  const { filesByReference } = await import('../agents/rooms/room-files.js');
  const referred = await filesByReference(agentTypeOf(agentType), input, context.folder);
  if (referred.isChanged) context.onEvent?.({ kind: 'warning', ...byReference });
  const order = {
    ...{ name: agentType, may: permission, model, input: referred.input, notes, ...limits, ...answering },
    ...{ projectId: context.project, operation: 'agents:rooms:run', summary: { agent: name } },
  };
  return takeAgentTurn(order, context);
}

const byReference = {
  about: 'files-by-reference',
  message: 'Files that are named with @ stand in the turn by their names; the agent can read them itself.',
};

async function isOtherAgent(name: string): Promise<boolean> {
  const { otherAgents } = await import('../models/other-agents/other-agents.js');
  return Object.hasOwn(await otherAgents(), name);
}

function timeoutsOf({ timeoutMs = 600_000, firstByteTimeoutMs = 120_000 }: AgentCall['limits']) {
  return { totalMs: timeoutMs, firstByteMs: Math.min(timeoutMs, firstByteTimeoutMs) };
}

export const agentsRoomsCompact = defineOperation({
  id: 'agents:rooms:compact',
  summary:
    'Puts a summary in the place of a stretch of messages; rules and pinned messages in it stay, and expand brings all back.',
  input: roomRequest.extend({
    first: stretch.first.optional().describe('the first message when left out'),
    last: stretch.last.optional().describe('all but the newest when left out'),
    keep: count.max(100_000).default(20).describe('how many of the newest stay, where no last one is named'),
    text: proseField(1_000_000).optional().describe('the summary; the agent writes it when left out'),
    from: participantName.optional().describe('who wrote the text'),
    agent: participantName.optional().describe('who writes the summary; the first of the room when left out'),
    ...runFields,
  }),
  example: { projectId: 'shop', room: 'login', last: 1, text: 'We chose sessions.', from: 'kailai' },
  streams: true,
  output: inferred(z.strictObject({ message, replaced: count.describe('messages it stands for') })),
  grant: 'write',
  errors: turnErrors,
  run: async (
    { first, last, keep, text, from, agent, timeoutMs, firstByteTimeoutMs, ...request },
    context,
  ) => {
    const door = await doorOf(request, context);
    const found = readRoom(await door.rooms.get(door.project, door.room));
    refuseClosed(found);
    const messages = await readMessages(door);
    const range = stretchOf(found, messages, { first, last, keep });
    const written =
      text === undefined
        ? await writtenBy(
            agent === undefined ? (found.agents[0] as RoomAgent) : nextSpeaker(found, undefined, agent),
            {
              input: summaryTurn(found, messages, range),
              limits: { timeoutMs, firstByteTimeoutMs },
              context: { ...context, project: door.project },
            },
          )
        : { by: from ?? 'user', text };
    const summary = await putSummary(door, { ...range, ...written });
    const after = readRoom(await door.rooms.get(door.project, door.room));
    const { replacedBy } = viewOf(after, await readMessages(door));
    const replaced = [...replacedBy.values()].filter((number) => number === summary.number).length;
    return { message: summary, replaced };
  },
});

/** A model that writes a summary looks at nothing else, and needs the grant for being asked. */
async function writtenBy(
  agent: RoomAgent,
  {
    input,
    limits,
    context,
  }: Pick<AgentCall, 'input' | 'limits'> & { context: Parameters<typeof askAgent>[2] },
): Promise<{ by: string; text: string; receipt: string }> {
  if (!context.grants.has('run')) throw new GalleyError('FORBIDDEN', 'To ask a model needs the grant "run".');
  const { maxBytes, maxTokens, meter } = agent;
  const request = { ...input, maxBytes, maxTokens, meter };
  const { answer, receipt } = await askAgent(
    { ...agent, permission: 'read' },
    { input: request, notes: { keepsMessage: true }, limits },
    context,
  );
  const text = answer.trim();
  if (text === '') throw new GalleyError('MODEL_ANSWER_INVALID', 'The agent wrote no summary; ask again.');
  return { by: agent.name, text, receipt: receipt.id };
}

export const agentsRoomsExpand = defineOperation({
  id: 'agents:rooms:expand',
  summary: 'Takes a summary of a room back: the messages it stood for are sent again.',
  input: roomRequest.extend({
    summary: count.optional().describe('number of the summary; the latest that stands when left out'),
  }),
  example: { projectId: 'shop', room: 'login' },
  output: inferred(z.strictObject({ summary: count.describe('number of the summary'), ...stretch })),
  grant: 'write',
  errors: [...storeErrors, 'NOT_FOUND'],
  run: async ({ summary, ...request }, context) => takeBackSummary(await doorOf(request, context), summary),
});
