// Where do cache breakpoints stand in the text? One reads: the longest stretch that was marked before and still reads the
// same. One writes: the last whole sentence, for the next request to read.
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
  const fragments = cut.map(({ breakpoint: _, ...piece }) =>
    piece.id === write?.id || endOf(piece) === read ? { ...piece, breakpoint: true } : piece,
  );
  const written = write === undefined ? [] : marksAt([write], stretch);
  const others = valid.filter(({ end }) => end !== written[0]?.end);
  return { fragments, marks: [...others, ...written].slice(-mostMarks) };
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
