// What was said in a room. Every text is text, whoever wrote it.
import { useEffect, useRef, useState } from 'preact/hooks';
import { grouped, moment } from '../shell/words/word.js';
import { say } from './room-words.js';
import type { Message, Room } from './rooms.js';

/** The newest; older ones when they are asked for. */
const manyAtOnce = 500;

export function Messages(props: {
  room: Room;
  messages: readonly Message[];
  takeBack: ((summary: number) => void) | undefined;
}) {
  const { room, messages, takeBack } = props;
  const box = useRef<HTMLDivElement>(null);
  const seen = useRef(0);
  useEffect(() => {
    const place = box.current;
    const isNew = messages.length > seen.current;
    seen.current = messages.length;
    if (place !== null && isNew) place.scrollTop = place.scrollHeight;
  }, [messages.length]);
  const [shown, setShown] = useState(manyAtOnce);
  const older = Math.max(0, messages.length - shown);
  const standing = new Set(room.summaries.map(({ summary }) => summary));
  return (
    <div class="messages" role="log" aria-label={say('messages.title')} tabIndex={0} ref={box}>
      {messages.length === 0 ? <p class="quiet">{say('messages.none')}</p> : null}
      {older === 0 ? null : (
        <button type="button" onClick={() => setShown(shown + manyAtOnce)}>
          {say('messages.older', { n: grouped(older) })}
        </button>
      )}
      <ol class="plain">
        {messages.slice(older).map((message) => (
          <li key={message.number} class={`message-of ${message.role}`}>
            {message.notice === undefined ? (
              <Said {...{ message, isStanding: standing.has(message.number), takeBack }} />
            ) : (
              <p class="quiet">
                {noticeWords(message)} · <When at={message.createdAt} />
              </p>
            )}
          </li>
        ))}
      </ol>
    </div>
  );
}

const When = ({ at }: { at: number }) => <time dateTime={new Date(at).toISOString()}>{moment(at)}</time>;

function Said(props: {
  message: Message;
  isStanding: boolean;
  takeBack: ((summary: number) => void) | undefined;
}) {
  const { message, isStanding, takeBack } = props;
  const { number, from, to, createdAt, replacedBy, range, role } = message;
  const head = (
    <>
      <strong>{to === undefined ? from : `${from} → ${to}`}</strong>{' '}
      <span class="quiet">
        {number} · {range === undefined ? `${say(`role.${role}`)} · ` : ''}
        <When at={createdAt} />
      </span>{' '}
      {marksOf(message).map((mark) => (
        <span class="tag" key={mark}>
          {mark}
        </span>
      ))}
    </>
  );
  if (replacedBy !== undefined)
    return (
      <details>
        <summary>{head}</summary>
        <Content content={message.content} />
      </details>
    );
  return (
    <>
      <div class="row">
        <span>{head}</span>
        {range === undefined ? null : !isStanding ? (
          <span class="tag">{say('message.written')}</span>
        ) : takeBack === undefined ? null : (
          <button type="button" onClick={() => takeBack(number)}>
            {say('message.takeback', { n: number })}
          </button>
        )}
      </div>
      <Content content={message.content} />
    </>
  );
}

function Content({ content }: { content: Message['content'] }) {
  if (typeof content === 'string') return <div class="text">{content}</div>;
  return (
    <div class="text">
      {content.map((part, at) => (
        <div key={at}>{part.type === 'text' ? part.text : <code>{part.path}</code>}</div>
      ))}
    </div>
  );
}

function marksOf({ pinned, priority, replacedBy, range }: Message): string[] {
  return [
    ...(pinned === true ? [say('message.pinned')] : []),
    ...(priority === undefined || priority === 0 ? [] : [say('message.priority', { n: priority })]),
    ...(range === undefined ? [] : [say('message.summary', range)]),
    ...(replacedBy === undefined ? [] : [say('message.in-summary', { n: replacedBy })]),
  ];
}

function noticeWords({ notice, range }: Message): string {
  const { kind = 'failed', agent = '', code = '' } = notice ?? {};
  return say(`notice.${kind}`, { agent, code, ...range });
}
