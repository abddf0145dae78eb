// The exact text, byte for byte: each piece in the colour of its source, what stands between pieces in none.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Trouble } from '../shell/trouble.js';
import { reasonText } from '../shell/words/facts.js';
import { word } from '../shell/words/word.js';
import type { Selection } from './map.js';
import { type Piece, partsOf, type Sheet, type SheetPart, type Stretch, type Texts } from './sheet.js';
import { channelName, say, verdictName } from './words.js';

/** Drawn when it comes into view; a browser lays out ten thousand pieces no faster than it must. */
const stretchesInBlock = 40;

export function TextView({ sheet, selected, select }: { sheet: Sheet } & Selection) {
  const pieces = useMemo(() => new Map(sheet.pieces.map((piece) => [piece.fragment, piece])), [sheet]);
  const [page, setPage] = useState(0);
  const place = useRef<HTMLDivElement>(null);
  const count = sheet.textOf === undefined ? sheet.pages.length : sheet.receipt.pages.length;
  const shown = Math.min(page, count - 1);
  const { parts, error } = useParts(sheet, shown);
  useEffect(() => {
    const chosen = sheet.receipt.pages.findIndex((each) =>
      each.parts.some(({ spans }) => spans.some(({ fragment }) => fragment === selected)),
    );
    if (chosen !== -1) setPage(chosen);
  }, [selected, sheet]);
  useEffect(() => {
    place.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [selected, shown, parts]);
  if (count === 0) return <p class="quiet">{say('text.none')}</p>;
  return (
    <div class="texts" ref={place}>
      {count === 1 ? null : (
        <label class="row">
          {say('text.page')}
          <select value={shown} onChange={(event) => setPage(Number(event.currentTarget.value))}>
            {Array.from({ length: count }, (_, index) => (
              <option key={index} value={index}>
                {index + 1} / {count}
              </option>
            ))}
          </select>
        </label>
      )}
      {error === undefined ? null : <Trouble error={error} />}
      {parts === undefined && error === undefined ? <p role="status">{word('loading')}</p> : null}
      {parts?.map((part) => (
        <Part key={part.channel} {...{ part, pieces, selected, select }} />
      ))}
    </div>
  );
}

/** What stands on the page; asked for when it is looked at, unless it came along. */
function useParts(sheet: Sheet, page: number): { parts?: readonly SheetPart[]; error?: unknown } {
  const [read, setRead] = useState<{ sheet: Sheet; page: number; texts?: Texts; error?: unknown }>();
  const isRead = read?.sheet === sheet && read.page === page;
  useEffect(() => {
    if (sheet.textOf === undefined || isRead || page < 0) return;
    let isWanted = true;
    sheet.textOf(page).then(
      (texts) => isWanted && setRead({ sheet, page, texts }),
      (error: unknown) => isWanted && setRead({ sheet, page, error }),
    );
    return () => {
      isWanted = false;
    };
  }, [sheet, page]);
  const texts = isRead ? read.texts : undefined;
  return useMemo(() => {
    const parts =
      sheet.textOf === undefined ? sheet.pages[page] : texts && partsOf(sheet.receipt, page, texts);
    const error = isRead ? read.error : undefined;
    return { ...(parts === undefined ? {} : { parts }), ...(error === undefined ? {} : { error }) };
  }, [sheet, page, texts, isRead]);
}

function Part(props: { part: SheetPart; pieces: ReadonlyMap<string, Piece> } & Selection) {
  const { part, pieces, selected, select } = props;
  const [isCopied, setCopied] = useState(false);
  const blocks = useMemo(() => blocksOf(part.stretches), [part]);
  return (
    <section class="part">
      <div class="row">
        <h3>{channelName(part.channel)}</h3>
        <button
          type="button"
          onClick={() => void navigator.clipboard.writeText(part.text).then(() => setCopied(true))}
        >
          {word(isCopied ? 'copied' : 'copy')}
        </button>
      </div>
      <div class="sent" role="region" aria-label={channelName(part.channel)} tabIndex={0}>
        {blocks.map((block) => (
          <div class="block" key={block[0]?.start}>
            {block.map(({ fragment, text, start }) => {
              const piece = fragment === undefined ? undefined : pieces.get(fragment);
              if (piece === undefined) return <span key={start}>{text}</span>;
              return (
                // biome-ignore lint/a11y/useKeyWithClickEvents: pieces are walked through by the map and the list.
                // biome-ignore lint/a11y/noStaticElementInteractions: the same.
                <span
                  key={start}
                  class={`piece c${piece.colour}${start + text.length <= part.stableBytes ? ' stable' : ''}`}
                  title={`${piece.fragment}\n${verdictName(piece.verdict)}: ${reasonText(piece.reason)}`}
                  aria-current={piece.fragment === selected ? 'true' : undefined}
                  onClick={() => select(piece.fragment)}
                >
                  {text}
                </span>
              );
            })}
          </div>
        ))}
      </div>
    </section>
  );
}

/** Blocks end at ends of lines, so that the text reads as it is. */
function blocksOf(stretches: readonly Stretch[]): readonly (readonly Stretch[])[] {
  const blocks: Stretch[][] = [[]];
  for (const stretch of stretches) {
    const last = blocks.at(-1) as Stretch[];
    last.push(stretch);
    if (last.length >= stretchesInBlock && stretch.text.endsWith('\n')) blocks.push([]);
  }
  return blocks.filter((block) => block.length > 0);
}
