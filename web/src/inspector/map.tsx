// The whole prompt as one picture: every piece to scale, in the order of the text, what stayed out below it at the same scale.
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { reasonText } from '../shell/words/facts.js';
import { grouped } from '../shell/words/word.js';
import { type Block, type Flow, flow, pieceAt } from './flow.js';
import { amountsBySource, colourOf, type Piece, type Sheet, sumOf } from './sheet.js';
import { layerName, say, sourceName, verdictName } from './words.js';

const rowHeight = 26;
const gap = 2;
/** More pieces, more lines; never more than a few screens. */
export const rowsOf = (pieces: number) => Math.min(Math.max(8, Math.ceil(pieces / 12)), 60);

export interface Selection {
  readonly selected: string | undefined;
  select(fragment: string): void;
}

export function BudgetMap({ sheet, selected, select }: { sheet: Sheet } & Selection) {
  const { inside, outside, perRow } = useMemo(() => {
    const amount = (pieces: readonly Piece[]) => pieces.reduce((sum, { amount = 0 }) => sum + amount, 0);
    const inPieces = sheet.pieces.filter(({ isIn }) => isIn);
    const outPieces = sheet.pieces.filter(({ isIn }) => !isIn);
    const whole = Math.max(amount(inPieces), amount(outPieces), 1);
    return { inside: inPieces, outside: outPieces, perRow: whole / rowsOf(inPieces.length) };
  }, [sheet]);
  return (
    <div class="map">
      <BudgetBar sheet={sheet} />
      <Strip label={say('map.in')} pieces={inside} perRow={perRow} {...{ selected, select }} />
      {outside.length === 0 ? null : (
        <Strip label={say('map.out')} pieces={outside} perRow={perRow} {...{ selected, select }} isOut />
      )}
    </div>
  );
}

/** What is used of the budget, in the colours of the map. */
function BudgetBar({ sheet }: { sheet: Sheet }) {
  const { receipt, sources } = sheet;
  const { layers, pages } = receipt;
  const { used, budget } = sumOf(receipt);
  const share = used / Math.max(budget, 1);
  const { perSource, frames } = amountsBySource(sheet);
  return (
    <figure class="budget">
      <figcaption>
        {say('map.used', {
          used: grouped(used),
          budget: grouped(budget),
          unit: say(receipt.used.unit === 'tokens' ? 'tokens' : 'bytes'),
          percent: (share * 100).toFixed(share < 0.1 ? 1 : 0),
        })}
        {pages.length < 2 ? '' : ` · ${say('map.pages', { n: pages.length })}`}
      </figcaption>
      <div class="bar-of-budget" aria-hidden="true">
        {perSource.map(({ source, amount }) => (
          <span
            key={source}
            class={`fill c${colourOf(source, sources)}`}
            style={{ width: `${(amount / Math.max(budget, 1)) * 100}%` }}
          />
        ))}
      </div>
      <ul class="legend plain" aria-label={say('map.sources')}>
        {perSource.map(({ source, amount }) => (
          <li key={source}>
            <span class={`dot c${colourOf(source, sources)}`} aria-hidden="true" /> {sourceName(source)}{' '}
            <span class="quiet">{grouped(amount)}</span>
          </li>
        ))}
        {frames === 0 ? null : (
          <li>
            {say('map.frames')} <span class="quiet">{grouped(frames)}</span>
          </li>
        )}
      </ul>
      <details>
        <summary>{say('map.layers')}</summary>
        <ul class="legend plain">
          {layers.map(({ id, amount, kept, left }) => (
            <li key={id}>
              {layerName(id)}{' '}
              <span class="quiet">{`${grouped(amount)} · ${say('map.layer', { kept, left })}`}</span>
            </li>
          ))}
        </ul>
      </details>
    </figure>
  );
}

export function Strip(
  props: { label: string; pieces: readonly Piece[]; perRow: number; isOut?: boolean } & Selection,
) {
  const { label, pieces, perRow, isOut = false, selected, select } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const drawn = useRef<Flow>({ blocks: [], rows: 0 });
  useEffect(() => {
    const place = canvas.current;
    if (place === null) return;
    const draw = () => {
      drawn.current = flow(pieces, { perRow, width: place.clientWidth });
      paint(place, drawn.current, { selected, isOut });
    };
    draw();
    const watch = new ResizeObserver(draw);
    watch.observe(place);
    const dark = matchMedia('(prefers-color-scheme: dark)');
    dark.addEventListener('change', draw);
    return () => {
      watch.disconnect();
      dark.removeEventListener('change', draw);
    };
  }, [pieces, perRow, selected, isOut]);
  const move = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
    const step = steps[event.key];
    const at = pieces.findIndex(({ fragment }) => fragment === selected);
    const next =
      step !== undefined
        ? pieces[Math.min(Math.max(at + step, 0), pieces.length - 1)]
        : event.key === 'Home'
          ? pieces[0]
          : event.key === 'End'
            ? pieces.at(-1)
            : undefined;
    if (next === undefined) return;
    event.preventDefault();
    select(next.fragment);
  };
  const point = ({ offsetX, offsetY }: MouseEvent) => pieceAt(drawn.current, offsetX, offsetY, rowHeight);
  return (
    <section class="strip">
      <h3>
        {label} <span class="quiet">{say('map.pieces', { n: pieces.length })}</span>
      </h3>
      <div role="group" aria-label={`${label}. ${say('map.keys')}`} tabIndex={0} onKeyDown={move}>
        <canvas
          ref={canvas}
          aria-hidden="true"
          onClick={(event) => {
            const piece = point(event);
            if (piece !== undefined) select(piece.fragment);
          }}
          onMouseMove={(event) => {
            const piece = point(event);
            event.currentTarget.title =
              piece === undefined
                ? ''
                : `${piece.fragment}\n${verdictName(piece.verdict)}: ${reasonText(piece.reason)}`;
          }}
        />
      </div>
    </section>
  );
}

function paint(
  place: HTMLCanvasElement,
  { blocks, rows }: Flow,
  { selected, isOut }: { selected: string | undefined; isOut: boolean },
): void {
  const scale = devicePixelRatio || 1;
  const width = place.clientWidth;
  const height = Math.max(rows, 1) * rowHeight;
  place.style.height = `${height}px`;
  place.width = width * scale;
  place.height = height * scale;
  const pen = place.getContext('2d');
  if (pen === null) return;
  const style = getComputedStyle(place);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  pen.scale(scale, scale);
  const box = ({ row, left, right }: Block) =>
    [left, row * rowHeight + gap, Math.max(right - left - 1, 1), rowHeight - gap * 2] as const;
  pen.font = `11px ${style.fontFamily}`;
  pen.textBaseline = 'middle';
  let named = '';
  for (const block of blocks) {
    const { piece } = block;
    const [x, y, w, h] = box(block);
    pen.fillStyle = colour(`--c${piece.colour}`);
    pen.globalAlpha = isOut ? 0.2 : 0.4;
    pen.fillRect(x, y, w, h);
    pen.globalAlpha = isOut ? 0.6 : 1;
    pen.fillRect(x, y, Math.min(3, w), h);
    if (piece.isStable && !isOut) {
      pen.fillStyle = colour('--good');
      pen.fillRect(x, y + h - 3, w, 3);
    }
    // Its name where it first has room for it.
    if (w < 60 || named === piece.fragment) continue;
    named = piece.fragment;
    pen.save();
    pen.beginPath();
    pen.rect(x, y, w - 4, h);
    pen.clip();
    pen.fillStyle = colour('--ink');
    pen.fillText(piece.fragment, x + 8, y + h / 2);
    pen.restore();
  }
  pen.globalAlpha = 1;
  pen.lineWidth = 2;
  pen.strokeStyle = colour('--ink');
  for (const block of blocks.filter(({ piece }) => piece.fragment === selected)) {
    const [x, y, w, h] = box(block);
    pen.strokeRect(x + 1, y + 1, Math.max(w - 2, 2), h - 2);
  }
}
