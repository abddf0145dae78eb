// What was sent from here, newest first: look at one, or compare two.
import { useEffect, useState } from 'preact/hooks';
import type { AnswerOf } from '../../../src/operations/table.js';
import { call } from '../shell/call.js';
import { go, place } from '../shell/router.js';
import { project } from '../shell/start.js';
import { Trouble } from '../shell/trouble.js';
import { grouped, word } from '../shell/words/word.js';
import { DifferenceOf } from './difference.js';
import { Inspector } from './inspector.js';
import { isReceipt, type Sheet, sheetOf } from './sheet.js';
import { say } from './words.js';
import './inspector.css';

type Entry = AnswerOf<'receipts:list'>['receipts'][number];

export function RunsView() {
  const { projectId } = project.value;
  const [entries, setEntries] = useState<readonly Entry[]>();
  const [sheets, setSheets] = useState<readonly Sheet[]>([]);
  const [isBroken, setBroken] = useState(false);
  const [isOther, setOther] = useState(false);
  const [error, setError] = useState<unknown>();
  const chosen = (place.value.query.get('ids') ?? '').split(',').filter(Boolean).slice(0, 2);
  useEffect(() => {
    call('receipts:list', { projectId, limit: 200 }).then(({ receipts }) => setEntries(receipts), setError);
  }, [projectId]);
  useEffect(() => {
    setError(undefined);
    Promise.all(chosen.map((id) => call('receipts:get', { projectId, id }))).then((answers) => {
      setBroken(answers.some(({ seal }) => seal === 'altered'));
      setOther(answers.some(({ value }) => !isReceipt(value)));
      setSheets(answers.flatMap(({ value }) => (isReceipt(value) ? [sheetOf(value)] : [])));
    }, setError);
  }, [chosen.join(',')]);
  const choose = (id: string) => {
    const next = chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id].slice(-2);
    go('runs', { replace: true, query: next.length === 0 ? {} : { ids: next.join(',') } });
  };
  const [first, second] = sheets;
  return (
    <>
      <h1>{word('nav.runs')}</h1>
      {error === undefined ? null : <Trouble error={error} />}
      {entries === undefined ? (
        <p role="status">{word('loading')}</p>
      ) : entries.length === 0 ? (
        <p>{say('runs.none')}</p>
      ) : (
        <>
          <p class="quiet">{say('runs.hint')}</p>
          <Entries {...{ entries, chosen, choose }} />
        </>
      )}
      {isBroken ? (
        <p class="trouble" role="alert">
          {say('runs.failed')}
        </p>
      ) : null}
      {isOther ? <p role="status">{say('runs.other')}</p> : null}
      {first === undefined ? null : second === undefined ? (
        <>
          <p class="quiet">{say('runs.notext')}</p>
          <Inspector sheet={first} />
        </>
      ) : (
        <DifferenceOf before={first} after={second} isOpen />
      )}
    </>
  );
}

function Entries(props: { entries: readonly Entry[]; chosen: readonly string[]; choose(id: string): void }) {
  return (
    <div class="runs">
      <table>
        <thead>
          <tr>
            <th />
            <th>{say('runs.time')}</th>
            <th>{say('runs.operation')}</th>
            <th class="number">{say('runs.size')}</th>
          </tr>
        </thead>
        <tbody>
          {props.entries.map(({ id, operation, createdAt, summary }) => (
            <tr key={id} class={props.chosen.includes(id) ? 'is-selected' : ''}>
              <td>
                <input
                  type="checkbox"
                  aria-label={`${operation} ${new Date(createdAt).toLocaleString()}`}
                  checked={props.chosen.includes(id)}
                  onChange={() => props.choose(id)}
                />
              </td>
              <td>
                <time>{new Date(createdAt).toLocaleString()}</time>
              </td>
              <td>{operation}</td>
              <td class="number">{sizeOf(summary)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function sizeOf({ tokenCount, budget }: Entry['summary']): string {
  if (typeof tokenCount !== 'number') return '';
  return typeof budget === 'number' ? `${grouped(tokenCount)} / ${grouped(budget)}` : grouped(tokenCount);
}
