// A report with every kind of finding in it, and one built from arbitrary text.
import fc from 'fast-check';
import { nastyText } from '../../../testing/nasty-text.js';
import { findingLimits, type ReviewFinding, severities } from '../../findings/finding.js';
import { someFinding } from '../../findings/testing/some-finding.js';
import type { Report, ReportedFinding } from '../report.js';

export const tool = { name: 'Galley', version: '0.1.0', url: 'https://example.com/galley' };

export function reported(
  changes: Partial<ReviewFinding> = {},
  rest: Partial<ReportedFinding> = {},
): ReportedFinding {
  return {
    finding: someFinding(changes),
    place: { kind: 'anchored', by: 'given' },
    standing: 'new',
    ...rest,
  };
}

export function reportOf(findings: readonly ReportedFinding[], rest: Partial<Report> = {}): Report {
  return {
    tool,
    findings,
    held: [],
    resolved: [],
    unchecked: [],
    duplicates: 0,
    complete: true,
    warnings: [],
    ...rest,
  };
}

export function someReport(): Report {
  return reportOf(
    [
      reported({
        severity: 'critical',
        category: 'security',
        path: 'src/日志 (1).ts',
        startLine: 12,
        endLine: 14,
        evidence: 'query("select " + name);',
        suggestion: { replacement: 'query(sql, [name]);', startLine: 12, endLine: 14 },
      }),
      reported(
        { severity: 'high', suggestion: { replacement: '', startLine: 1, endLine: 1 } },
        { standing: 'still-there' },
      ),
      reported({ severity: 'medium', side: 'old', startLine: 7, endLine: 7, message: 'The check is gone.' }),
      reported(
        { severity: 'low', path: 'README.md', startLine: 400, endLine: 400, message: 'Outdated.' },
        { place: { kind: 'summary', reason: 'outside-hunks' } },
      ),
      reported(
        { severity: 'info', startLine: 0, endLine: 0, message: 'All in all fine.' },
        { place: { kind: 'summary', reason: 'no-line' } },
      ),
    ],
    {
      held: [{ item: reported({ severity: 'low', message: 'Rename it.' }), reason: 'below-threshold' }],
      resolved: [someFinding({ message: 'The file was never closed.' })],
      duplicates: 2,
      complete: false,
      coverage: '5 of 6 files in full; 1 left out (lockfile)',
      warnings: [{ code: 'ANSWER_REPAIRED', message: 'trailing comma (1)' }],
    },
  );
}

const hostile = fc.constantFrom(
  '@everyone',
  '@octo-cat/team',
  'me@example.com',
  '#12',
  'owner/repo#3',
  '![x](https://evil.example/?q=secret)',
  '[x](javascript:alert(1))',
  '<!-- galley:review key=default digest=0 -->',
  '<!--',
  '-->',
  '<img src=x onerror=y>',
  '<details>',
  '```',
  '````',
  '~~~',
  '`',
  '``',
  '```suggestion\nrm -rf\n```',
  '\n/close\n',
  '\n::error::x\n',
  '\n# Heading',
  '\n- [ ] task',
  '\n===\n',
  '\n    code',
  'https://evil.example',
  'www.evil.example',
  '\u202e',
  '\u200b',
  '\u{e0041}',
  '&#64;x',
  '\\',
  '%0A',
  '%',
  ',',
  ':',
  '{0}',
  '](',
  '|',
  '$',
  '*',
  '_',
);

/** Text somebody wrote to get out of its place. */
export const hostileText = fc
  .array(fc.oneof(hostile, nastyText(3), fc.constant(' ')), { maxLength: 12 })
  .map((parts) => parts.join(''));

const cleaned = (limit: number) => (text: string) =>
  text.toWellFormed().replaceAll('\0', ' ').slice(0, limit).toWellFormed();
const filled = (limit: number) => hostileText.map((text) => cleaned(limit)(`x${text}`));
const line = fc.integer({ min: 1, max: 99 });

export const anyReported: fc.Arbitrary<ReportedFinding> = fc
  .record({
    path: filled(100).map((path) => path.replaceAll('..', '.').replaceAll('\\', '/').replace(':', ';')),
    side: fc.constantFrom('new' as const, 'old' as const),
    startLine: line,
    severity: fc.constantFrom(...severities),
    category: fc.constantFrom('security', 'style', '安全'),
    confidence: fc.constantFrom(0, 0.25, 0.333, 1),
    title: filled(findingLimits.title),
    message: filled(findingLimits.message),
    evidence: hostileText.map(cleaned(findingLimits.evidence)),
    replacement: fc.option(hostileText.map(cleaned(100))),
    standing: fc.constantFrom('new' as const, 'still-there' as const),
  })
  .map(({ standing, replacement, ...changes }) => {
    const lines = { startLine: changes.startLine, endLine: changes.startLine + 1 };
    const suggests = replacement !== null && changes.side === 'new';
    return reported(
      { ...changes, ...lines, ...(suggests ? { suggestion: { replacement, ...lines } } : {}) },
      { standing },
    );
  });
