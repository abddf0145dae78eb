// Runs as a table: what was asked of which model, how much was sent and cached, what it cost, what was covered and what failed.
import { grouped, moment } from '../shell/words/word.js';
import { didFail, type Entry, inputOf, money } from './history.js';
import { operationName, say, statusName } from './words.js';

interface Props {
  readonly entries: readonly Entry[];
  /** Receipts that are looked at. */
  readonly chosen: readonly string[];
  choose(receipt: string): void;
}

export function RunsTable({ entries, chosen, choose }: Props) {
  return (
    <div class="runs" role="region" aria-label={say('runs.title')} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th>
              <span class="unseen">{say('runs.choose')}</span>
            </th>
            <th>{say('runs.time')}</th>
            <th>{say('runs.operation')}</th>
            <th>{say('runs.model')}</th>
            <th class="number">{say('runs.size')}</th>
            <th class="number">{say('runs.cached')}</th>
            <th class="number">{say('runs.cost')}</th>
            <th>{say('runs.became')}</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <Row key={entry.id} {...{ entry, chosen, choose }} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ entry, chosen, choose }: Omit<Props, 'entries'> & { readonly entry: Entry }) {
  const { operation, startedAt, model, receipt, dollars } = entry;
  const when = moment(startedAt);
  const input = inputOf(entry);
  return (
    <tr class={receipt !== undefined && chosen.includes(receipt) ? 'is-selected' : ''}>
      <td>
        {receipt === undefined ? null : (
          <input
            type="checkbox"
            aria-label={`${operationName(operation)} ${when}`}
            checked={chosen.includes(receipt)}
            onChange={() => choose(receipt)}
          />
        )}
      </td>
      <td>
        <time>{when}</time>
      </td>
      <td>{operationName(operation)}</td>
      <td>{model ?? ''}</td>
      <td class="number">{input === undefined ? '' : grouped(input)}</td>
      <td class="number">{cachedWords(entry)}</td>
      <td class="number">{dollars === undefined ? '' : money(dollars)}</td>
      <td class={didFail(entry) ? 'did-fail' : ''}>{becameWords(entry)}</td>
    </tr>
  );
}

/** Foreseen, then as the provider reported it. */
function cachedWords({ foreseen, reported, calls = 0 }: Entry): string {
  if (foreseen === undefined || calls === 0) return '';
  const said = reported === undefined ? '–' : grouped(reported.cachedInputTokens);
  return `${grouped(foreseen.cachedInputTokens)} / ${said}`;
}

function becameWords({ status, failures = [], coverage = '' }: Entry): string {
  const ended = status === undefined || status === 'succeeded' ? '' : statusName(status);
  return [ended, [...new Set(failures)].join(', '), coverage].filter((part) => part !== '').join(' · ');
}
