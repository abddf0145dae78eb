// What a room is: a conversation of people and agents that lasts. Its messages are never changed; what stands for them, who is
// speaking and whether it is closed is said in the room itself.
import * as z from 'zod';
import { GalleyError } from '../../core/model/error.js';
import { textField } from '../../core/model/input.js';
import { permissions } from '../../models/contract/agent-event.js';
import type { StoredMessage, StoredRoom } from '../../store/tables/rooms.js';
import { messageContent } from '../assembler-input.js';

/** Of what is stored; a room of a later form is refused, never guessed at. */
const roomForm = 1;

/** A name that can be mentioned. */
export const participantName = z.string().regex(/^[\p{L}\p{N}](?:[\p{L}\p{N}_.-]{0,62}[\p{L}\p{N}])?$/u, {
  error: 'must be 1 to 64 letters and digits; dots, dashes and underscores may stand between',
});

export const roomAgent = z.strictObject({
  name: participantName.describe('what it is mentioned by'),
  agentType: z
    .string()
    .max(64)
    .describe('claude-code, openai-codex or google-gemini; any other name for a model without tools'),
  systemInstruction: z
    .union([textField(), z.array(textField())])
    .optional()
    .describe('who it is and how it behaves'),
  permission: z.enum(permissions).default('read').describe('what it may do in the folder'),
  model: z
    .string()
    .regex(/^[\w.:/@[\]][\w.:/@[\]-]{0,199}$/)
    .optional()
    .describe('which model answers; the usual one of the agent when left out'),
  maxBytes: z.int().positive().optional().describe('what a turn may cost'),
  maxTokens: z.int().positive().optional().describe('what a turn may cost, in place of maxBytes'),
  meter: textField(200).optional(),
  trim: z
    .enum(['exact', 'hops'])
    .default('hops')
    .describe('how context gives way: message by message, or in hops that keep caches hitting'),
});

export type RoomAgent = z.output<typeof roomAgent>;

/** A stretch of messages for which a summary stands. */
const compaction = z.strictObject({
  summary: z.int().positive().describe('number of the message that stands for them'),
  first: z.int().positive(),
  last: z.int().positive(),
});

export type Compaction = z.output<typeof compaction>;

const claim = z.strictObject({ owner: z.string(), agent: z.string(), until: z.number() });

const roomValue = z.strictObject({
  form: z.literal(roomForm),
  task: z.string().optional(),
  agents: z.array(roomAgent),
  compactions: z.array(compaction),
  claim: claim.optional(),
  closedAt: z.number().optional(),
});

export type RoomValue = z.output<typeof roomValue>;

export interface Room extends Omit<StoredRoom, 'value'>, RoomValue {}

export const roles = ['user', 'assistant', 'system', 'summary', 'notice'] as const;

/** Why a room has a line that nobody said: a turn that came to nothing, or messages that came back. */
export const notices = ['failed', 'refused', 'cancelled', 'lost', 'expanded', 'closed'] as const;

const notice = z.strictObject({
  kind: z.enum(notices),
  agent: z.string().optional(),
  code: z.string().optional().describe('of the refusal'),
});

export type Notice = z.output<typeof notice>;

const range = z.strictObject({ first: z.int().positive(), last: z.int().positive() });

const messageValue = z.strictObject({
  role: z.enum(roles),
  from: z.string(),
  to: z.string().optional(),
  content: messageContent,
  priority: z.int().optional(),
  pinned: z.boolean().optional(),
  range: range.optional(),
  notice: notice.optional(),
  receipt: z.string().optional(),
});

export type MessageValue = z.output<typeof messageValue>;

export interface RoomMessage extends MessageValue {
  readonly number: number;
  readonly id: string;
  readonly createdAt: number;
}

export function newRoom(agents: readonly RoomAgent[], task: string | undefined): RoomValue {
  return {
    form: roomForm,
    ...(task === undefined ? {} : { task }),
    agents: [...agents],
    compactions: [],
  };
}

export function readRoom({ value, ...stored }: StoredRoom): Room {
  return { ...stored, ...understood(roomValue, value) };
}

export function readMessage({ value, ...stored }: StoredMessage): RoomMessage {
  return { ...stored, ...understood(messageValue, value) };
}

function understood<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new GalleyError(
    'STORE_TOO_NEW',
    'This room was written by another version of Galley; update Galley to open it.',
    { details: { supported: roomForm } },
  );
}

/** The room as it is stored, with some of it changed; a field that is undefined is gone. */
export function changedValue(room: Room, change: Partial<RoomValue>): RoomValue {
  const { form, task, agents, compactions, claim, closedAt } = { ...room, ...change };
  return JSON.parse(JSON.stringify({ form, task, agents, compactions, claim, closedAt }));
}

export function refuseClosed({ closedAt }: Room): void {
  if (closedAt === undefined) return;
  throw new GalleyError('INVALID_ARGUMENT', 'room: it is closed, so nothing more can be said in it.', {
    details: { field: 'room' },
  });
}
