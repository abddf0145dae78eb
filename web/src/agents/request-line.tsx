// The requests of a session in a row: what each read from the cache and what it did not, where the prefix broke, where the
// conversation was compacted.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { grouped, moment } from '../shell/words/word.js';
import { type Column, type Inspection, type Timeline, timelineOf } from './timeline.js';
import { itemName } from './window-picture.js';
import { say } from './words.js';

const height = 120;
/** Above the columns, for the mark of a break. */
const top = 12;
const step = 10;

export function RequestLine({ inspection }: { inspection: Inspection }) {
  const timeline = useMemo(() => timelineOf(inspection), [inspection]);
  const [at, setAt] = useState(timeline.columns.length - 1);
  const { columns } = timeline;
  const chosen = columns[Math.min(at, columns.length - 1)];
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const line = box.current;
    if (line === null) return;
    const middle = ((at + 0.5) / Math.max(columns.length, 1)) * line.scrollWidth;
    line.scrollLeft = middle - line.clientWidth / 2;
  }, [at, columns.length]);
  const move = (event: KeyboardEvent) => {
    const places: Record<string, number> = {
      ...{ ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1 },
      ...{ Home: 0, End: columns.length - 1 },
    };
    const next = places[event.key];
    if (next === undefined) return;
    event.preventDefault();
    setAt(Math.min(Math.max(next, 0), columns.length - 1));
  };
  return (
    <section aria-labelledby="line">
      <h3 id="line">{say('head.line')}</h3>
      {chosen === undefined ? (
        <p class="quiet">{say('head.line.empty')}</p>
      ) : (
        <>
          <div
            class="line"
            ref={box}
            role="group"
            aria-label={`${say('head.line')}. ${say('head.line.keys')}`}
            tabIndex={0}
            onKeyDown={move}
            onClick={({ target }) => {
              const column = target instanceof Element ? target.closest<SVGElement>('[data-at]') : null;
              if (column !== null) setAt(Number(column.dataset.at));
            }}
          >
            <Columns timeline={timeline} chosen={chosen} />
          </div>
          <Legend />
          <p class="said-of" aria-live="polite">
            {columnWords(chosen)}
          </p>
          <RequestTable columns={columns} />
        </>
      )}
      <BreakTable inspection={inspection} />
      <CompactionTable inspection={inspection} />
    </section>
  );
}

function Columns({ timeline, chosen }: { timeline: Timeline; chosen: Column }) {
  const { columns, largest } = timeline;
  const scale = (height - top) / largest;
  const width = Math.max(columns.length, 24) * step;
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      height={height}
      style={{ minWidth: `${columns.length * 5}px` }}
    >
      {columns.map((column, index) => {
        const { request, cached, uncached, broken, compactions } = column;
        const left = index * step;
        return (
          <g key={request.number} data-at={index}>
            <title>{columnWords(column)}</title>
            <rect
              class={column === chosen ? 'ground chosen-one' : 'ground'}
              x={left}
              y={0}
              width={step}
              height={height}
            />
            <rect
              class="uncached"
              x={left + 1}
              y={height - (cached + uncached) * scale}
              width={step - 2}
              height={uncached * scale}
            />
            <rect
              class="cached"
              x={left + 1}
              y={height - cached * scale}
              width={step - 2}
              height={cached * scale}
            />
            {broken === undefined ? null : (
              <rect class="break" x={left + 1} y={0} width={step - 2} height={6} />
            )}
            {compactions.length === 0 ? null : (
              <rect class="compaction" x={left - 0.75} y={0} width={1.5} height={height} />
            )}
          </g>
        );
      })}
    </svg>
  );
}

function Legend() {
  const marks = ['cached', 'uncached', 'break', 'compaction'] as const;
  return (
    <ul class="plain marks" aria-hidden="true">
      {marks.map((mark) => (
        <li key={mark}>
          <span class={`dot ${mark}`} /> {say(`line.${mark}`)}
        </li>
      ))}
    </ul>
  );
}

const whenOf = (at: number | undefined) => (at === undefined ? '' : moment(at));

function columnWords({ request, cached, uncached, broken, compactions }: Column): string {
  const facts = [
    `${say('col.request')} ${request.number}`,
    whenOf(request.at),
    request.model,
    `${say('line.cached')} ${grouped(cached)}`,
    `${say('line.uncached')} ${grouped(uncached)}`,
    ...(broken === undefined ? [] : [`${say('line.break')}: ${say(`cause.${broken.cause}`)}`]),
    ...(compactions.length === 0 ? [] : [say('line.compaction')]),
  ];
  return facts.filter((fact) => fact !== '').join(' · ');
}

function RequestTable({ columns }: { columns: readonly Column[] }) {
  return (
    <details>
      <summary>{say('head.table', { n: grouped(columns.length) })}</summary>
      <div class="scrolls tall" role="region" aria-labelledby="line" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th class="number">{say('col.request')}</th>
              <th>{say('col.when')}</th>
              <th>{say('col.model')}</th>
              <th class="number">{say('col.cached')}</th>
              <th class="number">{say('col.uncached')}</th>
              <th class="number">{say('col.output')}</th>
              <th>{say('col.why')}</th>
            </tr>
          </thead>
          <tbody>
            {columns.map(({ request, cached, uncached, broken }) => (
              <tr key={request.number}>
                <td class="number">{request.number}</td>
                <td class="when">{whenOf(request.at)}</td>
                <td class="name">{request.model}</td>
                <td class="number">{grouped(cached)}</td>
                <td class="number">{grouped(uncached)}</td>
                <td class="number">{grouped(request.outputTokens)}</td>
                <td>{broken === undefined ? '' : say(`cause.${broken.cause}`)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

function BreakTable({
  inspection: { cacheBreaks: breaks, cacheBreakCount: breakCount },
}: {
  inspection: Inspection;
}) {
  if (breaks.length === 0) return null;
  return (
    <>
      <h3 id="breaks">{say('head.breaks', { n: breakCount })}</h3>
      <div class="scrolls tall" role="region" aria-labelledby="breaks" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th class="number">{say('col.request')}</th>
              <th>{say('col.when')}</th>
              <th>{say('col.why')}</th>
              <th class="number">{say('col.read')}</th>
              <th class="number">{say('col.kept')}</th>
              <th>{say('col.from')}</th>
            </tr>
          </thead>
          <tbody>
            {breaks.map(({ request, at, cause, cachedTokens, keptTokens, block }) => (
              <tr key={request}>
                <td class="number">{request}</td>
                <td class="when">{whenOf(at)}</td>
                <td>{say(`cause.${cause}`)}</td>
                <td class="number">{grouped(cachedTokens)}</td>
                <td class="number">{grouped(keptTokens)}</td>
                <td class="name">{block === undefined ? '' : itemName(block)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function CompactionTable({ inspection: { compactions } }: { inspection: Inspection }) {
  if (compactions.length === 0) return null;
  const amount = (tokens: number | undefined) => (tokens === undefined ? '' : grouped(tokens));
  return (
    <>
      <h3 id="compactions">{say('head.compactions', { n: compactions.length })}</h3>
      <div class="scrolls tall" role="region" aria-labelledby="compactions" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th>{say('col.when')}</th>
              <th>{say('col.by')}</th>
              <th class="number">{say('col.before')}</th>
              <th class="number">{say('col.after')}</th>
            </tr>
          </thead>
          <tbody>
            {compactions.map(({ at, by, tokensBefore, tokensAfter }, index) => (
              <tr key={index}>
                <td class="when">{whenOf(at)}</td>
                <td>{say(`by.${by}`)}</td>
                <td class="number">{amount(tokensBefore)}</td>
                <td class="number">{amount(tokensAfter)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
