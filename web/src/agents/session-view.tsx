// What is in the head of an agent, from its session file: what fills its window, and what every request did to it.
import { useEffect, useState } from 'preact/hooks';
import { call } from '../shell/call.js';
import { Trouble } from '../shell/trouble.js';
import { grouped, moment, word } from '../shell/words/word.js';
import { RequestLine } from './request-line.js';
import { dollarsOf, type Inspection, percentOf } from './timeline.js';
import { CostTable, Notes, WindowPicture } from './window-picture.js';
import { cliTitles, say } from './words.js';

/** `asked` as `agents:inspect` reads it; read anew when the file was written to. */
export function SessionView({ asked, changedAt }: { asked: string; changedAt: number | undefined }) {
  const [inspection, setInspection] = useState<Inspection>();
  const [error, setError] = useState<unknown>();
  const [times, setTimes] = useState(0);
  useEffect(() => {
    const ending = new AbortController();
    const request = asked === '' ? {} : { session: asked };
    call('agents:inspect', request, { signal: ending.signal }).then(
      (answer) => {
        setInspection(answer);
        setError(undefined);
      },
      (refusal) => {
        if (!ending.signal.aborted) setError(refusal);
      },
    );
    return () => ending.abort();
  }, [asked, times]);
  useEffect(() => {
    if (inspection !== undefined && changedAt !== undefined && changedAt > inspection.changedAt)
      setTimes((before) => before + 1);
  }, [changedAt, inspection]);
  if (inspection === undefined)
    return error === undefined ? <p role="status">{word('loading')}</p> : <Trouble error={error} />;
  return (
    <article aria-labelledby="session">
      <Heading inspection={inspection} readAgain={() => setTimes(times + 1)} />
      {error === undefined ? null : <Trouble error={error} />}
      <WindowPicture inspection={inspection} />
      <RequestLine inspection={inspection} />
      <CostTable inspection={inspection} />
      <Notes inspection={inspection} />
    </article>
  );
}

function Heading({ inspection, readAgain }: { inspection: Inspection; readAgain(): void }) {
  const { cli, id, folder = '.', version, model, startedAt, changedAt, requests, dollars } = inspection;
  const facts = [
    ...(model === undefined ? [] : [model]),
    ...(startedAt === undefined ? [] : [say('session.started', { when: moment(startedAt) })]),
    say('session.changed', { when: moment(changedAt) }),
  ];
  return (
    <>
      <div class="row">
        <h2 id="session">
          {cliTitles[cli]} {version} <code>{id.slice(0, 8)}</code>
        </h2>
        <button type="button" onClick={readAgain}>
          {say('session.again')}
        </button>
      </div>
      <p class="quiet">{facts.join(' · ')}</p>
      {folder === '.' ? null : <p>{say('session.elsewhere', { folder })}</p>}
      <p>
        {say('head.used', {
          n: grouped(requests.count),
          percent: percentOf(requests.cachedInputTokens, requests.inputTokens),
        })}
        {dollars === undefined ? '' : ` · $${dollarsOf(dollars)}`}
      </p>
    </>
  );
}
