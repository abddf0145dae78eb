import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createEntityMatcher } from '../../src/writing/entities/entity-matcher.js';

// One line each, names in brackets; every line is searched for all of them.
const lines = readFileSync(new URL('./chinese-names.tsv', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n');
const cast =
  '林远 安 白 江 云 夏 沈月 高明 文静 小雨 石头 马超 张开 常青 王平 李明 周到 方正 叶子 阿宁 顾 陆 秦 何 龙 方 金'.split(
    ' ',
  );
const matcher = createEntityMatcher(cast.map((name) => ({ id: name, name })));

function startsOf(marked: string): readonly number[] {
  const starts: number[] = [];
  let at = 0;
  for (const point of marked) {
    if (point === '[') starts.push(at);
    else if (point !== ']') at += 1;
  }
  return starts;
}

describe('Chinese names on labelled lines', () => {
  it('has at least 200 lines, half of them held out', () => {
    expect(lines.length).toBeGreaterThanOrEqual(200);
    expect(lines.filter((line) => line.startsWith('held-out')).length).toBe(lines.length / 2);
  });

  it.each(['open', 'held-out'])('finds names as names in the %s half [W9]', (part) => {
    let [right, found, wanted] = [0, 0, 0];
    for (const line of lines.filter((each) => each.startsWith(`${part}\t`))) {
      const marked = line.slice(part.length + 1);
      const expected = startsOf(marked);
      const matches = matcher.find(marked.replace(/[[\]]/g, ''));
      right += matches.filter(({ start }) => expected.includes(start)).length;
      found += matches.length;
      wanted += expected.length;
    }
    console.log(`names ${part}: precision ${right}/${found}, recall ${right}/${wanted}`);
    expect(right / found).toBeGreaterThanOrEqual(0.9);
    expect(right / wanted).toBeGreaterThanOrEqual(0.9);
  });
});
