// Every piece as a row, kept or not, with its reason: what the map shows, for readers, keyboards and Ctrl-F's successor.
import { useMemo, useRef, useState } from 'preact/hooks';
import { reasonText } from '../shell/words/facts.js';
import { grouped, language } from '../shell/words/word.js';
import type { Selection } from './map.js';
import type { Piece, Sheet } from './sheet.js';
import { say, verdictName } from './words.js';

const rowHeight = 28;
const rowsShown = 16;
const rowsBeyond = 6;

export function PiecesList({ sheet, selected, select }: { sheet: Sheet } & Selection) {
  const [filter, setFilter] = useState('');
  const [top, setTop] = useState(0);
  const body = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => matching(sheet.pieces, filter), [sheet, filter]);
  const first = Math.max(Math.floor(top / rowHeight) - rowsBeyond, 0);
  const some = rows.slice(first, first + rowsShown + 2 * rowsBeyond);
  return (
    <section>
      <div class="row">
        <label>
          {say('list.filter')}{' '}
          <input type="search" value={filter} onInput={(event) => setFilter(event.currentTarget.value)} />
        </label>
        <span class="quiet" role="status">
          {say('list.shown', { n: grouped(rows.length), all: grouped(sheet.pieces.length) })}
        </span>
      </div>
      <div
        class="list"
        ref={body}
        tabIndex={0}
        role="table"
        aria-label={say('tab.pieces')}
        aria-rowcount={rows.length}
        lang={language.value}
        onScroll={(event) => setTop(event.currentTarget.scrollTop)}
      >
        <div role="rowgroup" style={{ height: `${rows.length * rowHeight}px` }}>
          {some.map((piece, index) => (
            <div
              role="row"
              key={piece.fragment}
              aria-rowindex={first + index + 1}
              class={piece.fragment === selected ? 'is-selected' : ''}
              style={{ top: `${(first + index) * rowHeight}px` }}
            >
              <span role="cell">
                <span class={`dot c${piece.colour}`} aria-hidden="true" />
                <button
                  type="button"
                  class="link"
                  title={piece.fragment}
                  onClick={() => select(piece.fragment)}
                >
                  {piece.fragment}
                </button>
              </span>
              <span role="cell" class="number">
                {piece.amount === undefined ? '' : grouped(piece.amount)}
              </span>
              <span role="cell">{verdictName(piece.verdict)}</span>
              <span role="cell" class="quiet">
                {reasonText(piece.reason)}
              </span>
            </div>
          ))}
        </div>
      </div>
    </section>
  );
}

function matching(pieces: readonly Piece[], filter: string): readonly Piece[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return pieces;
  return pieces.filter(({ fragment, source, layer, section, verdict, reason, ref }) => {
    const all = [fragment, source, layer, section, verdict, reason, ref].join(' ').toLowerCase();
    return words.every((part) => all.includes(part));
  });
}
