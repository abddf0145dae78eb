// One turn at a time: whoever lets an agent speak claims the room for a while and says so again as long as it works. A turn ends with
// one message, or with one line that says why there is none. The claim of a process that died on this machine is taken over at once; of one elsewhere it runs out.
import { randomUUID } from 'node:crypto';
import { GalleyError, isGalleyError, toGalleyError } from '../../core/model/error.js';
import type { Rooms } from '../../store/tables/rooms.js';
import { isGone, thisProcess } from '../process-owner.js';
import { nextSpeaker } from './next-speaker.js';
import {
  changedValue,
  type MessageValue,
  type Notice,
  type Room,
  type RoomAgent,
  type RoomMessage,
  readMessage,
  readRoom,
  refuseClosed,
} from './room.js';
import { isSaid } from './room-view.js';

/** A room as one works with it. */
export interface RoomDoor {
  readonly rooms: Rooms;
  readonly project: string;
  readonly room: string;
  now(): number;
}

export async function readMessages({ rooms, project, room }: RoomDoor): Promise<RoomMessage[]> {
  return (await rooms.messages(project, room)).map(readMessage);
}

/** One whole message behind the last one. */
export async function sayIn(
  { rooms, project, room }: RoomDoor,
  value: MessageValue,
  id?: string,
): Promise<RoomMessage> {
  const { added } = await rooms.change(project, room, (stored) => {
    refuseClosed(readRoom(stored));
    return { messages: [{ id, value }] };
  });
  return readMessage(added[0] as NonNullable<(typeof added)[0]>);
}

/** How long a claim holds without being renewed. */
export const claimMs = 60_000;

export interface Speech {
  readonly text: string;
  /** Id of the receipt of what was sent. */
  readonly receipt: string;
}

interface TurnRequest {
  readonly agent?: string | undefined;
  readonly signal: AbortSignal;
  /** Renews the claim while the agent speaks; the timer of the platform unless told. */
  readonly every?: (ms: number, renew: () => void) => () => void;
}

/** `speak` is handed what the agent may see; what it throws is thrown again once the room says so. */
export async function takeTurn<Answer extends Speech>(
  door: RoomDoor,
  request: TurnRequest,
  speak: (at: {
    readonly room: Room;
    readonly messages: readonly RoomMessage[];
    readonly agent: RoomAgent;
    readonly signal: AbortSignal;
  }) => Promise<Answer>,
): Promise<{ readonly answer: Answer; readonly message: RoomMessage }> {
  const owner = `${thisProcess()}.${randomUUID()}`;
  const { room, agent } = await claimRoom(door, owner, request.agent);
  const lost = new AbortController();
  const { every = everySoOften } = request;
  const stop = every(claimMs / 3, () => {
    renewClaim(door, owner).catch((error) => lost.abort(toGalleyError(error)));
  });
  const signal = AbortSignal.any([request.signal, lost.signal]);
  try {
    const answer = await speak({ room, messages: await readMessages(door), agent, signal });
    const message = await endTurn(door, owner, {
      role: 'assistant',
      from: agent.name,
      content: answer.text,
      receipt: answer.receipt,
    });
    return { answer, message };
  } catch (error) {
    const reason = lost.signal.aborted ? lost.signal.reason : error;
    await endTurn(door, owner, noticeOf({ ...kindOf(reason), agent: agent.name })).catch(() => undefined);
    throw reason;
  } finally {
    stop();
  }
}

function everySoOften(ms: number, renew: () => void): () => void {
  const timer = setInterval(renew, ms);
  timer.unref();
  return () => clearInterval(timer);
}

async function claimRoom(
  door: RoomDoor,
  owner: string,
  asked: string | undefined,
): Promise<{ readonly room: Room; readonly agent: RoomAgent }> {
  const last = (await readMessages(door)).findLast(isSaid);
  const { rooms, project, room: id } = door;
  let agent: RoomAgent | undefined;
  const { room } = await rooms.change(project, id, (stored) => {
    const room = readRoom(stored);
    refuseClosed(room);
    const now = door.now();
    refuseClaimed(room, now);
    refuseEmpty(room, last);
    agent = nextSpeaker(room, last, asked);
    const gone = room.claim === undefined ? [] : [noticeOf({ kind: 'lost', agent: room.claim.agent })];
    return {
      value: changedValue(room, { claim: { owner, agent: agent.name, until: now + claimMs } }),
      messages: gone.map((value) => ({ value })),
    };
  });
  return { room: readRoom(room), agent: agent as RoomAgent };
}

/** An agent that is told nothing does not even begin. */
function refuseEmpty({ task = '' }: Room, last: RoomMessage | undefined): void {
  if (last !== undefined || task.trim() !== '') return;
  throw new GalleyError(
    'INVALID_ARGUMENT',
    'room: nothing was said in it yet, and it has no task; say something first.',
    { details: { field: 'room' } },
  );
}

/** The claim of a turn that is under way, as far as anybody can tell. */
export function standingClaim({ claim }: Room, now: number): Room['claim'] {
  return claim === undefined || claim.until <= now || isGone(claim.owner) ? undefined : claim;
}

export function refuseClaimed(room: Room, now: number): void {
  const claim = standingClaim(room, now);
  if (claim === undefined) return;
  throw new GalleyError(
    'CONTEXT_BACKPRESSURE',
    'An agent is speaking in this room; try again when it is done.',
    { details: { retryAfterMs: claim.until - now } },
  );
}

async function renewClaim(door: RoomDoor, owner: string): Promise<void> {
  await door.rooms.change(door.project, door.room, (stored) => {
    const room = ownRoom(readRoom(stored), owner);
    return { value: changedValue(room, { claim: { ...room.claim, until: door.now() + claimMs } }) };
  });
}

async function endTurn(door: RoomDoor, owner: string, value: MessageValue): Promise<RoomMessage> {
  const { added } = await door.rooms.change(door.project, door.room, (stored) => {
    const room = ownRoom(readRoom(stored), owner);
    return { value: changedValue(room, { claim: undefined }), messages: [{ value }] };
  });
  return readMessage(added[0] as NonNullable<(typeof added)[0]>);
}

/** An answer that comes after its claim ran out and was taken has no place in the room any more. */
function ownRoom(room: Room, owner: string): Room & { readonly claim: NonNullable<Room['claim']> } {
  const { claim } = room;
  if (claim?.owner === owner) return { ...room, claim };
  throw new GalleyError(
    'CHANGED_MEANWHILE',
    'The room was taken over while this turn was at work; its answer was not kept. Ask again.',
  );
}

export const noticeOf = (notice: Notice): MessageValue => ({
  ...{ role: 'notice', from: 'galley', content: '', notice },
});

const refusalCodes: ReadonlySet<string> = new Set([
  'MODEL_REFUSED',
  'FORBIDDEN',
  'CONTEXT_BUDGET_INFEASIBLE',
  'COST_CEILING_REACHED',
]);

function kindOf(error: unknown): Notice {
  const { code } = isGalleyError(error) ? error : toGalleyError(error);
  if (code === 'CANCELLED') return { kind: 'cancelled' };
  return { kind: refusalCodes.has(code) ? 'refused' : 'failed', code };
}
