// Where do cache breakpoints stand in the text? One reads: the longest stretch that was marked before and still reads the
// same. One writes: the last whole sentence, for the next request to read. Where there is nothing to read yet, both write, one of
// them in the middle: an edit of the last sentences then leaves half of the text to be read.
import type { Fragment } from '../../core/model/fragment.js';
import { hashText } from '../../meters/content-hash.js';
import type { LayerBody } from '../layers/layer-fragment.js';
import type { Scene } from '../layers/scene.js';
import { beforePrefix } from '../sources/read-text.js';
import type { TextMark } from './prompt-history.js';

interface Stretch {
  readonly scene: Scene;
  /** Where the text starts, in code units. */
  readonly from: number;
}

const mostMarks = 24;
const sentenceEnd = /[.!?。．！？…」』”’）\n]\s*$/;

/** Pieces before the cursor with at most two breakpoints among them, and the marks to remember. */
export function withReadMark(
  pieces: readonly Fragment<LayerBody>[],
  known: readonly TextMark[],
  stretch: Stretch,
): { fragments: Fragment<LayerBody>[]; marks: TextMark[] } {
  const valid = known.filter((mark) => isSame(mark, stretch)).sort((a, b) => a.end - b.end);
  const longest = valid.at(-1);
  const read = longest === undefined ? undefined : stretch.scene.indexed.unitAt(longest.end);
  // A quotation mark behind a full stop belongs to the sentence, but the mark was set before it was written.
  const cut = pieces.flatMap((piece) => (read === undefined ? [piece] : cutAt(piece, read)));
  const write = lastWhole(cut);
  const middle = read === undefined ? middleOf(cut) : undefined;
  const writes = [...new Set([middle, write])].filter((piece) => piece !== undefined);
  const fragments = cut.map((piece) => {
    const { breakpoint: _, ...plain } = piece;
    return writes.includes(piece) || endOf(piece) === read ? { ...plain, breakpoint: true } : plain;
  });
  const written = marksAt(writes, stretch);
  const others = valid.filter(({ end }) => !written.some((mark) => mark.end === end));
  const marks = [...others, ...written];
  // The first one is what is left to read when much is rewritten.
  return { fragments, marks: [...marks.slice(0, 1), ...marks.slice(1).slice(1 - mostMarks)] };
}

/** The last piece that ends in the first half. */
function middleOf(pieces: readonly Fragment<LayerBody>[]): Fragment<LayerBody> | undefined {
  const first = pieces[0];
  const last = pieces.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const half = (first.position + endOf(last)) / 2;
  return pieces.findLast((piece) => endOf(piece) <= half);
}

function cutAt(piece: Fragment<LayerBody>, at: number): Fragment<LayerBody>[] {
  const head = at - piece.position;
  const text = textOf(piece);
  if (head <= 0 || head >= text.length) return [piece];
  const part = (words: string) => [{ name: 'whole', body: { kind: 'passage' as const, text: words } }];
  const tail = { ...piece, id: `${beforePrefix}${at}`, position: at, levels: part(text.slice(head)) };
  return [{ ...piece, rank: piece.rank - (text.length - head), levels: part(text.slice(0, head)) }, tail];
}

/** Marks behind these pieces. */
export function marksAt(pieces: readonly Fragment<LayerBody>[], { scene, from }: Stretch): TextMark[] {
  return pieces.map((piece) => {
    const to = endOf(piece);
    return { end: scene.indexed.positionAt(to), digest: digestOf(scene, from, to) };
  });
}

function lastWhole(pieces: readonly Fragment<LayerBody>[]): Fragment<LayerBody> | undefined {
  const last = pieces.at(-1);
  return last !== undefined && sentenceEnd.test(textOf(last)) ? last : pieces.at(-2);
}

function isSame({ end, digest }: TextMark, { scene, from }: Stretch): boolean {
  const to = scene.indexed.unitAt(end);
  return to > from && to <= scene.window.start && digestOf(scene, from, to) === digest;
}

function digestOf({ indexed }: Scene, from: number, to: number): string {
  return hashText(indexed.text.slice(from, to)).slice(0, 12);
}

function endOf(piece: Fragment<LayerBody>): number {
  return piece.position + textOf(piece).length;
}

function textOf({ levels }: Fragment<LayerBody>): string {
  const body = levels[0]?.body;
  return body?.kind === 'passage' ? body.text : '';
}
