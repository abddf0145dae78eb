import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sweepSize } from '../../../test/sweep-size.js';
import {
  type ListEntry,
  type ListItem,
  listWords,
  readList,
  withChangedItem,
  withEntry,
  withoutItems,
} from './list-file.js';
import { constraintList } from './told-lists.js';

const { form } = constraintList;
const kinds = form.kinds.map(([, kind]) => kind);

const words = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '没有魔法',
        '不用感叹号',
        'Past tense',
        '【固定】',
        '[pinned] ',
        '📌',
        '<br>',
        '<br/>',
        '&lt;br>',
      ),
      fc.constantFrom(
        '&amp;lt;br',
        '<!-- id: x -->',
        '-->',
        '<!--',
        '- ',
        '* ',
        '#',
        '## 世界',
        '\n',
        '\r\n',
        '---',
        '1. ',
      ),
      fc.string({ unit: 'grapheme', maxLength: 12 }),
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((parts) => parts.join(''))
  .filter((text) => listWords(text) !== '' && text.isWellFormed() && !text.includes('\0'));

const entry: fc.Arbitrary<ListEntry> = fc.record({
  kind: fc.constantFrom(...kinds),
  words: words.map(listWords),
  marked: fc.boolean(),
  notes: fc.oneof(
    fc.constant({}),
    fc.record(
      { priority: fc.integer().map(String), id: fc.string({ minLength: 1, maxLength: 8 }) },
      { requiredKeys: [] },
    ),
  ),
});

const line = fc.oneof(
  fc.constantFrom(
    '# 创作约束',
    '## 叙述约束',
    '## 世界观',
    '## Style',
    '## 备忘',
    '',
    '',
    '文字一段。',
    '  缩进',
    '---',
  ),
  fc.constantFrom(
    '<!-- 记着 -->',
    '<!--',
    '- 旧规则',
    '-->',
    '- 【固定】不可改',
    '* **粗** 体',
    '1. 一',
    '  - 深',
    '**粗体**',
  ),
  words.map((text) => `- ${text.replace(/[\r\n]/gu, ' ')}`),
);

const file = fc
  .record({
    lines: fc.array(line, { maxLength: 14 }),
    eol: fc.constantFrom('\n', '\r\n'),
    bom: fc.boolean(),
    ends: fc.boolean(),
  })
  .map(({ lines, eol, bom, ends }) => `${bom ? '\uFEFF' : ''}${lines.join(eol)}${ends ? eol : ''}`);

const content = ({ kind, words: said, marked, notes }: ListEntry) => ({ kind, words: said, marked, notes });
const contents = (items: readonly ListEntry[]) => items.map(content);
const runs = { seed: 15, numRuns: sweepSize('edits of a list', { everyRun: 400, nightly: 20_000 }) };

/** What a refusal says: the file could not be changed without changing what else it says. */
function attempt(change: () => string): string | undefined {
  try {
    return change();
  } catch (error) {
    expect(error).toMatchObject({ code: 'FILE_UNREADABLE' });
    return undefined;
  }
}

describe('a list that people and commands change', () => {
  it('an entry that is added is read back as it was, and every other byte stays', () => {
    let refused = 0;
    fc.assert(
      fc.property(file, entry, (text, added) => {
        const after = attempt(() => withEntry(text, form, added));
        if (after === undefined) {
          refused += 1;
          return;
        }
        const before = readList(text, form);
        const items = readList(after, form);
        expect(items).toHaveLength(before.length + 1);
        const at = items.findIndex(
          (item, index) =>
            JSON.stringify(content(item)) !== JSON.stringify(before[index] && content(before[index])),
        );
        const place = at < 0 ? items.length - 1 : at;
        expect(content(items[place] as ListItem)).toEqual(added);
        const inserted = after.length - text.length;
        const start = [...text].length === 0 ? 0 : commonStart(text, after);
        expect(after.slice(0, start) + after.slice(start + inserted)).toBe(text);
      }),
      runs,
    );
    // Only a comment that nobody closed stands in the way.
    expect(refused).toBeLessThan(runs.numRuns / 5);
  });

  it('an entry that is changed or taken out leaves every other byte as it was', () => {
    fc.assert(
      fc.property(file, entry, fc.nat(), (text, changed, nth) => {
        const before = readList(text, form);
        const item = before[nth % Math.max(1, before.length)];
        if (item === undefined) return;
        const others = before.filter(({ start }) => start !== item.start);
        const same = { ...changed, kind: item.kind };
        const after = attempt(() => withChangedItem(text, form, item, same));
        if (after !== undefined) {
          expect(contents(readList(after, form))).toEqual(
            before.map((each) => content(each.start === item.start ? same : each)),
          );
          expect(after.startsWith(text.slice(0, item.start))).toBe(true);
          expect(after.endsWith(text.slice(item.end))).toBe(true);
        }
        const without = attempt(() => withoutItems(text, form, [item]));
        if (without === undefined) return;
        expect(contents(readList(without, form))).toEqual(contents(others));
        expect(without).toHaveLength(
          text.length - (item.end - item.start) + (text.startsWith('\uFEFF') && item.start === 0 ? 1 : 0),
        );
      }),
      runs,
    );
  });

  it('stands under the heading of its kind, which is made where there is none', () => {
    const starter = '# 约束\r\n\r\n## 世界观约束\r\n\r\n## 风格约束\r\n';
    const rule = { kind: 'world', words: '没有魔法', marked: true, notes: {} };
    const once = withEntry(starter, form, rule);
    expect(once).toBe('# 约束\r\n\r\n## 世界观约束\r\n\r\n- 【固定】没有魔法\r\n\r\n## 风格约束\r\n');
    expect(withEntry(once, form, { ...rule, words: 'No gods', notes: { priority: '5' } })).toContain(
      '- 【固定】没有魔法\r\n- [pinned] No gods <!-- priority: 5 -->\r\n\r\n## 风格约束',
    );
    expect(withEntry('- 短句\n', form, { ...rule, kind: 'plot' })).toBe(
      '- 短句\n\n## 情节约束 · Plot\n\n- 【固定】没有魔法\n',
    );
  });

  it('reads what goes on in the next line, and nothing within a comment or a line across the page', () => {
    const text =
      '---\n- 严格第一人称，\n  不出现主角不在场的场景\n<!--\n- 旧的\n-->\n***\n**重要**\n- one rule\n  in two lines\n';
    expect(readList(text, form).map(({ words: said }) => said)).toEqual([
      '严格第一人称，不出现主角不在场的场景',
      'one rule in two lines',
    ]);
  });
});

function commonStart(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}
