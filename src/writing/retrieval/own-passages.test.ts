import { describe, expect, it } from 'vitest';
import { indexText } from '../documents/indexed-text.js';
import { chunkDocument, ownPassages } from './chunk-document.js';

const lines = Array.from(
  { length: 120 },
  (_, index) => `第${index}段。${'他说着话走过长长的院子，'.repeat(3 + (index % 7))}停了一停。`,
);
const text = `${lines.join('\n')}\n`;
const indexed = indexText(text);

describe('passages of the text at hand', () => {
  it('are named as the index names them, wherever the reading starts', () => {
    const chunks = chunkDocument(indexed);
    for (let from = 300; from < 6_000; from += 271) {
      const own = ownPassages({ documentId: 'd', indexed, window: { from, to: text.length } });
      const expected = chunks.flatMap(({ end, text: words }, ordinal) =>
        end <= from ? [[ordinal, words]] : [],
      );
      expect(own.map(({ ordinal, text: words }) => [ordinal, words])).toEqual(expected);
    }
  });

  it('come from behind what is read, too', () => {
    const own = ownPassages({ documentId: 'd', indexed, window: { from: 0, to: 2_000 } });
    expect(own.length).toBeGreaterThan(3);
    expect(own.every(({ start }) => start >= 2_000)).toBe(true);
  });
});
