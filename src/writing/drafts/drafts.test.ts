import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fileText } from './chapter-text.js';
import { draftName } from './draft.js';
import { readDraft, writeDraft } from './draft-file.js';
import { draftTarget, makesDraft } from './draft-target.js';
import { mergeEdits } from './merge-edits.js';
import { piecesOf } from './pieces.js';
import { editsBetween, withEdits } from './sentence-diff.js';

const sentence = fc.constantFrom(
  '雨停了。',
  '林远走进院子。',
  '“谁？”他问。',
  'He waited. ',
  'Mr. Gray left! ',
  '\n\n',
  '\n',
  'no stop at all ',
  '😀',
);
const prose = fc.array(sentence, { maxLength: 14 }).map((parts) => parts.join(''));

describe('what changed between two texts', () => {
  it('gives the other text back when it is put in, whatever the texts', () => {
    fc.assert(
      fc.property(prose, prose, (base, other) => {
        const edits = editsBetween(base, other);
        expect(withEdits(base, edits)).toBe(other);
        edits.reduce((last, { start, end }) => {
          expect(start).toBeGreaterThanOrEqual(last);
          return end;
        }, 0);
      }),
      { numRuns: 400, seed: 7 },
    );
  });

  it('names the one sentence that changed, in Chinese and in English', () => {
    expect(editsBetween('雨停了。林远走了。夜深了。', '雨停了。林远跑了。夜深了。')).toEqual([
      { start: 4, end: 9, text: '林远跑了。' },
    ]);
    expect(editsBetween('It rained. He left. Night.', 'It rained. She stayed. Night.')).toEqual([
      { start: 11, end: 19, text: 'She stayed.' },
    ]);
    expect(editsBetween('A.\n', 'A.\n\nB.\n')).toEqual([{ start: 2, end: 2, text: '\n\nB.' }]);
  });

  it('takes no more than its time for five million characters in one paragraph', () => {
    const long = Array.from({ length: 400_000 }, (_, n) => `第${n % 900}句话很长。`).join('');
    const other = `${long.slice(0, 2_000_000)}新的一句。${long.slice(2_000_000)}`;
    expect(withEdits(long, editsBetween(long, other))).toBe(other);
    const blank = 'a'.repeat(5_000_000);
    expect(withEdits(blank, editsBetween(blank, `b${blank}b`))).toBe(`b${blank}b`);
  });
});

describe('edits made on two sides', () => {
  const base = '一。二。三。四。';
  const merged = (mine: string, theirs: string) => {
    const current = editsBetween(base, theirs);
    const { edits, conflicts } = mergeEdits(base, editsBetween(base, mine), current);
    return conflicts.length > 0 ? 'conflict' : withEdits(theirs, edits);
  };

  it('stay side by side when they are elsewhere, and meet when they are not', () => {
    expect(merged('一。贰。三。四。', '一。二。三。肆！')).toBe('一。贰。三。肆！');
    expect(merged('一。贰。三。四。', '零。一。二。三。四。五。')).toBe('零。一。贰。三。四。五。');
    expect(merged('一。二。三。四。五。', '一。三。四。')).toBe('一。三。四。五。');
    expect(merged('一。贰。三。四。', '一。两。三。四。')).toBe('conflict');
    expect(merged('一。二。三。四。五。', '一。二。三。四。六。')).toBe('conflict');
    expect(merged('一。贰。三。四。', '一。贰。三。四。')).toBe('一。贰。三。四。');
  });

  it('lose no word of either side', () => {
    fc.assert(
      fc.property(prose, prose, prose, (base, mine, theirs) => {
        const current = editsBetween(base, theirs);
        const own = editsBetween(base, mine);
        const { edits, conflicts } = mergeEdits(base, own, current);
        if (conflicts.length > 0) return;
        const text = withEdits(theirs, edits);
        for (const { text: words } of [...own, ...current]) expect(text).toContain(words);
      }),
      { numRuns: 400, seed: 11 },
    );
  });
});

describe('the bytes of a chapter', () => {
  it('stay as they are but for the edit: byte order mark, CRLF, stray line ends', () => {
    const raw = '\ufeff一。\r\n二。\r\n三。\n四。\r';
    const { text, withEdits: edited } = fileText(Buffer.from(raw), 'a.md');
    expect(text).toBe('一。\n二。\n三。\n四。\n');
    expect(Buffer.from(edited([{ start: 3, end: 5, text: '贰。\n贰。' }])).toString()).toBe(
      '\ufeff一。\r\n贰。\r\n贰。\r\n三。\n四。\r',
    );
    expect(Buffer.from(edited([])).toString()).toBe(raw);
  });

  it('that are not UTF-8 are named and refused', () => {
    expect(() => fileText(Buffer.from([0xd3, 0xea, 0xcd, 0xa3]), 'gbk.md')).toThrow(/gbk\.md .*UTF-8/);
  });
});

describe('pieces of a draft', () => {
  const texts = (base: string, draft: { start: number; end: number; text: string }) =>
    piecesOf(base, draft).map(({ before, text }) => [before, text]);

  it('are sentences reworded one by one, and stretches that became others', () => {
    const base = '雨已经停了。林远走进了院子。夜深了。';
    const text = '雨停了。林远慢慢走进院子。夜深了。';
    expect(texts(base, { start: 0, end: 19, text })).toEqual([
      ['雨已经停了。', '雨停了。'],
      ['林远走进了院子。', '林远慢慢走进院子。'],
    ]);
    expect(texts('甲乙丙。丁戊己。', { start: 0, end: 8, text: '完全不同的话。' })).toEqual([
      ['甲乙丙。丁戊己。', '完全不同的话。'],
    ]);
  });

  it('go on as a paragraph of their own behind a finished one, and within one where it is open', () => {
    const at = (base: string, cursor: number, text: string) => {
      const [piece] = piecesOf(base, { start: cursor, end: cursor, text });
      return withEdits(base, piece === undefined ? [] : [piece]);
    };
    expect(at('# 一\n\n雨停了。\n', 9, '他走了。\n')).toBe('# 一\n\n雨停了。\n\n他走了。\n');
    expect(at('雨停了。\n夜深了。\n', 10, '他走了。')).toBe('雨停了。\n夜深了。\n他走了。\n');
    expect(at('He said', 7, 'nothing.')).toBe('He said nothing.');
    expect(at('He stayed. The end.', 11, 'It rained.')).toBe('He stayed. It rained. The end.');
    expect(at('', 0, 'It rained.')).toBe('It rained.');
    expect(at('One.\n\nTwo.\n', 4, 'And.')).toBe('One.\n\nAnd.\n\nTwo.\n');
    // The indent that Chinese books give every paragraph belongs to one of its own, not to words within another.
    expect(at('　　雨停了。\n\n', 7, '\n　　他走了。\n\n　　夜深了。\n')).toBe(
      '　　雨停了。\n\n　　他走了。\n\n　　夜深了。\n\n',
    );
    expect(at('　　雨停了，', 6, '　　他走了。')).toBe('　　雨停了，他走了。');
    expect(at('雨停了。\r\n', 4, '他走了。\n夜深了。')).toBe('雨停了。\r\n\r\n他走了。\r\n夜深了。\r\n');
  });
});

describe('the place a skill writes for', () => {
  it('is the selection, the chapter below its heading, or the cursor', () => {
    const chapter = '---\na: 1\n---\n# 一\n\n雨停了。\n';
    const rewrite = { recipe: 'rewrite' } as const;
    expect(draftTarget(chapter, '雨歇了。', rewrite)).toEqual({ start: 18, end: 22 });
    expect(draftTarget('第一回 归来\n\n雨停了。', '雨歇了。', rewrite)).toEqual({ start: 8, end: 12 });
    expect(draftTarget('Chapter 1\n\nRain.', 'Snow.', rewrite)).toEqual({ start: 11, end: 16 });
    expect(draftTarget('第一章里他来了。', '他来过。', rewrite)).toEqual({ start: 0, end: 8 });
    expect(draftTarget(chapter, '# 一\n\n雨歇了。', rewrite)).toEqual({ start: 13, end: 22 });
    expect(draftTarget('  雨停了。 x', 'y', { ...rewrite, selection: { start: 0, end: 7 } })).toEqual({
      start: 2,
      end: 6,
    });
    expect(draftTarget('雨停了。', 'y', { recipe: 'continue' })).toEqual({ start: 4, end: 4 });
    expect(draftTarget('雨停了。', 'y', { recipe: 'continue', cursorPosition: 2 })).toEqual({
      start: 2,
      end: 2,
    });
    expect([
      makesDraft({ recipe: 'check', output: 'prose' }),
      makesDraft({ recipe: 'rewrite', output: 'report' }),
    ]).toEqual([false, false]);
  });
});

describe('a draft as a file', () => {
  const draft = {
    ...{
      name: '03-盒子-polish-4',
      number: 4,
      documentId: '章/03 "盒子".md',
      skillId: 'polish',
      model: 'cli/claude',
    },
    ...{ createdAt: 1_700_000_000_000, start: 3, end: 9, base: 'a'.repeat(64), isDiscarded: true },
    ...{ variantOf: 3, runId: '12', text: '---\n雨停了。\n\n---' },
  };

  it('reads as it was written, in any editor', () => {
    expect(readDraft(writeDraft(draft), draft.name)).toEqual(draft);
    expect(readDraft(`\ufeff${writeDraft(draft).replaceAll('\n', '\r\n')}`, draft.name)).toEqual(draft);
    for (const other of ['', 'notes', '---\ndraft: x\n---\n', '---\n: [\n---\n'])
      expect(readDraft(other, 'n')).toBeUndefined();
  });

  it('has a name that people read and every system takes', () => {
    expect(draftName('chapters/03-the-box.md', 'polish', 4)).toBe('03-the-box-polish-4');
    expect(draftName('章/第三章 盒子?.txt', '../润色', 12)).toBe('第三章-盒子-润色-12');
  });
});
