// All files in one table, the riskiest first; a name leads to its diff.
import { useSignal } from '@preact/signals';
import { grouped } from '../shell/words/word.js';
import { type FileRow, isLeftOut } from './file-rows.js';
import { showFile } from './file-section.js';
import type { Review } from './review-state.js';
import { showHidden } from './shown-text.js';
import { reasonWords, say, whyWords } from './words.js';

export function FileIndex(props: { rows: readonly FileRow[]; isRanked: boolean; review: Review }) {
  const { rows, isRanked, review } = props;
  const wanted = useSignal('');
  const found = rows.filter(({ path }) => path.toLowerCase().includes(wanted.value.trim().toLowerCase()));
  return (
    <div>
      <h2>
        {say(isRanked ? 'files' : 'files.waiting')} <span class="quiet">{grouped(rows.length)}</span>
      </h2>
      {rows.length < 10 ? null : (
        <label class="row">
          {say('filter')}{' '}
          <input
            type="search"
            value={wanted.value}
            onInput={(event) => {
              wanted.value = event.currentTarget.value;
            }}
          />
        </label>
      )}
      <section class="index" tabIndex={0} aria-label={say('files')}>
        <table aria-rowcount={found.length + 1}>
          <thead>
            <tr>
              <th scope="col">{say('file')}</th>
              <th scope="col">{say('risk')}</th>
              <th scope="col" class="number">
                +
              </th>
              <th scope="col" class="number">
                −
              </th>
              <th scope="col" class="number">
                {say('page')}
              </th>
              <th scope="col" class="number">
                {say('findings')}
              </th>
              <th scope="col">{say('plan')}</th>
            </tr>
          </thead>
          <tbody>
            {found.map((row) => (
              <IndexRow key={row.path} row={row} review={review} />
            ))}
          </tbody>
        </table>
        {found.length === 0 ? <p class="quiet">{say('filter.none')}</p> : null}
      </section>
    </div>
  );
}

function IndexRow({ row, review }: { row: FileRow; review: Review }) {
  const { path, entry, risk, pages, omission, findings } = row;
  const isOut = isLeftOut(row);
  return (
    <tr class={isOut ? 'quiet' : undefined}>
      <th scope="row">
        <button type="button" class="link mono" onClick={() => showFile(review, path)}>
          {showHidden(path)}
        </button>
      </th>
      <td>
        {risk === undefined || isOut ? (
          ''
        ) : (
          <span class={`tag risk-${risk.risk}`}>{say(`risk.${risk.risk}`)}</span>
        )}
      </td>
      <td class="number">+{grouped(entry.added)}</td>
      <td class="number">−{grouped(entry.removed)}</td>
      <td class="number wide-only">{pages.length > 1 ? `${pages[0]}–${pages.at(-1)}` : (pages[0] ?? '')}</td>
      <td class="number wide-only">{findings.length === 0 ? '' : findings.length}</td>
      <td>
        {omission === undefined ? null : (
          <>
            <span class="tag warned-tag">{say(omission.partial ? 'partial' : 'left')}</span>{' '}
            {reasonWords(omission)}{' '}
          </>
        )}
        {risk === undefined || isOut
          ? null
          : [risk.why === undefined ? [] : whyWords(risk.why), say(`level.${risk.level}`)].flat().join(' · ')}
      </td>
    </tr>
  );
}
