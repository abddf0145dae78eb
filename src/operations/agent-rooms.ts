// Rooms: conversations of people and agents that last. Who speaks in them is in agent-room-turns.ts.
import * as z from 'zod';
import { messageContent, messageIdField } from '../agents/assembler-input.js';
import {
  changedValue,
  newRoom,
  notices,
  participantName,
  type Room,
  type RoomAgent,
  readRoom,
  refuseClosed,
  roles,
  roomAgent,
} from '../agents/rooms/room.js';
import { viewOf } from '../agents/rooms/room-view.js';
import {
  noticeOf,
  type RoomDoor,
  readMessages,
  refuseClaimed,
  sayIn,
  standingClaim,
} from '../agents/rooms/run-room.js';
import { textField } from '../core/model/input.js';
import { defineOperation, type OperationContext, storeErrors } from './operation.js';
import { inParts, partFields } from './parts.js';
import { count, inferred, named, timestamp } from './published-schema.js';
import { nameField } from './request-fields.js';

const projectRequest = z.strictObject({
  projectId: nameField.optional().describe('whose rooms; those of the folder when left out'),
});

export const roomRequest = projectRequest.extend({ room: nameField.describe('what the room is called') });

export const stretch = {
  first: z.int().positive().describe('number of the first message it stands for'),
  last: z.int().positive().describe('number of the last message it stands for'),
};

export const message = named(
  'RoomMessage',
  z.strictObject({
    number: count.describe('from 1, without a gap'),
    id: z.string(),
    createdAt: timestamp,
    role: z.enum(roles).describe('system: a rule; notice: a line that no agent is shown'),
    from: z.string().describe('who said it'),
    to: z.string().optional().describe('to whom, if not to everyone'),
    content: messageContent.describe('what was said'),
    priority: z.int().optional(),
    pinned: z.boolean().optional(),
    range: z.strictObject(stretch).optional().describe('of a summary: what it stands for'),
    notice: z
      .strictObject({
        kind: z.enum(notices),
        agent: z.string().optional().describe('whose turn it was'),
        code: z.string().optional().describe('of the refusal'),
      })
      .optional()
      .describe('why there is a line that nobody said'),
    receipt: z.string().optional().describe('id of the receipt of what the agent was sent'),
  }),
);

const room = named(
  'Room',
  z.strictObject({
    room: z.string().describe('what it is called'),
    task: z.string().optional().describe('what the whole team works on'),
    agents: z.array(roomAgent).describe('who may be asked to speak'),
    messages: count.describe('how many there are'),
    summaries: z
      .array(z.strictObject({ summary: count.describe('number of the message'), ...stretch }))
      .describe('that stand for messages now'),
    speaking: z.string().optional().describe('the agent whose turn is under way'),
    createdAt: timestamp,
    changedAt: timestamp,
    closedAt: timestamp.optional(),
  }),
);

function shownRoom(stored: Room, now: number): z.output<typeof room> {
  const { id, compactions, claim: _claim, form: _form, ...rest } = stored;
  const claim = standingClaim(stored, now);
  const speaking = claim === undefined ? {} : { speaking: claim.agent };
  return { room: id, ...rest, summaries: compactions, ...speaking };
}

export async function doorOf(
  { projectId, room }: { readonly projectId?: string | undefined; readonly room: string },
  context: OperationContext,
): Promise<RoomDoor> {
  const project = await projectOf(projectId, context);
  return { rooms: (await context.store()).rooms, project, room, now: () => context.now() };
}

async function projectOf(projectId: string | undefined, { folder }: OperationContext): Promise<string> {
  if (projectId !== undefined) return projectId;
  const { nameOfFolder } = await import('../writing/folder/project-folder.js');
  return nameOfFolder(folder);
}

const haveOwnNames = (agents: readonly RoomAgent[]) =>
  new Set(agents.map(({ name }) => name.toLowerCase())).size === agents.length;

export const agentsRoomsCreate = defineOperation({
  id: 'agents:rooms:create',
  summary: 'Opens a room: a stored conversation of people and agents.',
  input: roomRequest.extend({
    task: textField(100_000).optional().describe('what the whole team works on'),
    agents: z
      .array(roomAgent)
      .min(1)
      .max(50)
      .refine(haveOwnNames, { error: 'two agents have the same name' })
      .describe('who may be asked to speak'),
  }),
  example: {
    projectId: 'shop',
    room: 'login',
    task: 'Design the login',
    agents: [
      { name: 'max', agentType: 'claude-code', systemInstruction: 'You are Max, an architect.' },
      { name: 'sarah', agentType: 'openai-codex', permission: 'edit', maxTokens: 60_000 },
    ],
  },
  output: inferred(room),
  grant: 'write',
  errors: [...storeErrors, 'ALREADY_EXISTS'],
  run: async ({ task, agents, ...request }, context) => {
    const door = await doorOf(request, context);
    const stored = await door.rooms.create(door.project, door.room, newRoom(agents, task));
    return shownRoom(readRoom(stored), context.now());
  },
});

export const agentsRoomsSay = defineOperation({
  id: 'agents:rooms:say',
  summary: 'Adds one message to a room; nobody answers yet.',
  input: roomRequest.extend({
    id: messageIdField.optional().describe('to say it once, however often it is sent'),
    from: participantName.describe('who says it'),
    to: participantName.optional().describe('to whom, if not to everyone'),
    role: z
      .enum(['user', 'assistant', 'system'])
      .default('user')
      .describe('system: a rule, which stays word for word'),
    content: messageContent,
    priority: z.int().min(-1000).max(1000).optional(),
    pinned: z.boolean().optional(),
  }),
  example: { projectId: 'shop', room: 'login', from: 'kailai', content: '@max What do you suggest?' },
  output: inferred(message),
  grant: 'write',
  errors: [...storeErrors, 'NOT_FOUND', 'ALREADY_EXISTS'],
  run: async ({ projectId, room, id, ...value }, context) =>
    sayIn(await doorOf({ projectId, room }, context), value, id),
});

export const agentsRoomsList = defineOperation({
  id: 'agents:rooms:list',
  summary: 'Lists the rooms of a project.',
  input: projectRequest,
  example: { projectId: 'shop' },
  output: inferred(z.strictObject({ rooms: z.array(room).describe('in the order they were opened') })),
  grant: 'read',
  errors: storeErrors,
  run: async ({ projectId }, context) => {
    const { rooms } = await context.store();
    const stored = await rooms.list(await projectOf(projectId, context));
    return { rooms: stored.map((one) => shownRoom(readRoom(one), context.now())) };
  },
});

export const agentsRoomsGet = defineOperation({
  id: 'agents:rooms:get',
  summary: 'Gives a room with its messages, and which summary stands for which of them.',
  input: roomRequest.extend({
    after: count.default(0).describe('only messages with a higher number'),
    limit: z.int().min(1).max(100_000).optional(),
    ...partFields,
  }),
  inParts: true,
  example: { projectId: 'shop', room: 'login' },
  output: inParts(
    inferred(
      z.strictObject({
        room: room.describe('the room itself'),
        messages: z
          .array(
            message.extend({
              replacedBy: count.optional().describe('number of the summary that stands for it'),
            }),
          )
          .describe('in the order in which they were said'),
      }),
    ),
  ),
  grant: 'read',
  errors: [...storeErrors, 'NOT_FOUND'],
  run: async ({ after, limit, ...request }, context) => {
    const door = await doorOf(request, context);
    const found = readRoom(await door.rooms.get(door.project, door.room));
    const messages = await readMessages(door);
    const { replacedBy } = viewOf(found, messages);
    const asked = messages.slice(after, limit === undefined ? undefined : after + limit);
    return {
      room: shownRoom(found, context.now()),
      messages: asked.map((one) => {
        const summary = replacedBy.get(one.number);
        return { ...one, ...(summary === undefined ? {} : { replacedBy: summary }) };
      }),
    };
  },
});

export const agentsRoomsClose = defineOperation({
  id: 'agents:rooms:close',
  summary: 'Closes a room: it stays to be read, and nothing more is said in it.',
  input: roomRequest,
  example: { projectId: 'shop', room: 'login' },
  output: inferred(room),
  grant: 'write',
  errors: [...storeErrors, 'NOT_FOUND', 'CONTEXT_BACKPRESSURE'],
  run: async (request, context) => {
    const { rooms, project, room: id } = await doorOf(request, context);
    const { room } = await rooms.change(project, id, (stored) => {
      const open = readRoom(stored);
      refuseClosed(open);
      refuseClaimed(open, context.now());
      const value = changedValue(open, { claim: undefined, closedAt: context.now() });
      return { value, messages: [{ value: noticeOf({ kind: 'closed' }) }] };
    });
    return shownRoom(readRoom(room), context.now());
  },
});
