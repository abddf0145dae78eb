// The text around the selection in pieces that can be given up one by one. The selection itself stands in the task; here a mark
// shows its place and its lines.
import type { Fragment } from '../../core/model/fragment.js';
import { readText } from '../layers/read-text.js';
import type { Scene } from '../layers/scene.js';
import type { ChapterBody } from './chapter-body.js';
import { lineNumbers } from './line-numbers.js';
import { documentRef } from './record-ref.js';

const section = 'surroundings';

export function surroundingFragments(scene: Scene): Fragment<ChapterBody>[] {
  const { indexed, window, documentId } = scene;
  const linesOf = lineNumbers(indexed.text);
  const refOf = (from: number, to: number) => documentRef(documentId, linesOf(from, to));
  return readText(scene).flatMap((fragment): Fragment<ChapterBody>[] => {
    const body = fragment.levels[0]?.body;
    if (body?.kind === 'mark') {
      if (body.place === 'selection-end') return [];
      return [{ ...fragment, section, ref: refOf(window.start, window.end) }];
    }
    if (body?.kind !== 'passage' || fragment.id.startsWith('text:selection:')) return [];
    return [{ ...fragment, section, ref: refOf(fragment.position, fragment.position + body.text.length) }];
  });
}
