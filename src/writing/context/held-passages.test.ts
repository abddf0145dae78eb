import { describe, expect, it } from 'vitest';
import { indexText } from '../documents/indexed-text.js';
import type { Scene } from '../layers/scene.js';
import type { PressedLayers } from './press-layers.js';
import { withHeldPassages } from './shown-passages.js';

const entry = { id: '旧章', title: '旧章', order: 1, contentHash: 'a', version: 1, updatedAt: 0 };
const passage = { id: 'chunk:旧章#3-abc', title: '旧章', text: '雨停了。', document: 'a' };
const sceneWith = (entries: Scene['entries'], documentId = '新章'): Scene => ({
  project: 'p',
  documentId,
  title: '',
  chapter: undefined,
  indexed: indexText('夜。'),
  window: { from: 0, start: 2, end: 2, to: 2 },
  entries,
  instruction: '',
});
const heldIn = (scene: Scene, offered: readonly { id: string }[] = []) =>
  withHeldPassages({ fragments: offered } as unknown as PressedLayers, [passage], scene).fragments.map(
    ({ id }) => id,
  );

describe('a passage that is no longer found', () => {
  it('is held while its document is as it was [prefix.friendly]', () => {
    expect(heldIn(sceneWith([entry]))).toEqual([passage.id]);
  });

  it('is not held once its document changed, was renamed, is gone, unlisted or being written [prefix.friendly]', () => {
    expect(heldIn(sceneWith([{ ...entry, contentHash: 'b' }]))).toEqual([]);
    expect(heldIn(sceneWith([{ ...entry, title: '改名' }]))).toEqual([]);
    expect(heldIn(sceneWith([]))).toEqual([]);
    expect(heldIn(sceneWith(undefined))).toEqual([]);
    expect(heldIn(sceneWith([entry], '旧章'))).toEqual([]);
  });

  it('says whether it comes after the text at hand, as it did when it was found', () => {
    const own = { ...entry, id: '新章', title: '新章', order: 2 };
    const wordsIn = (order: number) =>
      withHeldPassages({ fragments: [] } as unknown as PressedLayers, [passage], {
        ...sceneWith([{ ...entry, order }, own]),
        later: 'marked',
      }).fragments.map(({ levels }) => levels[0]?.body);
    expect(wordsIn(1)).toEqual([{ kind: 'titled', title: '旧章', text: '雨停了。', isLater: false }]);
    expect(wordsIn(3)).toEqual([{ kind: 'titled', title: '旧章', text: '雨停了。', isLater: true }]);
  });

  it('is not offered twice', () => {
    expect(heldIn(sceneWith([entry]), [{ id: passage.id }])).toEqual([passage.id]);
  });
});
