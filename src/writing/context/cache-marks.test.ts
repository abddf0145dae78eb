import { describe, expect, it } from 'vitest';
import { indexText } from '../documents/indexed-text.js';
import type { Scene } from '../layers/scene.js';
import { readText } from '../sources/read-text.js';
import { withReadMark } from './cache-marks.js';
import type { TextMark } from './prompt-history.js';

function sceneOf(text: string): Scene {
  const end = text.length;
  return {
    project: 'p',
    documentId: 'd',
    title: '',
    chapter: undefined,
    indexed: indexText(text),
    window: { from: 0, start: end, end, to: end },
    entries: [],
    instruction: '',
  };
}

function mark(text: string, known: readonly TextMark[] = []) {
  const scene = sceneOf(text);
  const pieces = readText(scene).filter(({ id }) => id.startsWith('text:before:'));
  const { fragments, marks } = withReadMark(pieces, known, { scene, from: 0 });
  const words = fragments.map(({ levels }) =>
    levels[0]?.body.kind === 'passage' ? levels[0].body.text : '',
  );
  const ends = fragments.flatMap(({ breakpoint }, index) =>
    breakpoint === true ? [words.slice(0, index + 1).join('')] : [],
  );
  return { ends, marks, text: words.join(''), ids: fragments.map(({ id }) => id) };
}

describe('cache breakpoints in the text', () => {
  it('write behind the last whole sentence and read there the next time [prefix.friendly]', () => {
    const first = mark('😀夜深了。他走了。雨');
    expect(first.ends).toEqual(['😀夜深了。他走了。']);
    const second = mark('😀夜深了。他走了。雨停了。', first.marks);
    expect(second.ends).toEqual(['😀夜深了。他走了。', '😀夜深了。他走了。雨停了。']);
  });

  it('read at the same byte although a closing quotation mark came behind it', () => {
    const first = mark('他说：“走罢。');
    const second = mark('他说：“走罢。”他走了。', first.marks);
    expect(second.ends[0]).toBe('他说：“走罢。');
    expect(second.text).toBe('他说：“走罢。”他走了。');
    expect(new Set(second.ids).size).toBe(second.ids.length);
  });

  it('stand in the middle too while there is nothing to read, for the day the end is rewritten [prefix.friendly]', () => {
    const text = '夜深了。他走了。雨停了。天亮了。';
    const first = mark(text);
    expect(first.ends).toEqual(['夜深了。他走了。', text]);
    const second = mark('夜深了。他走了。雨没停。天亮了。', first.marks);
    expect(second.ends).toEqual(['夜深了。他走了。', '夜深了。他走了。雨没停。天亮了。']);
  });

  it('fall back to an earlier mark when a sentence in between was rewritten', () => {
    const first = mark('夜深了。');
    const second = mark('夜深了。他走了。', first.marks);
    const third = mark('夜深了。她走了。雨停了。', second.marks);
    expect(third.ends).toEqual(['夜深了。', '夜深了。她走了。雨停了。']);
    expect(third.marks.map(({ end }) => end)).toEqual([4, 12]);
  });
});
