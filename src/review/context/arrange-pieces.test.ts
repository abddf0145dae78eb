import { describe, expect, it } from 'vitest';
import type { PlannedUnit } from '../plan/plan-review.js';
import { besideNeighbours, contextWords, joinNeighbours, underHeads } from './arrange-pieces.js';
import type { ContextPiece } from './context-pieces.js';

const home = { unit: { id: 'u1' } } as PlannedUnit;

function piece(
  path: string,
  startLine: number,
  endLine: number,
  more: Partial<ContextPiece> = {},
): ContextPiece {
  const text = Array.from({ length: endLine - startLine + 1 }, (_, at) => `line ${startLine + at}`).join(
    '\n',
  );
  const snippet = { path, side: 'new' as const, startLine, endLine, blob: 'b', text, why: 'a caller' };
  return { id: `${path}:${startLine}`, kind: 'related', snippet, home, rank: 0, score: 0, ...more };
}

describe('pieces of one file', () => {
  const found = [
    piece('a.ts', 40, 42, { rank: 9 }),
    piece('b.ts', 1, 2, { rank: 8 }),
    piece('a.ts', 5, 6, { rank: 7 }),
    piece('a.ts', 43, 44, { rank: 6, joinsLine: 42 }),
  ];

  it('stand behind the best of them in the order of lines, and only that one names the file', () => {
    const arranged = underHeads(found);
    expect(arranged.map(({ id }) => id)).toEqual(['a.ts:40', 'a.ts:5', 'a.ts:43', 'b.ts:1']);
    expect(arranged.map(({ leansOn }) => leansOn?.id)).toEqual([undefined, 'a.ts:40', 'a.ts:40', undefined]);
    const heading = (one: ContextPiece) => contextWords(one).split('\n')[0];
    expect(arranged.map(heading)).toEqual([
      'a.ts:40-42 \u00b7 a caller',
      ':5-6',
      ':43-44',
      'b.ts:1-2 \u00b7 a caller',
    ]);
  });

  it('keep apart what belongs to another unit, another side or the plan', () => {
    const other = { unit: { id: 'u2' } } as PlannedUnit;
    const before = piece('a.ts', 20, 21);
    const apart = [
      ...found,
      piece('a.ts', 10, 11, { home: other }),
      { ...before, snippet: { ...before.snippet, side: 'old' as const } },
      piece('a.ts', 30, 31, { kind: 'level' }),
    ];
    const heads = underHeads(apart).filter(({ leansOn }) => leansOn === undefined);
    expect(heads.map(({ id }) => id)).toEqual(['a.ts:40', 'b.ts:1', 'a.ts:10', 'a.ts:20', 'a.ts:30']);
  });

  it('become one snippet in bundles where they touch, whichever is better', () => {
    expect(besideNeighbours(found).map(({ leansOn }) => leansOn?.id)).toEqual([
      undefined,
      undefined,
      undefined,
      'a.ts:40',
    ]);
    const joined = joinNeighbours(found).map(({ snippet }) => snippet);
    expect(joined.map(({ path, startLine, endLine }) => [path, startLine, endLine])).toEqual([
      ['a.ts', 40, 44],
      ['b.ts', 1, 2],
      ['a.ts', 5, 6],
    ]);
    expect(joined[0]?.text).toBe('line 40\nline 41\nline 42\nline 43\nline 44');
    const upwards = [piece('a.ts', 9, 9, { rank: 5, joinsLine: 6 }), piece('a.ts', 4, 6, { rank: 4 })];
    expect(besideNeighbours(upwards)[1]?.leansOn?.id).toBe('a.ts:9');
    expect(joinNeighbours(upwards).map(({ snippet }) => snippet.text)).toEqual([
      'line 4\nline 5\nline 6\n\n\nline 9',
    ]);
  });

  it('join over any number of pieces, in any order', () => {
    const chain = [3, 1, 4, 2].map((line, at) =>
      piece('a.ts', line, line, { rank: -at, joinsLine: line - 1 }),
    );
    const joined = joinNeighbours(chain);
    expect(joined.map(({ id, snippet }) => [id, snippet.startLine, snippet.endLine])).toEqual([
      ['a.ts:3', 1, 4],
    ]);
  });
});
