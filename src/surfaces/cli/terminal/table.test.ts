import { describe, expect, it } from 'vitest';
import { clipped, padded, pairs, textTable } from './table.js';
import { widthOf } from './text-width.js';

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control sequences
const plain = (text: string) => text.replace(/\u001b\[\d+m/g, '');

describe('columns', () => {
  it('counts two places for East Asian characters, none for marks', () => {
    expect(widthOf('林远')).toBe(4);
    expect(widthOf('Lin 远，')).toBe(8);
    expect(widthOf('e\u0301')).toBe(1);
    expect(widthOf('한국')).toBe(4);
    expect(widthOf('カナ')).toBe(4);
    expect(widthOf('𠮷😀')).toBe(4);
  });

  it('line up with Chinese and English names in one column', () => {
    const table = plain(
      textTable(
        [{ title: 'Name' }, { title: 'Tokens', align: 'right' }, { title: 'Note' }],
        [
          ['林远', '12', 'a'],
          ['Sarah', '1,200', '乙'],
        ],
      ),
    );
    expect(table.split('\n')).toEqual(['Name   Tokens  Note', '林远       12  a', 'Sarah   1,200  乙', '']);
    const starts = table
      .trimEnd()
      .split('\n')
      .map((line) => widthOf(line.slice(0, line.search(/(?:Note|a|乙)$/))));
    expect(new Set(starts).size).toBe(1);
  });

  it('cuts the column that may shrink, and only when the line is too long', () => {
    const columns = [{ title: 'A' }, { title: 'Text', shrink: true }, { title: 'Id' }];
    const rows = [['x', '很长的一句话很长的一句话', 'id-1']];
    const lines = plain(textTable(columns, rows, { width: 24 }))
      .trimEnd()
      .split('\n');
    for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(24);
    expect(lines[1]).toContain('…');
    expect(lines[1]?.endsWith('id-1')).toBe(true);
    expect(plain(textTable(columns, rows))).not.toContain('…');
  });

  it('never cuts a wide character in half', () => {
    expect(clipped('林远林远', 4)).toBe('林…');
    expect(clipped('林远', 4)).toBe('林远');
    expect(widthOf(padded('林', 5))).toBe(5);
    expect(
      plain(
        pairs([
          ['章', '1'],
          ['Words', '2'],
        ]),
      ),
    ).toBe('章     1\nWords  2\n');
  });

  it('keeps every row on one line', () => {
    expect(plain(textTable([{ title: 'T' }], [['a\nb\tc']]))).toBe('T\na b c\n');
  });
});
