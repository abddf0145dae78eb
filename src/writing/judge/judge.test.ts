import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileConstraint, judge } from './judge.js';
import { dialogueOf, filler, narrationOf } from './narration.js';

const wordings = [
  '避免使用感叹号和省略号',
  '不要出现“魔法”',
  '严格第一人称叙述',
  '用第三人称叙述',
  '主角在第五章之前不知道真相',
  '每句话不超过5个字',
  'Never use the word "very".',
];
const checks = wordings.flatMap((text, index) => compileConstraint({ id: `c${index}`, text }));

describe('judge', () => {
  it('quotes the evidence, counts in code points and speaks the language of the constraint [constraints.judge]', () => {
    const [zh] = judge('😀他走了！', compileConstraint({ id: 'style-1', text: '避免使用感叹号' }));
    expect(zh).toEqual({
      constraintId: 'style-1',
      check: 'forbidden-punctuation',
      start: 4,
      end: 5,
      evidence: '！',
      message: '使用了被禁止的感叹号。',
    });
    const [en] = judge('Go!', compileConstraint({ id: 'style-2', text: 'No exclamation marks.' }));
    expect(en?.message).toBe('Uses an exclamation mark, which is forbidden.');
  });

  it('has no findings in clean text or without checks [constraints.judge]', () => {
    expect(judge('我推开门，外面在下雨。', compileConstraint({ id: 'c', text: '严格第一人称叙述' }))).toEqual(
      [],
    );
    expect(judge('什么都行！', [])).toEqual([]);
  });

  it('shows third-person narration under a first-person constraint as the whole sentence [constraints.judge]', () => {
    const check = compileConstraint({ id: 'c', text: '严格第一人称叙述' });
    const findings = judge('雨停了。林远推开门，走了出去。', check, { protagonist: '林远' });
    expect(findings.map((finding) => finding.evidence)).toEqual(['林远推开门，走了出去。']);
  });

  it('finds a drift to third person in one paragraph of a first-person text', () => {
    const check = compileConstraint({ id: 'c', text: '严格第一人称叙述' });
    const entities = [{ id: 'lin', name: '林远', role: 'protagonist' }];
    const findings = judge('我推开门。\n林远走到窗边。\n我坐下来。', check, { entities });
    expect(findings.map((finding) => finding.start)).toEqual([6]);
  });

  it('says nothing about chapters when the chapter is not known', () => {
    expect(
      judge('他知道了真相。', compileConstraint({ id: 'c', text: '主角在第五章之前不知道真相' })),
    ).toEqual([]);
  });

  it('always points at the text it quotes, and says the same twice', () => {
    const unit = fc.constantFrom(...'我他她林远知道真相魔法！…“”‘’"\'。，\n *I 😀.very', ' he ', '……');
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 60 }), (text) => {
        const findings = judge(text, checks, { chapter: 1, protagonist: '林远' });
        expect(judge(text, checks, { chapter: 1, protagonist: '林远' })).toEqual(findings);
        for (const { start, end, evidence } of findings) {
          expect([...text].slice(start, end).join('')).toBe(evidence);
          expect(end).toBeGreaterThan(start);
        }
      }),
    );
  });
});

describe('parting speech from narration', () => {
  it('keeps every offset, and parts a text into what is told and what is said', () => {
    const unit = fc.constantFrom(...'“”「」『』‘’"\'a我\n *_《》');
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 40 }), (text) => {
        const told = narrationOf(text);
        const said = dialogueOf(text);
        expect(told.length).toBe(text.length);
        for (let at = 0; at < text.length; at += 1) {
          if (text[at] === '\n') continue;
          expect([told[at], said[at]].filter((point) => point !== filler)).toEqual([text[at]]);
        }
      }),
    );
  });
});
