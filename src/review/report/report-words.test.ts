import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chineseReasons, coverageLine } from '../change/coverage.js';
import { pruneRules } from '../change/prune-rules.js';
import { reportLanguageOf, reportWords } from './report-words.js';
import { commentBody, readMarker } from './review-comments.js';
import { anyReported, reportOf, someReport } from './testing/some-report.js';
import { writeMarkdown } from './write-markdown.js';

const digits = (text: string) => (text.match(/\d+/g) ?? []).map(Number).sort((a, b) => a - b);

describe('the language of a report', () => {
  it.each([
    ['zh', 'zh'],
    ['zh-Hans', 'zh'],
    ['Simplified Chinese', 'zh'],
    ['简体中文', 'zh'],
    ['繁體中文', 'zh'],
    ['汉语', 'zh'],
    ['German', 'en'],
    ['Zhuang', 'en'],
    ['English', 'en'],
    [undefined, 'en'],
  ] as const)('that is asked for as %s is %s', (name, language) => {
    expect(reportLanguageOf(name)).toBe(language);
  });

  it('changes no number and no order', () => {
    fc.assert(
      fc.property(fc.array(anyReported, { maxLength: 4 }), (findings) => {
        const [en, zh] = (['en', 'zh'] as const).map((language) =>
          writeMarkdown(reportOf(findings, { duplicates: 3, complete: false }), { language }),
        );
        const below = (text = '') => text.slice(text.indexOf('\n'));
        expect(below(zh).split('\n').length).toBe(below(en).split('\n').length);
        expect(digits(below(zh))).toEqual(digits(below(en)));
      }),
      { numRuns: 100 },
    );
  });

  it('lets no foreign text begin a line', () => {
    fc.assert(
      fc.property(fc.array(anyReported, { maxLength: 4 }), (findings) => {
        const [marker, ...lines] = writeMarkdown(reportOf(findings), { language: 'zh' }).split('\n');
        expect(readMarker(marker!)).toBeDefined();
        for (const line of lines)
          expect(line).toMatch(/^(?:$| {2}|- \*\*|### 代码审查|\p{sc=Han}{2} \d|没有发现)/u);
      }),
      { numRuns: 200 },
    );
  });

  it('names the severity of comments', () => {
    expect(commentBody(someReport().findings[0]!.finding, { language: 'zh' })).toContain(
      '** · 致命 · `security`',
    );
  });
});

describe('coverage in Chinese', () => {
  const { coverage } = reportWords('zh');
  const facts = { files: 2, added: 5, removed: 1 };
  const omission = (rule: string, reason: string) => ({
    path: `${rule}.x`,
    rule,
    reason,
    added: 1,
    removed: 2,
  });

  it('says what is there, what is not, and why', () => {
    expect(coverageLine({ ...facts, pages: 3 }, [], coverage)).toBe(
      '完整：2 个文件（+5 -1），共 3 页；没有舍弃任何内容。',
    );
    expect(coverageLine({ ...facts, cut: true }, [], coverage)).toBe('部分：2 个文件（+5 -1）。');
    const omitted = [
      omission('binary-extension', 'binary (.png)'),
      omission('run', 'on a page that failed (MODEL_REFUSED)'),
      omission('run', 'on a page not asked for'),
      omission('size', 'too large (1,000,000 bytes or more)'),
      omission('made-up', 'of its own kind'),
    ];
    expect(coverageLine(facts, omitted, coverage)).toBe(
      '部分：2 个文件（+5 -1）；舍弃 4 个文件：1 个二进制文件（.png）（+1 -2），1 个所在的页失败（MODEL_REFUSED）（+1 -2），' +
        '1 个所在的页没有送审（+1 -2），1 个文件过大（1,000,000 字节或以上）（+1 -2），1 个of its own kind（+1 -2）。',
    );
  });

  it('has words for every rule that prunes', () => {
    for (const { id } of pruneRules) expect(chineseReasons[id]).toMatch(/\p{sc=Han}/u);
  });
});
