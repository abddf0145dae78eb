import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codeBlock, codeSpan, markdownLine, markdownText } from './markdown.js';
import { commentBody, isUntouched, markComment, readMarker } from './review-comments.js';
import { outsideCode } from './testing/outside-code.js';
import { anyReported, hostileText, reported, reportOf, someReport } from './testing/some-report.js';
import { writeMarkdown } from './write-markdown.js';

const unescaped = (sign: string) => new RegExp(`(?<!\\\\)(?:\\\\\\\\)*${sign}`);
const neutral = (markdown: string) => {
  const plain = outsideCode(markdown)
    .replaceAll('&#96;', '¶')
    .replace(/(?<=\p{Extended_Pictographic})\u200d(?=\p{Extended_Pictographic})/gu, '');
  expect(plain).not.toMatch(/@|<|:\/\/|www\.|#\d|\p{Cf}/iu);
  expect(plain).not.toMatch(unescaped('[[\\]|_~$]'));
  expect(plain).not.toMatch(/^\s*(?:#|\/|=|>|~|\+|-(?! )|\*)/m);
};

describe('foreign text in Markdown', () => {
  it('keeps paragraphs, lists and code', () => {
    expect(markdownText('First `a_b` and\nmore.\n\n* one\n2) two\n\n```ts\nconst a = `x`;\n```\nEnd.')).toBe(
      'First `a_b` and\nmore.\n\n- one\n2. two\n\n```\nconst a = `x`;\n```\n\nEnd.',
    );
  });

  it.each([
    ['ping @octocat now', 'ping `@octocat` now'],
    ['closes #12', 'closes `#12`'],
    ['![x](https://evil.example/?q=1)', '`![x](https://evil.example/?q=1)`'],
    ['<!-- hidden -->', '&lt;!-- hidden --&gt;'],
    ['a\u202eb', 'a{U+202E}b'],
    ['/close', '\\/close'],
    ['# Title', '\\# Title'],
    ['a*b_c', 'a\\*b\\_c'],
    ['lone ` tick', 'lone &#96; tick'],
    ['`a`@b', '`a` `@b`'],
    ['family 👨‍👩‍👧 and ❤️', 'family 👨‍👩‍👧 and ❤️'],
  ])('turns %j into %j', (foreign, ours) => {
    expect(markdownText(foreign)).toBe(ours);
  });

  it('cannot mention, link, load, hide, command or leave its place', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        neutral(markdownText(text));
        neutral(markdownLine(text));
        expect(markdownLine(text)).not.toContain('\n');
      }),
      { numRuns: 1000 },
    );
  });

  it('is code that can be read back', () => {
    const visible = hostileText.map((text) => text.replace(/[^\x20-\x7e\n]/g, 'x'));
    fc.assert(
      fc.property(visible, (code) => {
        const block = codeBlock(code).split('\n');
        const fence = block[0]!;
        expect(block.at(-1)).toBe(fence);
        const body = block.slice(1, -1);
        expect(body.join('\n')).toBe(code.replace(/\n$/, ''));
        expect(body.some((line) => line.trim().startsWith(fence))).toBe(false);

        const line = code.replace(/[\t\n]+/g, ' ');
        const [, ticks = '', inner = ''] = /^(`+)(.*?)\1$/s.exec(codeSpan(code))!;
        expect(inner.match(/`+/g) ?? []).not.toContain(ticks);
        const stripped = /^ .*\S.* $/s.test(inner) ? inner.slice(1, -1) : inner;
        expect(stripped.trim() === '' ? '' : stripped).toBe(line.trim() === '' ? '' : line);
      }),
      { numRuns: 500 },
    );
  });
});

describe('a report in Markdown', () => {
  it('starts with a marker that names its content and tells whether somebody edited it', () => {
    const comment = writeMarkdown(someReport(), { key: 'nightly' });
    expect(readMarker(comment)).toMatchObject({
      key: 'nightly',
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(isUntouched(comment)).toBe(true);
    // Hosts store line ends of their own, and cut the last.
    expect(isUntouched(comment.trimEnd().replaceAll('\n', '\r\n'))).toBe(true);
    expect(isUntouched(comment.replace('Review', 'Revue'))).toBe(false);
    expect(isUntouched('No mark.')).toBe(false);
  });

  it('finds only its own marker, on the first line', () => {
    expect(readMarker(`x\n${markComment('y')}`)).toBeUndefined();
    expect(readMarker(markComment('y', 'a --> b'))).toMatchObject({ key: 'a-b' });
  });

  it('says what is resolved, held back, incomplete and why something has no line', () => {
    const comment = writeMarkdown(someReport());
    for (const part of [
      '1 critical, 1 high, 1 medium; 2 new, 1 still there.',
      '**2 findings name no line of this change:**',
      '**Incomplete:**',
      '5 of 6 files in full',
      'the line is outside the changed lines',
      'Resolved since the last review:',
      'Not shown: 1 below the threshold, 2 said twice.',
    ])
      expect(comment).toContain(part);
    expect(writeMarkdown(reportOf([]))).toContain('No findings.');
  });

  it('links files by encoded paths', () => {
    expect(writeMarkdown(someReport(), { fileBase: 'https://example.com/o/r/blob/abc/' })).toContain(
      '](<https://example.com/o/r/blob/abc/src/%E6%97%A5%E5%BF%97%20%281%29.ts#L12-L14>)',
    );
  });

  it('stays below its limit and counts what found no room', () => {
    const many = Array.from({ length: 300 }, (_, index) =>
      reported({ path: `src/${index}.ts`, evidence: 'x '.repeat(400), message: 'm '.repeat(200) }),
    );
    const comment = writeMarkdown(reportOf(many), { maxCharacters: 20_000 });
    expect(comment.length).toBeLessThanOrEqual(20_000);
    const told = comment.match(/^- \*\*/gm)!.length;
    expect(comment).toContain(`No room here for ${300 - told} medium more`);
  });

  it('begins no line with foreign text', () => {
    fc.assert(
      fc.property(fc.array(anyReported, { maxLength: 4 }), (findings) => {
        const [marker, ...lines] = writeMarkdown(reportOf(findings)).split('\n');
        expect(readMarker(marker!)).toBeDefined();
        for (const line of lines)
          expect(line).toMatch(/^(?:$| {2}|- \*\*|### Review|\d+ \w+[,;]|No findings\.)/);
      }),
      { numRuns: 200 },
    );
  });
});

describe('what a change keeps from being read', () => {
  it('stands above the result, in the words of the reader [R12]', () => {
    const facts = { kind: 'generated', omitted: 2, files: ['a.ts', 'b.ts'], fresh: 1 };
    const warning = {
      code: 'CHANGE_HIDES_ITSELF',
      message: '2 file(s) were not read: a.ts, b.ts.',
      details: facts,
    };
    const report = { ...reportOf([]), warnings: [warning] };
    const english = writeMarkdown(report).split('\n\n');
    expect(english[1]).toBe('**Not read:** 2 file(s) were not read: a.ts, b.ts.');
    expect(english[2]?.trim()).toBe('No findings.');
    const [, chinese = ''] = writeMarkdown(report, { language: 'zh' }).split('\n\n');
    expect(chinese).toMatch(/^\*\*未审查：\*\* 2 个文件.*（其中 1 个.*a\.ts、b\.ts。$/);
  });
});

describe('a finding as a comment', () => {
  const fence = 'suggestion';

  it('fences a suggestion so that nothing in it closes the fence', () => {
    const suggestion = { replacement: 'a\n```\nb', startLine: 1, endLine: 1 };
    const body = (replacement: string, suggestionFence?: string) =>
      commentBody(reported({ suggestion: { ...suggestion, replacement } }).finding, { suggestionFence });
    expect(body('a\n```\nb', fence)).toContain('````suggestion\na\n```\nb\n````');
    expect(body('', fence)).toContain('```suggestion\n```');
    expect(body('a', 'suggestion:-2+0')).toContain('```suggestion:-2+0\na\n```');
  });

  it('shows a suggestion as plain code where nobody can commit it', () => {
    const suggestion = { replacement: 'let b;', startLine: 1, endLine: 1 };
    const body = commentBody(reported({ suggestion }).finding);
    expect(body).toContain('Suggested instead:\n\n```\nlet b;\n```');
  });
});
