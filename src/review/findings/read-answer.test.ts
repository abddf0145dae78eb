import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { sweepSize } from '../../../test/sweep-size.js';
import { nastyText } from '../../testing/nasty-text.js';
import { findingsForm } from './answer-form.js';
import { findingSchema } from './finding.js';
import { readFindingsAnswer } from './read-answer.js';

const answered = (line: number, extra: object = {}) => ({
  path: 'src/a.ts',
  side: 'new',
  startLine: line,
  endLine: line + 1,
  severity: 'high',
  category: 'correctness',
  confidence: 0.8,
  title: `Fault ${line}`,
  message: `Say "why" here: {it} breaks [at] line ${line},\nand \`\`\`then\`\`\` again.`,
  evidence: `const value${line} = { "a": [1, 2] };`,
  ...extra,
});
const three = [answered(1), answered(5), answered(9)];
const titles = (answer: string) => readFindingsAnswer(answer).findings.map(({ title }) => title);
const codes = (answer: string) => readFindingsAnswer(answer).warnings.map(({ details }) => details?.what);
const all = ['Fault 1', 'Fault 5', 'Fault 9'];

describe("the reader of a model's answer", () => {
  it('can tell a model the form it asks for', () => {
    const whole = { summary: 'Adds three.', findings: three };
    expect(findingsForm({ asks: true }).parse(whole)).toEqual(whole);
    expect(z.toJSONSchema(findingsForm({ asks: false }))).toMatchObject({
      required: ['summary', 'findings'],
      additionalProperties: false,
    });
  });

  it('reads what stands beside the findings, and nothing that says neither yes nor no', () => {
    const answer = {
      summary: ' Adds three values. ',
      findings: [],
      requests: [
        { type: 'callers', unit: 'unit_1', details: 'total' },
        { type: 'search', keyword: 'RATE' },
        { kind: 7 },
        'callers',
      ],
      verdicts: [
        { finding: 1, verdict: 'refuted', reason: 'The guard stands above.' },
        { finding: '2', verdict: 'Confirmed' },
        { finding: 3, verdict: 'perhaps' },
        { finding: 4, verdict: false },
        { verdict: 'refuted' },
      ],
    };
    expect(readFindingsAnswer(`Sure:\n${JSON.stringify(answer)}`)).toMatchObject({
      readable: true,
      summary: 'Adds three values.',
      requests: [
        { type: 'callers', unit: 'unit_1', details: 'total' },
        { type: 'search', details: 'RATE' },
        { type: '' },
      ],
      verdicts: [
        { finding: 1, isRefuted: true, reason: 'The guard stands above.' },
        { finding: 2, isRefuted: false, reason: '' },
        { finding: 4, isRefuted: true, reason: '' },
      ],
    });
    const asked = readFindingsAnswer('{"requests":[{"type":"callers","details":"x"}]}');
    expect([asked.readable, asked.requests]).toEqual([false, [{ type: 'callers', details: 'x' }]]);
    const long = readFindingsAnswer(JSON.stringify({ summary: 'x'.repeat(5000), findings: [] }));
    expect(long.summary).toHaveLength(1000);
  });

  it('takes the asked form without a word of warning', () => {
    const answer = readFindingsAnswer(JSON.stringify({ findings: three }));
    expect(answer).toMatchObject({ readable: true, warnings: [] });
    expect(answer.findings).toEqual(three.map((finding) => ({ id: expect.any(String), ...finding })));
  });

  it.each([
    ['a bare list', JSON.stringify(three), []],
    ['an indented list', JSON.stringify(three, null, 2), []],
    ['one object', JSON.stringify({ ...answered(1) }), [], ['Fault 1']],
    ['a fence', `\`\`\`json\n${JSON.stringify(three, null, 2)}\n\`\`\``, ['text around the JSON']],
    [
      'prose around it',
      `Here is what I found in a[]:\n\n${JSON.stringify(three)}\n\nHope {this} helps!`,
      ['text around the JSON'],
    ],
    ['one object a line', three.map((one) => JSON.stringify(one)).join('\n'), []],
    [
      'trailing commas',
      `[${three.map((one) => `${JSON.stringify(one).slice(0, -1)},}`).join(',')},]`,
      ['trailing comma'],
    ],
    ['missing commas', `[${three.map((one) => JSON.stringify(one)).join('\n')}]`, ['missing comma']],
    [
      'comments',
      `[ // first\n${three.map((one) => JSON.stringify(one)).join(', /* next */ ')}]`,
      ['comment'],
    ],
    ['unquoted keys', `{findings: ${JSON.stringify(three)}}`, ['unquoted key']],
    [
      'reasoning before it',
      `<think>[{"path":"x","message":"draft"}]</think>${JSON.stringify(three)}`,
      ['reasoning skipped'],
    ],
    ['JSON inside a string', JSON.stringify(JSON.stringify(three)), ['JSON inside a string']],
    [
      'remarks grouped by file',
      JSON.stringify({ files: [{ path: 'src/a.ts', comments: three.map(({ path: _, ...rest }) => rest) }] }),
      ['fields in another form'],
    ],
    ['a byte order mark', `\ufeff${JSON.stringify(three)}`, []],
  ])('reads %s', (_, answer, repairs, expected = all) => {
    expect(titles(answer)).toEqual(expected);
    expect(codes(answer)).toEqual(repairs);
  });

  it('reads quotes that nobody escaped and line ends inside a string', () => {
    const answer = `[{"path":"a.ts","line":3,"severity":"high","confidence":1,"message":"use "const" here,\nnot "let"."}]`;
    expect(readFindingsAnswer(answer).findings).toMatchObject([
      { startLine: 3, message: 'use "const" here,\nnot "let".' },
    ]);
    expect(codes(answer)).toContain('unescaped character');
  });

  it('reads what Python prints', () => {
    const answer = `[{'path': 'a.ts', 'line': 3, 'severity': 'high', 'confidence': None, 'message': 'it\\'s wrong'}]`;
    expect(readFindingsAnswer(answer).findings).toMatchObject([{ message: "it's wrong", confidence: 0.5 }]);
    expect(codes(answer)).toEqual(
      expect.arrayContaining(['other quotes', 'other literal', 'confidence assumed']),
    );
  });

  it('reads other names, scales and ranges', () => {
    const answer = JSON.stringify({
      issues: [
        {
          file: './src/a.ts',
          lines: '12-14',
          priority: 'blocker',
          type: 'Data Race',
          score: 85,
          description: 'Two writers.',
        },
        {
          filename: 'b.ts',
          line: [7, 9],
          severity: 'nit',
          confidence: '90%',
          body: 'Name it. Then use it.',
          side: 'LEFT',
        },
        { file_path: 'c.ts', line: 'L4', level: 'warning', confidence: 'low', comment: 'Hm' },
      ],
    });
    expect(readFindingsAnswer(answer).findings).toMatchObject([
      {
        path: 'src/a.ts',
        startLine: 12,
        endLine: 14,
        severity: 'critical',
        category: 'data-race',
        confidence: 0.85,
      },
      {
        path: 'b.ts',
        startLine: 7,
        endLine: 9,
        severity: 'low',
        confidence: 0.9,
        title: 'Name it',
        side: 'old',
      },
      { path: 'c.ts', startLine: 4, endLine: 4, severity: 'medium', confidence: 0.3 },
    ]);
  });

  it('takes code as a suggestion and advice as words', () => {
    const read = (suggestion: unknown) =>
      readFindingsAnswer(JSON.stringify([answered(3, { suggestion })])).findings[0]!;
    expect(read('Lock it first.').suggestion).toBeUndefined();
    expect(read('Lock it first.').message).toMatch(/Lock it first\.$/);
    expect(read('```ts\n  lock();\n```').suggestion).toEqual({
      replacement: '  lock();',
      startLine: 3,
      endLine: 4,
    });
    expect(read({ code: 'lock();\n', line: 3 }).suggestion).toEqual({
      replacement: 'lock();',
      startLine: 3,
      endLine: 3,
    });
    expect(read({ replacement: '', startLine: 3, endLine: 3 }).suggestion?.replacement).toBe('');
  });

  it('drops what has no path, no words or a path outside, and counts it', () => {
    const answer = JSON.stringify([
      { message: 'general praise' },
      { path: 'a.ts' },
      answered(1, { path: '../../etc/passwd' }),
      answered(1, { path: 'C:\\x' }),
    ]);
    expect(readFindingsAnswer(answer)).toMatchObject({ findings: [], readable: true });
    expect(
      readFindingsAnswer(answer).warnings.filter(({ code }) => code === 'FINDING_DROPPED'),
    ).toMatchObject([
      { details: { what: 'dropped: no path', count: 1 } },
      { details: { what: 'dropped: no message', count: 1 } },
      { details: { what: 'dropped: path outside the project', count: 2 } },
    ]);
  });

  it('knows an empty answer from no answer', () => {
    for (const empty of ['[]', '{"findings": []}', '```json\n[]\n```', 'Nothing to say:\n[]\n'])
      expect(readFindingsAnswer(empty)).toMatchObject({ findings: [], readable: true });
    for (const none of [
      '',
      'I cannot help with that.',
      'Your string[] is fine.',
      '{"error": "overloaded"}',
      'null',
      '42',
    ])
      expect(readFindingsAnswer(none)).toMatchObject({ findings: [], readable: false });
  });

  it('keeps what is whole, wherever the answer was cut', () => {
    for (const whole of [
      JSON.stringify({ findings: three }),
      `Sure!\n\`\`\`json\n${JSON.stringify(three, null, 1)}\n\`\`\``,
    ]) {
      let seen = 0;
      for (let at = 0; at <= whole.length; at += 1) {
        const read = titles(whole.slice(0, at));
        expect(read).toEqual(all.slice(0, read.length));
        expect(read.length).toBeGreaterThanOrEqual(seen);
        seen = read.length;
      }
      expect(seen).toBe(3);
      expect(codes(whole.slice(0, -40))).toEqual(expect.arrayContaining(['cut off', 'dropped: cut off']));
    }
  });

  it('finds the others when one in the middle is broken', () => {
    const [first, second, third] = three.map((one) => JSON.stringify(one));
    expect(titles(`[${first}, ${second!.replace(':', ' = ')}, ${third}]`)).toEqual(['Fault 1', 'Fault 9']);
  });

  it('never throws and hands out only valid findings', () => {
    const whole = JSON.stringify({ findings: three });
    const mutilated = fc
      .tuple(fc.nat(whole.length), fc.nat(30), nastyText(5))
      .map(([at, length, text]) => whole.slice(0, at) + text + whole.slice(at + length));
    const odd = fc.anything({ withNullPrototype: true, withBigInt: false }).map((value) => {
      const extra = typeof value === 'object' && value !== null ? value : { message: value };
      return (
        JSON.stringify([
          answered(2, extra),
          { path: value, message: value, line: value, suggestion: value },
        ]) ?? ''
      );
    });
    let found = 0;
    fc.assert(
      fc.property(fc.oneof(mutilated, odd, nastyText(30), fc.json()), (answer) => {
        const { findings } = readFindingsAnswer(answer);
        found += findings.length;
        for (const finding of findings) expect(findingSchema.safeParse(finding).error).toBeUndefined();
      }),
      { numRuns: 500 },
    );
    expect(found).toBeGreaterThan(200);
  });

  const size = sweepSize('characters of a hostile answer', { everyRun: 1e6, nightly: 1e7 });
  it.each([
    ['brackets', '['.repeat(size)],
    ['objects never closed', '{"a":'.repeat(size / 5)],
    ['lists of objects never closed', '[{'.repeat(size / 2)],
    ['quotes', '"'.repeat(size)],
    ['openings of strings', '{"'.repeat(size / 2)],
    ['line ends in a string', `{"a":"${'\n'.repeat(size)}`],
    ['backslashes in a string', `{"a":"${'\\'.repeat(size)}`],
    ['white space', `[${' '.repeat(size)}`],
    ['empty objects', `[${'{},'.repeat((size * 3) / 10)}`],
    ['comments', `[${'/**/'.repeat(size / 5)}`],
    ['a long bare word', `{${'a'.repeat(size)}`],
    ['findings', `[${`${JSON.stringify(answered(1))},`.repeat(size / 400)}`],
    ['more than is read', ' '.repeat(2e7)],
  ])('stays bounded on megabytes of %s', (_, answer) => {
    expect(readFindingsAnswer(answer).findings.length).toBeLessThanOrEqual(1000);
  });
});
