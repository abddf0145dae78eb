// The change in pieces, each in the blocks of its units and in its final words. Where a change is held it is cut once without any
// bound: whatever stands whole on its page is the same for every budget.
import { type CleanText, cleanText } from '../../cleaning/clean-text.js';
import type { ReviewContext } from '../change/open-review.js';
import { printablePath } from '../change/safe-text.js';
import { areWhole, readPieces } from '../pieces/gather-pieces.js';
import { type PieceWriter, pieceId, type SideRange, shownSpans } from '../pieces/piece.js';
import type { UnitsByPath } from '../plan/plan-review.js';
import { type CleanRecord, cleanDiff, cleanRecord } from './clean-record.js';
import type { Fence } from './reviewer-system.js';
import { unitBlocks } from './unit-blocks.js';

interface WriteOptions extends Omit<Parameters<typeof readPieces>[1], 'write'> {
  readonly units: UnitsByPath;
  readonly fence: Fence;
}

export interface WrittenPieces {
  readonly read: Awaited<ReturnType<typeof readPieces>>;
  readonly record: CleanRecord;
  readonly spans: ReadonlyMap<string, readonly SideRange[]>;
  close(): void;
}

export async function writtenPieces(opened: ReviewContext, options: WriteOptions): Promise<WrittenPieces> {
  const { units, fence, ...rest } = options;
  const write = async (bounds: Pick<WriteOptions, 'capacity' | 'room'>): Promise<WrittenPieces> => {
    const record = cleanRecord(fence);
    const spans = new Map<string, readonly SideRange[]>();
    const read = await readPieces(opened, { ...rest, ...bounds, write: blockWriter(units, record, spans) });
    return { read, record, spans, close: () => read.textStore.close() };
  };
  if (!opened.isHeld || opened.request.maxPages !== undefined) return write(options);
  const held = (name: string, bounds: Pick<WriteOptions, 'capacity' | 'room'>) =>
    opened.recall(
      `pieces ${name} ${options.meter.id} ${fence.open}`,
      () => write(bounds),
      ({ close }) => close(),
    );
  const unbounded = Number.MAX_SAFE_INTEGER;
  const whole = await held('whole', { capacity: unbounded, room: unbounded });
  const { capacity, room } = options;
  const found = areWhole(whole.read, options) ? whole : await held(`${capacity} ${room}`, options);
  return { ...found, close: () => {} };
}

/** Each piece in the blocks of its units, finished; what finishing did is noted under the piece. */
function blockWriter(
  units: UnitsByPath,
  record: CleanRecord,
  spans: Map<string, readonly SideRange[]>,
): PieceWriter {
  return (source) => {
    spans.set(pieceId(source), shownSpans(source));
    const clean = cleanDiff(source.text, source.path, 0);
    const cleaned: CleanText[] = [clean];
    const blocks = unitBlocks(source, {
      ...{ text: clean.text, units },
      clean(words) {
        const named = cleanText(words, { path: printablePath(source.path) });
        cleaned.push(named);
        return named.text;
      },
    });
    record.note(pieceId(source), {
      text: blocks.map(({ text }) => text).join(''),
      redactions: cleaned.flatMap(({ redactions }) => redactions),
      hidden: cleaned.flatMap(({ hidden }) => hidden),
      altered: clean.altered,
    });
    return blocks;
  };
}
