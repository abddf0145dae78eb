// Agents of this folder: the sessions of their CLIs, the rooms they talk in, and the one of them that is chosen.
import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { AnswerOf } from '../../../src/operations/table.js';
import { call } from '../shell/call.js';
import { linkTo, place } from '../shell/router.js';
import { Trouble } from '../shell/trouble.js';
import { grouped, moment, word } from '../shell/words/word.js';
import { RoomView } from './room-view.js';
import { RoomsList } from './rooms-list.js';
import { SessionView } from './session-view.js';
import { cliTitles, say } from './words.js';
import '../inspector/inspector.css';
import './agents.css';

type Sessions = AnswerOf<'agents:sessions:list'>;

const sessions = signal<Sessions | undefined>(undefined);
const trouble = signal<unknown>(undefined);

/** How often it is looked whether a session went on. */
const lookEveryMs = 10_000;

async function look(): Promise<void> {
  try {
    sessions.value = await call('agents:sessions:list', { limit: 100 });
    trouble.value = undefined;
  } catch (error) {
    trouble.value = error;
  }
}

export function AgentsView() {
  const [, part] = place.value.path.split('/');
  useEffect(() => {
    void look();
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void look();
    }, lookEveryMs);
    return () => clearInterval(timer);
  }, []);
  const { query } = place.value;
  const room = query.get('name') ?? '';
  const asked = query.get('id') ?? '';
  const listed = sessions.value?.sessions ?? [];
  const chosen = listed.find(({ cli, id }) => `${cli}:${id}` === asked) ?? newestLike(asked, listed);
  const isChosen = part === 'session' || part === 'room';
  const back = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    // Where there is no place for both, the lists give way and would take the focus along.
    if (back.current?.checkVisibility() === true) back.current.focus();
  }, [part, asked, room]);
  return (
    <div class={isChosen ? 'agents has-chosen' : 'agents'}>
      <div class="lists">
        <h1>{word('nav.agents')}</h1>
        <nav aria-label={say('all.lists')}>
          <h2>{say('sessions.title')}</h2>
          {trouble.value === undefined ? null : <Trouble error={trouble.value} />}
          <SessionsList chosen={part === 'session' ? chosen : undefined} />
          <RoomsList chosen={part === 'room' ? room : undefined} />
        </nav>
      </div>
      <div class="one">
        {isChosen ? (
          <a class="back" ref={back} href={linkTo('agents')}>
            ← {say('all.back')}
          </a>
        ) : null}
        {part === 'session' ? (
          <SessionView key={asked} asked={asked} changedAt={chosen?.changedAt} />
        ) : part === 'room' ? (
          <RoomView key={room} room={room} />
        ) : (
          <p class="quiet">{say('sessions.hint')}</p>
        )}
      </div>
    </div>
  );
}

type Listed = Sessions['sessions'][number];

/** The newest of all, of a CLI, or whose id begins like that: as the operation reads a reference. */
function newestLike(asked: string, listed: readonly Listed[]): Listed | undefined {
  const [cli = '', ...rest] = asked.split(':');
  const isCli = cli in cliTitles;
  const prefix = isCli ? rest.join(':') : asked;
  return listed.find((one) => (!isCli || one.cli === cli) && one.id.startsWith(prefix));
}

function SessionsList({ chosen }: { chosen: Listed | undefined }) {
  const found = sessions.value;
  if (found === undefined) return trouble.value === undefined ? <p role="status">{word('loading')}</p> : null;
  if (found.sessions.length === 0) return <p class="quiet">{say('sessions.none')}</p>;
  return (
    <>
      <ul class="plain entries">
        {found.sessions.map((one) => (
          <li key={`${one.cli}:${one.id}`}>
            <a
              href={linkTo('agents/session', { id: `${one.cli}:${one.id}` })}
              aria-current={one === chosen ? 'true' : undefined}
            >
              <span>
                {cliTitles[one.cli]} <code>{one.id.slice(0, 8)}</code>
              </span>
              <span class="quiet">
                <time>{moment(one.changedAt)}</time> · {grouped(Math.ceil(one.bytes / 1000))} kB
              </span>
            </a>
          </li>
        ))}
      </ul>
      {found.total > found.sessions.length ? (
        <p class="quiet">{say('sessions.more', { n: found.total - found.sessions.length })}</p>
      ) : null}
    </>
  );
}
