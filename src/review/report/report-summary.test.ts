import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { severities } from '../findings/finding.js';
import { readReport, writeJson } from './json-report.js';
import { summariseReport } from './report-summary.js';
import { hostileText, reported, reportOf } from './testing/some-report.js';
import { writeMarkdown } from './write-markdown.js';

const page = (text: string, ...worst: (typeof severities)[number][]) => ({ text, severities: worst });

describe('what changed and why it is risky', () => {
  it('is what one page says of itself, line by line', () => {
    expect(summariseReport([page(' Rates by country.\n\nCallers  must\tpass one. ')])).toEqual({
      lines: ['Rates by country.', 'Callers must pass one.'],
      more: 0,
    });
    expect(summariseReport([page(''), page(' \n ')])).toBeUndefined();
  });

  it('is a line for each of several pages in their order, the same words once', () => {
    const pages = [page('First.\nMore of it.'), page('Second.'), page(''), page('Second.', 'high')];
    expect(summariseReport(pages)).toEqual({ lines: ['First. More of it.', 'Second.'], more: 0 });
  });

  it('keeps the pages with the worst findings where there are too many', () => {
    const pages = Array.from({ length: 40 }, (_, at) =>
      page(`Page ${at}.`, ...(at === 33 ? (['critical'] as const) : at % 4 === 0 ? (['low'] as const) : [])),
    );
    const summary = summariseReport(pages);
    expect(summary).toMatchObject({ more: 29 });
    expect(summary?.lines).toHaveLength(11);
    expect(summary?.lines.at(-2)).toBe('Page 33.');
    expect(summary?.lines[0]).toBe('Page 0.');
  });

  it('opens the report in at most twelve lines, whatever the pages say, and reads back', () => {
    const opening = fc.array(
      fc.record({
        text: hostileText,
        severities: fc.array(fc.constantFrom(...severities), { maxLength: 2 }),
      }),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(opening, (pages) => {
        const summary = summariseReport(pages);
        const report = reportOf([reported()], summary === undefined ? {} : { summary });
        expect(readReport(writeJson(report), 'report').summary).toEqual(report.summary);
        const text = writeMarkdown(report);
        const [, title, ...rest] = text.split('\n');
        expect(title).toBe('### Review by Galley');
        const above = rest
          .slice(0, rest.indexOf('1 medium; 1 new, 0 still there.'))
          .filter((line) => line !== '');
        expect(above.length).toBeLessThanOrEqual(12);
        expect(above.length > 0).toBe(summary !== undefined);
        for (const line of above) expect([...line].length).toBeLessThan(5000);
      }),
      { numRuns: 200 },
    );
  });

  it('says in both languages how many pages are not among the lines', () => {
    const summary = summariseReport(Array.from({ length: 13 }, (_, at) => page(`Page ${at}.`)))!;
    expect(writeMarkdown(reportOf([], { summary }))).toContain('- Page 10.\n- and 2 more pages\n');
    expect(writeMarkdown(reportOf([], { summary }), { language: 'zh' })).toContain('- 另有 2 页\n');
    expect(writeMarkdown(reportOf([], { summary: { lines: ['One.'], more: 0 } }))).toContain('\n\nOne.\n\n');
  });
});
