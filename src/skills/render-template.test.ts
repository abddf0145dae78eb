import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderPrompt, renderTemplate } from './render-template.js';

const template = (system: string, user: string) => ({ form: 'template', prompt: { system, user } }) as const;

describe('filling in a template', () => {
  it('puts values in, blanks inside the braces allowed [skill.parse]', () => {
    expect(renderTemplate('改写：{{ text }}。{{text}}', { text: '夜' })).toBe('改写：夜。夜');
  });

  it('never reads inserted text as a template', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('{{text}}', '{', '}', 'text', 'a', '$', '&', '1') }),
        (text) => {
          expect(renderTemplate('<{{text}}>', { text })).toBe(`<${text}>`);
        },
      ),
    );
  });

  it.each(['{{title}}', '{{__proto__}}', '{{}}', '{{toString}}'])(
    'refuses the unknown placeholder %s',
    (text) => {
      expect(() => renderTemplate(text, { text: 'x' })).toThrow(
        expect.objectContaining({ code: 'INVALID_ARGUMENT' }),
      );
    },
  );
});

describe('the prompt of a skill', () => {
  it('appends the text when no template asks for it', () => {
    expect(renderPrompt(template('系统', '请润色。'), { text: '夜' }).user).toBe('请润色。\n\n夜');
  });

  it('does not repeat text that a template asks for', () => {
    expect(renderPrompt(template('看：{{text}}', '请润色。'), { text: '夜' })).toEqual({
      system: '看：夜',
      user: '请润色。',
    });
  });

  it('leaves the body of a plain skill alone', () => {
    const skill = { form: 'plain', prompt: { system: 'Keep {{braces}}', user: '{{text}}' } } as const;
    expect(renderPrompt(skill, { text: '夜' })).toEqual({ system: 'Keep {{braces}}', user: '夜' });
  });
});
