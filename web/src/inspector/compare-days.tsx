// Two days side by side: how much was sent, what it cost, what was cached, what failed; and of each kind of run the last ones to compare.
import { useEffect, useState } from 'preact/hooks';
import { go } from '../shell/router.js';
import { Trouble } from '../shell/trouble.js';
import { grouped, word } from '../shell/words/word.js';
import { boundsOf, type Entry, money, readHistory, type Totals, totalsOf } from './history.js';
import { operationName, say } from './words.js';

interface Props {
  readonly projectId: string;
  /** Days on which something was sent, newest first. */
  readonly known: readonly string[];
  /** The earlier one first. */
  readonly days: readonly string[];
}

export function CompareDays({ projectId, known, days }: Props) {
  const [read, setRead] = useState<readonly (readonly Entry[])[]>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    setRead(undefined);
    setError(undefined);
    if (days.length < 2) return;
    const all = days.map((day) => readHistory({ projectId, ...boundsOf(day) }));
    Promise.all(all).then(setRead, setError);
  }, [projectId, days.join(',')]);
  const choose = (at: number, day: string) => {
    const next = [days[0] ?? '', days[1] ?? ''];
    next[at] = day;
    go('runs', { replace: true, query: next.join('') === '' ? {} : { days: next.join(',') } });
  };
  return (
    <section class="days" aria-labelledby="days">
      <h2 id="days">{say('days.title')}</h2>
      <div class="row">
        {[0, 1].map((at) => (
          <label class="row" key={at}>
            {say(at === 0 ? 'days.first' : 'days.second')}
            <input
              type="date"
              list="days-known"
              max={known[0]}
              value={days[at] ?? ''}
              onChange={(event) => choose(at, event.currentTarget.value)}
            />
          </label>
        ))}
        <datalist id="days-known">
          {known.map((day) => (
            <option key={day} value={day} />
          ))}
        </datalist>
        {days.length === 0 ? null : (
          <button type="button" onClick={() => go('runs', { replace: true, query: {} })}>
            {say('days.close')}
          </button>
        )}
      </div>
      {error === undefined ? null : <Trouble error={error} />}
      {days.length < 2 || error !== undefined ? null : read === undefined ? (
        <p role="status">{word('loading')}</p>
      ) : (
        <Beside days={days} read={read} />
      )}
    </section>
  );
}

const rows = [
  'runs',
  'calls',
  'input',
  'foreseenCached',
  'reportedCached',
  'output',
  'dollars',
  'failed',
] as const satisfies readonly (keyof Totals)[];

function Beside({ days, read }: { days: readonly string[]; read: readonly (readonly Entry[])[] }) {
  const [before, after] = read.map(totalsOf);
  if (before === undefined || after === undefined) return null;
  const shown = (name: (typeof rows)[number], n: number) => (name === 'dollars' ? money(n) : grouped(n));
  const operations = [...new Set(read.flat().map(({ operation }) => operation))].sort();
  return (
    <>
      <div class="runs" role="region" aria-labelledby="days" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th />
              {days.map((day, at) => (
                <th class="number" key={at}>
                  {day}
                </th>
              ))}
              <th class="number">{say('days.difference')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((name) => {
              const change = after[name] - before[name];
              const sign = change > 0 ? '+' : change < 0 ? '−' : '±';
              return (
                <tr key={name}>
                  <th scope="row">{say(`days.${name}`)}</th>
                  <td class="number">{shown(name, before[name])}</td>
                  <td class="number">{shown(name, after[name])}</td>
                  <td class="number">
                    {sign}
                    {shown(name, Math.abs(change))}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      <ul class="plain">
        {operations.map((operation) => (
          <OfOperation key={operation} operation={operation} read={read} />
        ))}
      </ul>
    </>
  );
}

function OfOperation({ operation, read }: { operation: string; read: readonly (readonly Entry[])[] }) {
  const own = read.map((entries) => entries.filter((entry) => entry.operation === operation));
  const last = own.flatMap((entries) => entries.find(({ receipt }) => receipt !== undefined)?.receipt ?? []);
  const [before = 0, after = 0] = own.map((entries) => totalsOf(entries).dollars);
  return (
    <li>
      {operationName(operation)}: {own.map(({ length }) => grouped(length)).join(' → ')}
      {before + after === 0 ? '' : ` · ${money(before)} → ${money(after)}`}{' '}
      {last.length < 2 || last[0] === last[1] ? null : (
        <button type="button" onClick={() => go('runs', { query: { ids: last.join(',') } })}>
          {say('days.last')}
        </button>
      )}
    </li>
  );
}
