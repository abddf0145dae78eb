// What an agent is shown of a room: summaries in the place of what they stand for, pinned messages and rules word for word, notices
// never. What a summary replaced is known to the receipt.
import type { Rejection } from '../../core/model/receipt.js';
import { messageFragment } from '../assemble-turn.js';
import { type AssemblerInput, contentText } from '../assembler-input.js';
import type { Compaction, Room, RoomAgent, RoomMessage } from './room.js';

export interface RoomView {
  readonly shown: readonly RoomMessage[];
  /** By number: the summary that stands for a message. */
  readonly replacedBy: ReadonlyMap<number, number>;
}

export function viewOf(
  { compactions }: Pick<Room, 'compactions'>,
  messages: readonly RoomMessage[],
): RoomView {
  const standing = outermost(compactions);
  const byNumber = new Map(messages.map((message) => [message.number, message]));
  const shown: RoomMessage[] = [];
  const replacedBy = new Map<number, number>();
  let next = 0;
  for (const message of messages) {
    while ((standing[next]?.last ?? Number.POSITIVE_INFINITY) < message.number) next += 1;
    const over = standing[next];
    if (over?.first === message.number) {
      const summary = byNumber.get(over.summary);
      if (summary !== undefined) shown.push(summary);
    }
    if (!isSaid(message)) continue;
    const isReplaced = over !== undefined && over.first <= message.number && !isKeptWhole(message);
    if (isReplaced) replacedBy.set(message.number, over.summary);
    else shown.push(message);
  }
  return { shown, replacedBy };
}

/** In order; of two that lie in each other the wider one stands. */
function outermost(compactions: readonly Compaction[]): Compaction[] {
  const isInside = (inner: Compaction, outer: Compaction) =>
    inner !== outer && outer.first <= inner.first && inner.last <= outer.last;
  return compactions
    .filter((inner) => !compactions.some((outer) => isInside(inner, outer)))
    .sort((a, b) => a.first - b.first);
}

export const isSaid = ({ role }: RoomMessage): boolean => role !== 'notice' && role !== 'summary';

/** Rules and what was pinned survive every summary. */
export const isKeptWhole = ({ role, pinned }: RoomMessage): boolean => role === 'system' || pinned === true;

export interface RoomTurn {
  readonly input: AssemblerInput;
  readonly rejections: readonly Rejection[];
  /** The message to answer stays word for word. */
  readonly keepsMessage: boolean;
}

/** The turn of one agent: what was said last is what it answers, unless it said that itself. */
export function turnOf(room: Room, messages: readonly RoomMessage[], agent: RoomAgent): RoomTurn {
  const { shown, replacedBy } = viewOf(room, messages);
  const last = shown.at(-1);
  const current = last === undefined || last.from === agent.name || !isSaid(last) ? undefined : last;
  const context = current === undefined ? shown : shown.slice(0, -1);
  const { systemInstruction, maxBytes, maxTokens, meter, trim } = agent;
  return {
    input: {
      contextMessages: context.map(contextMessage),
      currentMessage: current?.content ?? '',
      teamTask: room.task ?? null,
      ...{ systemInstruction, maxBytes, maxTokens, meter, trim },
    },
    rejections: [...replacedBy].map(([number, summary]) => ({
      ...{ id: messageFragment(String(number)), source: 'context', layer: 'context', verdict: 'withheld' },
      reason: `summary ${summary} stands for it`,
    })) as Rejection[],
    keepsMessage: current !== undefined && isKeptWhole(current),
  };
}

export function contextMessage(message: RoomMessage): AssemblerInput['contextMessages'][number] {
  const { number, from, to, content, priority, range } = message;
  const text = contentText(content);
  return {
    id: String(number),
    from,
    ...(to === undefined ? {} : { to }),
    content: range === undefined ? text : `(summary of messages ${range.first} to ${range.last}) ${text}`,
    ...(priority === undefined ? {} : { priority }),
    // A summary is the oldest of what is sent, and stands for the most.
    ...(isKeptWhole(message) || range !== undefined ? { pinned: true } : {}),
  };
}
