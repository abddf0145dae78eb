// Reports for people as plain files, byte for byte, in each language. UPDATE_GOLDEN=1 writes them anew.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { someFinding } from '../../src/review/findings/testing/some-finding.js';
import { type ReportLanguage, reportLanguages } from '../../src/review/report/report-words.js';
import { reported, reportOf, someReport } from '../../src/review/report/testing/some-report.js';
import { writeMarkdown } from '../../src/review/report/write-markdown.js';
import { writeReport } from '../../src/review/report/write-report.js';

const manyFindings = Array.from({ length: 14 }, (_, at) =>
  reported({ path: `src/${at}.ts`, side: at === 0 ? 'old' : 'new', evidence: 'x '.repeat(60) }),
);
const crowded = reportOf(
  Array.from({ length: 40 }, (_, at) => reported({ path: `src/${at}.ts`, severity: at < 20 ? 'high' : 'low' })),
  {
    resolved: Array.from({ length: 30 }, (_, at) => someFinding({ path: `src/${at}.ts` })),
    unchecked: [someFinding()],
    held: [
      { item: reported(), reason: 'over-cap' },
      { item: reported(), reason: 'below-threshold' },
    ],
  },
);
const reports: Readonly<Record<string, (language: ReportLanguage) => string>> = {
  'markdown.md': (language) => writeReport(someReport(), 'markdown', { language }),
  'markdown-empty.md': (language) => writeReport(reportOf([]), 'markdown', { language }),
  'markdown-crowded.md': (language) => writeMarkdown(crowded, { language, maxCharacters: 2600 }),
  'github.txt': (language) => writeReport(reportOf(manyFindings), 'github', { language }),
  'gitlab.json': (language) => writeReport(someReport(), 'gitlab', { language }),
};

describe('golden reports', () => {
  for (const language of reportLanguages)
    for (const [name, write] of Object.entries(reports))
      it(`${name} in ${language}`, () => {
        const text = write(language);
        const file = join('test/golden/reports', `${language}-${name}`);
        if (process.env.UPDATE_GOLDEN) writeFileSync(file, text);
        expect(text).toBe(readFileSync(file, 'utf8'));
      });

  it('leave machine formats as they are', () => {
    for (const format of ['sarif', 'json', 'rdjson', 'rdjsonl'] as const)
      expect(writeReport(someReport(), format, { language: 'zh' })).toBe(writeReport(someReport(), format));
  });
});
