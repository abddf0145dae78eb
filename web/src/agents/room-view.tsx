// One room: who is in it, what was said, the turn under way, and what one can do.
import { useEffect, useRef, useState } from 'preact/hooks';
import { call } from '../shell/call.js';
import { project } from '../shell/start.js';
import { Trouble } from '../shell/trouble.js';
import { word } from '../shell/words/word.js';
import { CompactForm } from './compact-form.js';
import { LiveTurn } from './live-turn.js';
import { Messages } from './messages.js';
import { say } from './room-words.js';
import { type Message, noteRoom, type Room, takeTurn, turns } from './rooms.js';
import { SayForm } from './say-form.js';

/** Others speak here too; more often while somebody does. */
const lookEveryMs = 4_000;
const lookOftenMs = 1_000;

export function RoomView({ room: name }: { room: string }) {
  const [found, setFound] = useState<{ room: Room; messages: readonly Message[] }>();
  const [error, setError] = useState<unknown>();
  const [refusal, setRefusal] = useState<unknown>();
  const read = useRef(async () => {});
  read.current = async () => {
    const request = { projectId: project.value.projectId, room: name };
    try {
      if (found !== undefined) {
        const { room: now } = await call('agents:rooms:get', { ...request, after: found.room.messages });
        setError(undefined);
        if (isSame(found.room, now)) return;
      }
      const answer = await call('agents:rooms:get', request);
      setFound(answer);
      setError(undefined);
      noteRoom(answer.room);
    } catch (failure) {
      setError(failure);
    }
  };
  const turn = turns.value[name];
  const isSpeaking = turn?.standing === 'speaking';
  const isBusy = isSpeaking || found?.room.speaking !== undefined;
  useEffect(() => {
    void read.current();
    const timer = setInterval(
      () => {
        if (document.visibilityState === 'visible') void read.current();
      },
      isBusy ? lookOftenMs : lookEveryMs,
    );
    return () => clearInterval(timer);
  }, [name, isBusy]);
  if (found === undefined)
    return error === undefined ? <p role="status">{word('loading')}</p> : <Trouble error={error} />;
  const { room, messages } = found;
  /** What is refused is said, and the room is read anew either way. */
  const attempt = async (work: () => Promise<unknown>): Promise<boolean> => {
    setRefusal(undefined);
    try {
      await work();
      return true;
    } catch (failure) {
      setRefusal(failure);
      return false;
    } finally {
      await read.current();
    }
  };
  const ask = (id: 'agents:rooms:say' | 'agents:rooms:expand' | 'agents:rooms:close', request: object = {}) =>
    attempt(() => call(id, { projectId: project.value.projectId, room: name, ...request }));
  return (
    <article aria-labelledby="room">
      <h2 id="room">
        {room.room} {room.closedAt === undefined ? null : <span class="tag">{say('rooms.closed')}</span>}
      </h2>
      {room.task === undefined ? null : <p class="text">{room.task}</p>}
      <ul class="plain marks">
        {room.agents.map((agent) => (
          <li key={agent.name}>
            <strong>{agent.name}</strong>{' '}
            <span class="quiet">
              {agent.agentType} · {say(`may.${agent.permission}`)}
            </span>
          </li>
        ))}
      </ul>
      {error === undefined ? null : <Trouble error={error} />}
      <Messages
        {...{ room, messages }}
        takeBack={
          room.closedAt === undefined ? (summary) => ask('agents:rooms:expand', { summary }) : undefined
        }
      />
      {turn === undefined ? null : <LiveTurn room={name} turn={turn} speaking={room.speaking} />}
      {!isSpeaking && room.speaking !== undefined ? (
        <p role="status">{say('rooms.speaking', { agent: room.speaking })}</p>
      ) : null}
      {refusal === undefined ? null : <Trouble error={refusal} />}
      {room.closedAt !== undefined ? null : (
        <>
          <SayForm
            room={room}
            isBusy={isBusy}
            speak={(message) => ask('agents:rooms:say', message)}
            letSpeak={(agent) => void attempt(() => takeTurn(name, agent === '' ? {} : { agent }))}
          />
          <CompactForm
            room={room}
            isBusy={isBusy}
            compact={(agent, summary) =>
              void attempt(() => takeTurn(name, { summary, ...(agent === undefined ? {} : { agent }) }))
            }
          />
          <CloseForm isBusy={isBusy} close={() => void ask('agents:rooms:close')} />
        </>
      )}
    </article>
  );
}

const isSame = (before: Room, now: Room) => JSON.stringify(before) === JSON.stringify(now);

function CloseForm({ isBusy, close }: { isBusy: boolean; close(): void }) {
  const [isAsking, setAsking] = useState(false);
  if (!isAsking)
    return (
      <p>
        <button type="button" disabled={isBusy} onClick={() => setAsking(true)}>
          {say('close.ask')}
        </button>
      </p>
    );
  return (
    <div class="row" role="group" aria-label={say('close.ask')}>
      <span>{say('close.sure')}</span>
      <button type="button" onClick={close}>
        {say('close.yes')}
      </button>
      <button type="button" onClick={() => setAsking(false)}>
        {say('close.no')}
      </button>
    </div>
  );
}
