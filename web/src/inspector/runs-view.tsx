// What was sent from here, newest first, with what it cost: look at one, compare two, or two days.
import { useEffect, useState } from 'preact/hooks';
import { call } from '../shell/call.js';
import { go, place } from '../shell/router.js';
import { project } from '../shell/start.js';
import { Trouble } from '../shell/trouble.js';
import { word } from '../shell/words/word.js';
import { CompareDays } from './compare-days.js';
import { DifferenceOf } from './difference.js';
import { dayOf, type Entry, money, readHistory } from './history.js';
import { Inspector } from './inspector.js';
import { RunsTable } from './runs-table.js';
import { isReceipt, type Sheet, sheetOf } from './sheet.js';
import { say } from './words.js';
import './inspector.css';

export function RunsView() {
  const { projectId } = project.value;
  const [entries, setEntries] = useState<readonly Entry[]>();
  const [sheets, setSheets] = useState<readonly Sheet[]>([]);
  const [isBroken, setBroken] = useState(false);
  const [isOther, setOther] = useState(false);
  const [error, setError] = useState<unknown>();
  const listed = (name: string) => (place.value.query.get(name) ?? '').split(',').filter(Boolean).slice(0, 2);
  const [chosen, days] = [listed('ids'), listed('days')];
  useEffect(() => {
    readHistory({ projectId }).then(setEntries, setError);
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
        error === undefined ? (
          <p role="status">{word('loading')}</p>
        ) : null
      ) : entries.length === 0 ? (
        <p>{say('runs.none')}</p>
      ) : (
        <>
          <p class="quiet">{say('runs.hint')}</p>
          <RunsTable {...{ entries, chosen, choose }} />
          <CompareDays
            projectId={projectId}
            known={[...new Set(entries.map(({ startedAt }) => dayOf(startedAt)))]}
            days={days}
          />
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
        <>
          <Costs chosen={chosen} entries={entries ?? []} />
          <DifferenceOf before={first} after={second} isOpen />
        </>
      )}
    </>
  );
}

/** What each of the two cost, where that is known. */
function Costs({ chosen, entries }: { chosen: readonly string[]; entries: readonly Entry[] }) {
  const [before, after] = chosen.map((id) => entries.find(({ receipt }) => receipt === id)?.dollars);
  if (before === undefined || after === undefined) return null;
  return <p>{say('compare.cost', { before: money(before), after: money(after) })}</p>;
}
