// A long room made shorter: a summary, written by a person or a model, stands for a stretch of messages. Nothing is deleted, the
// summary can be written anew, and taking it back brings the messages back.
import { GalleyError } from '../../core/model/error.js';
import type { AssemblerInput } from '../assembler-input.js';
import {
  type Compaction,
  changedValue,
  type Room,
  type RoomMessage,
  readMessage,
  readRoom,
  refuseClosed,
} from './room.js';
import { contextMessage, isKeptWhole, isSaid, viewOf } from './room-view.js';
import { noticeOf, type RoomDoor } from './run-room.js';

export type Stretch = Pick<Compaction, 'first' | 'last'>;

interface WantedStretch {
  readonly first?: number | undefined;
  readonly last?: number | undefined;
  /** How many of the newest messages stay as they are, where no last one is named. */
  readonly keep: number;
}

/** The stretch that is meant; refused where nothing in it could be replaced. */
export function stretchOf(room: Room, messages: readonly RoomMessage[], wanted: WantedStretch): Stretch {
  const said = messages.filter(isSaid);
  const first = wanted.first ?? said[0]?.number ?? 1;
  const last = wanted.last ?? said.at(-1 - wanted.keep)?.number ?? 0;
  if (last > room.messages) throw refusal('last', 'the room has no such message');
  const isWorth = said.some((one) => one.number >= first && one.number <= last && !isKeptWhole(one));
  if (first > last || !isWorth)
    throw refusal('first', 'there is nothing between first and last to summarise');
  refuseCrossing(room, { first, last });
  return { first, last };
}

/** Summaries lie in each other or apart; otherwise nobody could say what stands for a message. */
function refuseCrossing({ compactions }: Room, { first, last }: Stretch): void {
  const crosses = compactions.some(
    (other) =>
      (other.first < first && first <= other.last && other.last < last) ||
      (first < other.first && other.first <= last && last < other.last),
  );
  if (crosses)
    throw refusal('first', 'a summary reaches across this border; take all of it in, or none of it');
  const isInside = compactions.some(
    (other) => other.first <= first && last <= other.last && (other.first !== first || other.last !== last),
  );
  if (isInside)
    throw refusal('first', 'a summary stands for these messages already; take that one back first');
}

interface Summary extends Stretch {
  readonly by: string;
  readonly text: string;
  readonly receipt?: string | undefined;
}

/** The same stretch again is the same summary in other words. */
export async function putSummary(
  { rooms, project, room: id }: RoomDoor,
  { by, text, first, last, receipt }: Summary,
): Promise<RoomMessage> {
  const { added } = await rooms.change(project, id, (stored) => {
    const room = readRoom(stored);
    refuseClosed(room);
    refuseCrossing(room, { first, last });
    const others = room.compactions.filter((other) => other.first !== first || other.last !== last);
    const compactions = [...others, { summary: room.messages + 1, first, last }];
    const value = {
      ...{ role: 'summary' as const, from: by, content: text, range: { first, last } },
      ...(receipt === undefined ? {} : { receipt }),
    };
    return { value: changedValue(room, { compactions }), messages: [{ value }] };
  });
  return readMessage(added[0] as NonNullable<(typeof added)[0]>);
}

/** What it stood for is back; a summary inside it stands again. */
export async function takeBackSummary(
  { rooms, project, room: id }: RoomDoor,
  summary: number | undefined,
): Promise<Compaction> {
  let gone: Compaction | undefined;
  await rooms.change(project, id, (stored) => {
    const room = readRoom(stored);
    refuseClosed(room);
    const { compactions } = room;
    gone =
      summary === undefined ? compactions.at(-1) : compactions.find((other) => other.summary === summary);
    if (gone === undefined) throw refusal('summary', 'no such summary stands in this room');
    const { first, last } = gone;
    const kept = compactions.filter((other) => other !== gone);
    return {
      value: changedValue(room, { compactions: kept }),
      messages: [{ value: { ...noticeOf({ kind: 'expanded' }), range: { first, last } } }],
    };
  });
  return gone as Compaction;
}

/** What a model is asked for a summary: every message of the stretch, or a refusal. */
export function summaryTurn(
  room: Room,
  messages: readonly RoomMessage[],
  { first, last }: Stretch,
): AssemblerInput {
  const within = ({ number, range }: RoomMessage) => {
    const place = range?.first ?? number;
    return first <= place && place <= last;
  };
  const shown = viewOf(room, messages).shown.filter(within);
  return {
    contextMessages: shown.map((message) => ({ ...contextMessage(message), pinned: true })),
    currentMessage: summaryRequest,
    teamTask: room.task ?? null,
  };
}

const summaryRequest = [
  'Write a summary that will stand in place of the conversation above, for all who take part in it.',
  'Keep who wanted what, what was decided and why, what is open and whose it is, and names, paths, numbers and identifiers as they were written.',
  'Add nothing that was not said. Answer with the summary alone.',
].join(' ');

function refusal(field: string, says: string): GalleyError {
  return new GalleyError('INVALID_ARGUMENT', `${field}: ${says}.`, { details: { field } });
}
