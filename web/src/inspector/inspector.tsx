// One prompt from all sides: as a picture, as the exact text, as a list, and the piece one has chosen.
import { useState } from 'preact/hooks';
import { reasonText, warningText } from '../shell/words/facts.js';
import { grouped } from '../shell/words/word.js';
import { type Levelled, Levels, levelWords } from './levels.js';
import { BudgetMap, type Selection } from './map.js';
import { PiecesList } from './pieces-list.js';
import { nameOf, type Piece, type Sheet } from './sheet.js';
import { TextView } from './text-view.js';
import { layerName, say, sourceName, verdictName } from './words.js';
import './inspector.css';

const tabs = ['map', 'text', 'pieces'] as const;
type Tab = (typeof tabs)[number];

/** Pieces that the reader pinned or left out, where that can be tried. */
export interface Handling {
  readonly pin: readonly string[];
  readonly without: readonly string[];
  /** Whether this one is not there in any case. */
  takes(piece: Piece): boolean;
  /** By what is levelled, the level somebody named. */
  readonly levels: Readonly<Record<string, string>>;
  /** What of this piece can be shown at another level. */
  levelled(piece: Piece): Promise<readonly Levelled[]>;
  set(handled: Partial<Pick<Handling, 'pin' | 'without' | 'levels'>>): void;
}

export function Inspector({ sheet, handling }: { sheet: Sheet; handling?: Handling }) {
  const [selected, select] = useState<string | undefined>();
  const [tab, setTab] = useState<Tab>('map');
  const shared: Selection = { selected, select };
  const piece = sheet.pieces.find(({ fragment }) => fragment === selected);
  const [stable = 0] = sheet.receipt.pages[0]?.parts.map(({ stableBytes }) => stableBytes) ?? [];
  return (
    <div class="inspector">
      <div class="picture">
        <div class="row" role="tablist" aria-label={say('sent.title')}>
          {tabs.map((name) => (
            <button
              type="button"
              role="tab"
              key={name}
              id={`tab-${name}`}
              aria-selected={tab === name}
              aria-controls="shown"
              tabIndex={tab === name ? 0 : -1}
              onClick={() => setTab(name)}
              onKeyDown={(event) => {
                const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
                if (step === 0) return;
                const next = tabs[(tabs.indexOf(name) + step + tabs.length) % tabs.length] as Tab;
                setTab(next);
                document.getElementById(`tab-${next}`)?.focus();
              }}
            >
              {say(`tab.${name}`)}
            </button>
          ))}
        </div>
        <div id="shown" role="tabpanel" aria-labelledby={`tab-${tab}`}>
          {tab === 'map' ? (
            <>
              <BudgetMap sheet={sheet} {...shared} />
              {stable === 0 ? null : <p class="quiet">{say('cache.prefix', { n: grouped(stable) })}</p>}
            </>
          ) : tab === 'text' ? (
            <TextView sheet={sheet} {...shared} />
          ) : (
            <PiecesList sheet={sheet} {...shared} />
          )}
        </div>
        {sheet.receipt.warnings.map((warning) => (
          <p class="warning" key={warning.code + warning.message}>
            {warningText(warning)} <code>{warning.code}</code>
          </p>
        ))}
      </div>
      <aside class="chosen" aria-live="polite">
        {piece === undefined ? (
          <p class="quiet">{say('piece.none')}</p>
        ) : (
          <Chosen
            piece={piece}
            unit={sheet.receipt.used.unit}
            {...(handling === undefined ? {} : { handling })}
          />
        )}
      </aside>
    </div>
  );
}

function Chosen({ piece, unit, handling }: { piece: Piece; unit: string; handling?: Handling }) {
  const { fragment, verdict, reason, level, amount, source, layer, section, page, ref } = piece;
  const { finished, words, sought } = piece;
  const facts: readonly [string, string | undefined][] = [
    [say('piece.verdict'), verdictName(verdict)],
    [say('piece.reason'), reasonText(reason)],
    [say('piece.sought'), sought],
    [
      say('piece.size'),
      amount === undefined ? undefined : `${grouped(amount)} ${say(unit === 'tokens' ? 'tokens' : 'bytes')}`,
    ],
    [say('piece.source'), sourceName(source)],
    [
      say('piece.layer'),
      section === undefined || section === layer ? layerName(layer) : `${layerName(layer)} · ${section}`,
    ],
    [say('piece.level'), level === undefined || level === source ? undefined : levelWords(level)],
    [say('piece.page'), page === undefined ? undefined : String(page)],
    [say('piece.from'), ref?.replace(/^ref:/, '')],
    [
      say('piece.finished'),
      finished === undefined
        ? undefined
        : Object.entries(finished)
            .map(([kind, n]) => `${kind} ${n}`)
            .join(', '),
    ],
  ];
  return (
    <>
      <h2>
        <span class={`dot c${piece.colour}`} aria-hidden="true" /> <span>{fragment}</span>
      </h2>
      <dl>
        {facts.map(([name, value]) =>
          value === undefined ? null : (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
        )}
      </dl>
      {handling?.takes(piece) ? <Handles fragment={nameOf(piece)} {...handling} /> : null}
      {handling === undefined ? null : <Levels piece={piece} {...handling} />}
      {piece.isStable ? <p class="quiet">{say('piece.cached')}</p> : null}
      {words === undefined || piece.isIn ? null : (
        <details>
          <summary>{say('piece.words')}</summary>
          <pre>{words}</pre>
        </details>
      )}
    </>
  );
}

function Handles({
  fragment,
  pin,
  without,
  set,
}: { fragment: string } & Pick<Handling, 'pin' | 'without' | 'set'>) {
  const toggled = (list: readonly string[]) =>
    list.includes(fragment) ? list.filter((other) => other !== fragment) : [...list, fragment];
  const others = (list: readonly string[]) => list.filter((other) => other !== fragment);
  return (
    <div class="row">
      <button
        type="button"
        aria-pressed={pin.includes(fragment)}
        onClick={() => set({ pin: toggled(pin), without: others(without) })}
      >
        {say('piece.pin')}
      </button>
      <button
        type="button"
        aria-pressed={without.includes(fragment)}
        onClick={() => set({ pin: others(pin), without: toggled(without) })}
      >
        {say('piece.leave')}
      </button>
    </div>
  );
}
