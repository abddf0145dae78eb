import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { FilePatch } from '../../git/patch/patch.js';
import { type SummaryReason, summaryReasons } from '../findings/check-anchors.js';
import { type ReviewFinding, severities } from '../findings/finding.js';
import { changeOf } from '../findings/testing/change-of.js';
import { someFinding } from '../findings/testing/some-finding.js';
import { jsonReportSchema, readEarlierFindings, writeJson } from './json-report.js';
import { visibleJson } from './machine-text.js';
import { buildReport, failsAt, type Report } from './report.js';
import { outsideCode } from './testing/outside-code.js';
import { anyReported, hostileText, reported, reportOf, someReport, tool } from './testing/some-report.js';
import { escapeMessage, escapeProperty, writeAnnotations } from './write-annotations.js';
import { writeMarkdown } from './write-markdown.js';
import { writeGitlab, writeRdjson, writeRdjsonl } from './write-report.js';
import { writeSarif } from './write-sarif.js';

const invisible = /\p{Cf}|[\u2028\u2029]/u;

describe('writeJson', () => {
  it('has a version and reads back what was known', () => {
    const report = someReport();
    const written = writeJson(report);
    expect(jsonReportSchema.parse(JSON.parse(written))).toMatchObject({
      format: 'galley.review',
      version: 1,
      complete: false,
    });
    const known = [
      ...report.findings.map(({ finding }) => finding),
      ...report.held.map(({ item }) => item.finding),
    ];
    expect(readEarlierFindings(written)).toEqual(known);
  });

  it('round-trips any text and shows what is hidden', () => {
    fc.assert(
      fc.property(fc.array(anyReported, { maxLength: 4 }), (findings) => {
        const written = writeJson(reportOf(findings));
        expect(written).not.toMatch(invisible);
        expect(readEarlierFindings(written)).toEqual(findings.map(({ finding }) => finding));
      }),
      { numRuns: 200 },
    );
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(JSON.parse(visibleJson(text))).toBe(text);
      }),
    );
  });

  it.each(['', '{"version":', '{"format":"galley.review","version":2}', '[]'])(
    'refuses %j by its field',
    (text) => {
      expect(() => readEarlierFindings(text)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
    },
  );
});

describe('writeRdjson', () => {
  it('writes one document or one diagnostic a line', () => {
    const document = JSON.parse(writeRdjson(someReport()));
    expect(document).toMatchObject({ source: { name: 'Galley' }, severity: 'ERROR' });
    expect(document.diagnostics[0]).toMatchObject({
      location: { path: 'src/日志 (1).ts', range: { start: { line: 12 }, end: { line: 14 } } },
      severity: 'ERROR',
      code: { value: 'security' },
      suggestions: [{ range: { start: { line: 12 }, end: { line: 14 } }, text: 'query(sql, [name]);' }],
    });
    expect(
      document.diagnostics.slice(2).map(({ location }: { location: object }) => Object.keys(location)),
    ).toEqual([['path'], ['path'], ['path']]);
    const lines = writeRdjsonl(someReport()).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual(
      document.diagnostics.map((one: object) => ({ ...one, source: document.source })),
    );
    expect(writeRdjsonl(reportOf([]))).toBe('');
  });
});

describe('writeGitlab', () => {
  it('maps every severity and never repeats a fingerprint', () => {
    const issues = JSON.parse(writeGitlab(someReport()));
    expect(issues.map(({ severity }: { severity: string }) => severity)).toEqual([
      'blocker',
      'critical',
      'major',
    ]);
    const low = ['low', 'info'].map((severity) => reported({ severity: severity as 'low' | 'info' }));
    expect(JSON.parse(writeGitlab(reportOf(low)))).toMatchObject([
      { severity: 'minor' },
      { severity: 'info' },
    ]);
    expect(new Set(issues.map(({ fingerprint }: { fingerprint: string }) => fingerprint)).size).toBe(
      issues.length,
    );
    expect(issues[0]).toMatchObject({
      check_name: 'review/security',
      location: { path: 'src/日志 (1).ts', lines: { begin: 12, end: 14 } },
    });
    expect(issues[2]).toMatchObject({
      description: expect.stringContaining('line 7 before'),
      location: { lines: { begin: 1 } },
    });
  });
});

/** As the runner reads a command. */
const parseCommand = (line: string) => {
  const [, command, list = '', message = ''] = /^::(\w+) (.*?)::(.*)$/s.exec(line)!;
  const decode = (text: string) =>
    text.replace(/%(25|0D|0A|3A|2C)/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
  const properties = Object.fromEntries(
    list
      .split(',')
      .map((pair) => [pair.slice(0, pair.indexOf('=')), decode(pair.slice(pair.indexOf('=') + 1))]),
  );
  return { command, properties, message: decode(message) };
};

/** Every text of a report in which a model speaks, by format. */
const spoken: Record<string, (report: Report) => string[]> = {
  rdjson: (report) =>
    JSON.parse(writeRdjson(report)).diagnostics.map((one: { message: string }) => one.message),
  rdjsonl: (report) =>
    writeRdjsonl(report)
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line).message),
  gitlab: (report) => JSON.parse(writeGitlab(report)).map((one: { description: string }) => one.description),
  sarif: (report) =>
    JSON.parse(writeSarif(report)).runs[0].results.map(
      (one: { message: { text: string } }) => one.message.text,
    ),
  github: (report) => {
    const { commands, summary } = writeAnnotations(report);
    const read = commands
      .split('\n')
      .filter((line) => line !== '')
      .map(parseCommand);
    return [...read.flatMap(({ message, properties }) => [message, properties.title ?? '']), summary];
  },
};

describe.each(Object.keys(spoken))('the words of a model in %s', (format) => {
  it('cannot mention, link, load, hide or command where somebody renders them [R25]', () => {
    fc.assert(
      fc.property(anyReported, (item) => {
        for (const text of spoken[format]!(reportOf([item]))) {
          const plain = outsideCode(text).replaceAll('&#96;', '');
          expect(plain).not.toMatch(/@|<[a-z!/?]|:\/\/|www\.|#\d|!\[|(?<!\\)\]\(|\p{Cf}(?<!\u200d)/iu);
          expect(plain).not.toMatch(/^\s*\//m);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('reads as it was said where nobody does [R25]', () => {
    const item = reported({
      title: 'user_id is *not* checked',
      message: 'Call `check<T>(id)` when a < b && c > d; see arr[0].',
    });
    const [text = ''] = spoken[format]!(reportOf([item]));
    expect(text).toContain('Call `check<T>(id)` when a ');
    expect(text).not.toContain('\\`');
    if (!format.startsWith('rdjson')) {
      expect(text).toContain('user_id is *not* checked');
      expect(text).toContain('when a < b && c > d; see `arr[0].`');
    }
  });
});

describe('writeAnnotations', () => {
  it('escapes so that the runner reads the same text', () => {
    const text = fc.oneof(hostileText, fc.string());
    fc.assert(
      fc.property(text, text, (property, message) => {
        const line = `::error title=${escapeProperty(property)}::${escapeMessage(message)}`;
        expect(line).not.toMatch(/[\r\n]/);
        expect(parseCommand(line)).toEqual({ command: 'error', properties: { title: property }, message });
      }),
    );
  });

  it('writes exactly one command a line, whatever the text', () => {
    fc.assert(
      fc.property(fc.array(anyReported, { maxLength: 5 }), (findings) => {
        const { commands, shown, rest } = writeAnnotations(reportOf(findings));
        const lines = commands.split(/\r\n|\r|\n/).filter((line) => line !== '');
        expect(lines).toHaveLength(shown.length + (rest.length > 0 ? 1 : 0));
        shown.forEach(({ finding }, index) => {
          const { startLine, endLine, path } = finding;
          expect(parseCommand(lines[index]!).properties).toMatchObject({
            file: path,
            line: `${startLine}`,
            endLine: `${endLine}`,
          });
        });
        expect(new Set([...shown, ...rest])).toEqual(new Set(findings));
      }),
    );
  });

  it('keeps the limits of a step, and says what went to the summary', () => {
    const findings = severities.flatMap((severity) =>
      Array.from({ length: 8 }, (_, index) =>
        reported({ severity, startLine: index + 1, endLine: index + 1 }),
      ),
    );
    const { commands, shown, rest, summary } = writeAnnotations(reportOf(findings));
    const count = (name: string) =>
      commands.split('\n').filter((line) => line.startsWith(`::${name} `)).length;
    expect([count('error'), count('warning'), count('notice')]).toEqual([10, 10, 9]);
    expect(shown.length + rest.length).toBe(40);
    expect(commands).toContain(
      `::notice title=Galley::${rest.length} of 40 findings are not shown as annotations`,
    );
    expect(summary.match(/^- \*\*/gm)).toHaveLength(rest.length);
  });

  it('keeps the limit of a job', () => {
    const findings = Array.from({ length: 9 }, (_, index) =>
      reported({ startLine: index + 1, endLine: index + 1 }),
    );
    expect(writeAnnotations(reportOf(findings), { usedInJob: 45 }).shown).toHaveLength(4);
    expect(writeAnnotations(reportOf(findings), { usedInJob: 41 })).toMatchObject({
      shown: findings,
      summary: '',
    });
  });
});

describe('a review fails the step that ran it', () => {
  it('is 1 at or above the level, the capped ones included', () => {
    const report = reportOf([reported({ severity: 'medium' })], {
      held: [
        { item: reported({ severity: 'high' }), reason: 'over-cap' },
        { item: reported({ severity: 'critical' }), reason: 'below-threshold' },
      ],
    });
    expect(severities.map((level) => failsAt(report, level))).toEqual([false, true, true, true, true]);
    expect(failsAt(report, 'none')).toBe(false);
    expect(failsAt(reportOf([]), 'info')).toBe(false);
  });

  it.each(Object.keys(summaryReasons) as SummaryReason[])(
    'never fails a build for what does not stand on the change: %s [R14]',
    (reason) => {
      const worst = { severity: 'critical', confidence: 1 } as const;
      const elsewhere = reported(worst, { place: { kind: 'summary', reason } });
      const held = [{ item: elsewhere, reason: 'over-cap' as const }];
      expect(failsAt(reportOf([elsewhere], { held }), 'info')).toBe(false);
      expect(failsAt(reportOf([elsewhere, reported(worst)]), 'critical')).toBe(true);
    },
  );

  it('shows a remedy wherever people read, and never as something to commit [R14]', () => {
    const report = reportOf([reported({ remedy: 'return safe();' }, { lostSuggestion: 'breaks-syntax' })]);
    expect(writeMarkdown(report)).toContain('to be fitted in by hand:\n\n  ```\n  return safe();');
    expect(writeMarkdown(report, { language: 'zh' })).toContain('不能直接套用');
    const [{ message, suggestions }] = JSON.parse(writeRdjson(report)).diagnostics;
    expect([message.includes('return safe();'), suggestions]).toEqual([true, undefined]);
    const [result] = JSON.parse(writeSarif(report)).runs[0].results;
    expect(result.fixes).toBeUndefined();
    expect(result.properties).toMatchObject({ remedy: 'return safe();', lostSuggestion: 'breaks-syntax' });
    expect(readEarlierFindings(writeJson(report))).toEqual(report.findings.map(({ finding }) => finding));
  });
});

describe('buildReport', () => {
  let patches: FilePatch[];
  const lines = Array.from({ length: 40 }, (_, index) => `call${index}(value);`);
  beforeAll(async () => {
    const changed = lines.map((line, index) => (index === 10 || index === 30 ? `${line} // changed` : line));
    patches = await changeOf({ 'a.ts': `${lines.join('\n')}\n` }, { 'a.ts': `${changed.join('\n')}\n` });
  });
  const writers: Readonly<Record<string, (report: Report) => string>> = {
    markdown: writeMarkdown,
    json: writeJson,
    sarif: writeSarif,
    rdjson: writeRdjson,
    rdjsonl: writeRdjsonl,
    gitlab: writeGitlab,
    annotations: (report) => writeAnnotations(report).commands,
  };
  const some = fc
    .record({
      startLine: fc.integer({ min: 1, max: 40 }),
      evidence: fc.oneof(fc.constant(''), fc.constantFrom(...lines)),
      severity: fc.constantFrom(...severities),
      message: fc.constantFrom(
        'The value may be missing.',
        'The value may well be missing.',
        'Rename this.',
        '空值',
      ),
    })
    .map((changes) => someFinding({ ...changes, path: 'a.ts', endLine: changes.startLine + 2 }));

  it('accounts for every finding once and writes the same bytes whatever came first', () => {
    const selection = { minSeverity: 'low' as const, most: 4 };
    let [held, duplicates] = [0, 0];
    fc.assert(
      fc.property(fc.array(some, { maxLength: 12 }), (findings) => {
        const report = buildReport(findings, { tool, patches, selection });
        expect(report.findings.length + report.held.length + report.duplicates).toBe(findings.length);
        held += report.held.length;
        duplicates += report.duplicates;
        const again = buildReport([...findings].reverse(), { tool, patches, selection });
        for (const [name, write] of Object.entries(writers))
          expect([name, write(again)]).toEqual([name, write(report)]);
      }),
      { numRuns: 100 },
    );
    expect([held > 50, duplicates > 20]).toEqual([true, true]);
  });

  it('says the second time that everything is still there, also where lines have moved', () => {
    const findings = [
      someFinding({ path: 'a.ts', startLine: 11, endLine: 11, evidence: 'call10(value); // changed' }),
    ];
    const first = buildReport(findings, { tool, patches });
    expect(first.findings).toMatchObject([{ standing: 'new', place: { kind: 'anchored' } }]);
    const earlier = readEarlierFindings(writeJson(first)).map(
      (finding): ReviewFinding => ({ ...finding, startLine: 3, endLine: 3 }),
    );
    const second = buildReport(findings, { tool, patches, carry: { earlier } });
    expect(second.findings).toMatchObject([{ standing: 'still-there', finding: { id: earlier[0]!.id } }]);
    expect(buildReport([], { tool, patches, carry: { earlier } })).toMatchObject({
      findings: [],
      resolved: earlier,
    });
  });

  it('does not call resolved what is merely not shown any more', () => {
    const finding = someFinding({ path: 'a.ts', startLine: 11, endLine: 11, severity: 'low' });
    const report = buildReport([finding], {
      tool,
      patches,
      carry: { earlier: [finding] },
      selection: { minSeverity: 'high' },
    });
    expect(report).toMatchObject({
      findings: [],
      resolved: [],
      held: [{ reason: 'below-threshold', item: { standing: 'still-there' } }],
    });
  });
});

describe('a change that hides itself', () => {
  const details = { kind: 'binary', omitted: 1, files: ['src/a.ts'] };
  const message = '1 file(s) were not read because a NUL byte makes them binary: src/a.ts.';
  const report: Report = {
    ...reportOf([]),
    warnings: [{ code: 'CHANGE_HIDES_ITSELF', message, details }],
  };

  it('is told first in forms that have no place for warnings', () => {
    expect(JSON.parse(writeRdjson(report))).toMatchObject({
      severity: 'WARNING',
      diagnostics: [{ location: { path: 'src/a.ts' }, severity: 'WARNING', code: { value: 'hidden' } }],
    });
    expect(writeRdjsonl(report)).toContain('NUL byte');
    expect(JSON.parse(writeGitlab(report))).toMatchObject([
      { check_name: 'review/hidden', description: message, location: { path: 'src/a.ts' } },
    ]);
    expect(writeAnnotations(report).commands).toContain(`::warning title=${tool.name}::1 file(s)`);
  });

  it('takes its place among the annotations of a step', () => {
    const findings = Array.from({ length: 12 }, (_, at) =>
      reported(someFinding({ id: `f${at}`, severity: 'medium' })),
    );
    const { commands } = writeAnnotations({ ...reportOf(findings), warnings: report.warnings });
    expect(commands.match(/^::warning /gm)).toHaveLength(10);
    expect(commands.startsWith(`::warning title=${tool.name}::1 file(s)`)).toBe(true);
  });
});
