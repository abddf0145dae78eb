// Who speaks next: whom the caller names, whom the last message is for, or whom it mentions first.
import { GalleyError } from '../../core/model/error.js';
import { contentText } from '../assembler-input.js';
import type { Room, RoomAgent, RoomMessage } from './room.js';

export function nextSpeaker(
  { agents }: Pick<Room, 'agents'>,
  last: RoomMessage | undefined,
  asked: string | undefined,
): RoomAgent {
  const called = (name: string | undefined) => agents.find((agent) => agent.name === name);
  const found = asked === undefined ? (called(last?.to) ?? mentioned(agents, last)) : called(asked);
  if (found !== undefined) return found;
  const names = agents.map(({ name }) => name).join(', ');
  throw new GalleyError(
    'INVALID_ARGUMENT',
    asked === undefined
      ? `agent: the last message is for nobody who could answer; name one of ${names}, or mention one with @.`
      : `agent: nobody of that name is in the room; there are ${names}.`,
    { details: { field: 'agent' } },
  );
}

/** The longest name behind the first @ that names anybody; who spoke does not mean itself. */
function mentioned(agents: readonly RoomAgent[], last: RoomMessage | undefined): RoomAgent | undefined {
  if (last === undefined) return undefined;
  const text = contentText(last.content);
  const byLength = [...agents].sort((a, b) => b.name.length - a.name.length);
  for (const { index } of text.matchAll(/@/g)) {
    const rest = text.slice(index + 1);
    const found = byLength.find(({ name }) => name !== last.from && beginsWith(rest, name));
    if (found !== undefined) return found;
  }
  return undefined;
}

const wordCharacter = /^[A-Za-z0-9_]$/;

/** Chinese stands without spaces; a Latin name ends where its letters do. */
function beginsWith(text: string, name: string): boolean {
  if (text.slice(0, name.length).toLowerCase() !== name.toLowerCase()) return false;
  return !(wordCharacter.test(name.at(-1) ?? '') && wordCharacter.test(text.charAt(name.length)));
}
