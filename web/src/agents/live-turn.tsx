// A turn while it is under way, and how it ended: what the agent does, touches and is refused, its words as they come, what it used.
import { Trouble } from '../shell/trouble.js';
import { grouped } from '../shell/words/word.js';
import { say, warningWords } from './room-words.js';
import { cancelTurn } from './rooms.js';
import { dollarsOf } from './timeline.js';
import type { Deed, Turn } from './turn.js';

/** `speaking`: as the room knows it, where the turn was not told who. */
export function LiveTurn(props: { room: string; turn: Turn; speaking: string | undefined }) {
  const { room, turn, speaking } = props;
  const { standing, agent, sums, text, reasoning, deeds, usage, dollars, error } = turn;
  const isSpeaking = standing === 'speaking';
  if (!isSpeaking && deeds.length === 0 && usage === undefined && error === undefined && standing === 'ended')
    return null;
  return (
    <section class="turn" aria-label={say('turn.title')}>
      <div class="row">
        <span role="status">
          {isSpeaking
            ? sums
              ? say('turn.summing')
              : say('turn.speaking', { agent: agent ?? speaking ?? say('turn.some') })
            : standing === 'cancelled'
              ? say('turn.cancelled')
              : say('turn.title')}
        </span>
        {isSpeaking ? (
          <button type="button" onClick={() => cancelTurn(room)}>
            {say('turn.cancel')}
          </button>
        ) : null}
        <span class="quiet">
          {usage === undefined
            ? ''
            : say(isSpeaking ? 'turn.so-far' : 'turn.used', {
                input: grouped(usage.inputTokens),
                output: grouped(usage.outputTokens),
              })}
          {dollars === undefined ? '' : ` · $${dollarsOf(dollars)}`}
        </span>
      </div>
      {reasoning === '' ? null : (
        <details>
          <summary>{say('turn.reasoning')}</summary>
          <div class="text quiet">{reasoning}</div>
        </details>
      )}
      {deeds.length === 0 ? null : (
        <ul class="plain deeds">
          {deeds.map((deed, at) => (
            <li key={at}>
              <DeedLine deed={deed} isOver={!isSpeaking} />
            </li>
          ))}
        </ul>
      )}
      {isSpeaking && text !== '' ? <div class="text">{text}</div> : null}
      {error === undefined ? null : <Trouble error={error} />}
    </section>
  );
}

function DeedLine({ deed, isOver }: { deed: Deed; isOver: boolean }) {
  switch (deed.kind) {
    case 'tool': {
      const { tool, target, outcome } = deed;
      return (
        <>
          <code>{target === undefined ? tool : `${tool} ${target}`}</code>{' '}
          {outcome === undefined ? (
            isOver ? null : (
              <span class="quiet">{say('deed.running')}</span>
            )
          ) : (
            <span class={`outcome ${outcome}`}>{say(`deed.${outcome}`)}</span>
          )}
        </>
      );
    }
    case 'file':
      return <>{say(`deed.${deed.change}`, { path: deed.path })}</>;
    case 'warning':
      return <span class="warn">{warningWords(deed)}</span>;
    case 'compacted':
      return <>{say('deed.compacted')}</>;
  }
}
