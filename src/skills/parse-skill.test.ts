import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isGalleyError } from '../core/model/error.js';
import { parseSkill } from './parse-skill.js';
import { contextRuleFields, contextRulesJson, readContextRules } from './skill.js';

const seedForm = `---
name: 润色文本
description: 优化表达和用词，使文字更加流畅

context_rules:
  surrounding: 500          # 前后各 N 字（单位：字符数）
  user_preferences: true    # 注入用户偏好
  style_guide: true         # 注入项目风格指南
  characters: false         # 是否需要人物卡
  recent_summary: 3         # 最近 N 次运行摘要

prompt:
  system: |
    你是写作助手。请按要求改写。
  user: |
    {{text}}
---
`;

function refusal(run: () => unknown): { code: string; field: unknown } {
  try {
    run();
  } catch (error) {
    if (isGalleyError(error)) return { code: error.code, field: error.details?.field };
    throw error;
  }
  return { code: 'none', field: undefined };
}

const withRules = (rules: string) =>
  `---\nname: x\ncontext_rules: ${rules}\nprompt:\n  user: "{{text}}"\n---\n`;
const withMatter = (matter: string) => `---\n${matter}\n---\nbody\n`;

describe('the recipe of a skill', () => {
  const plain = 'name: x\ndescription: d';
  it('stands in the front matter or in its metadata, and is rewrite unless told [skill.context]', () => {
    expect(parseSkill(withMatter(plain)).recipe).toBe('rewrite');
    expect(parseSkill(withMatter(`${plain}\nrecipe: continue`)).recipe).toBe('continue');
    expect(parseSkill(withMatter(`${plain}\nmetadata:\n  recipe: check`)).recipe).toBe('check');
  });

  it('is refused when it is unknown or told in two ways [skill.context]', () => {
    const refused = (matter: string) => refusal(() => parseSkill(withMatter(`${plain}\n${matter}`)));
    expect(refused('recipe: polish')).toEqual({ code: 'INVALID_ARGUMENT', field: 'recipe' });
    expect(refused('recipe: [check]')).toEqual({ code: 'INVALID_ARGUMENT', field: 'recipe' });
    expect(refused('recipe: check\nmetadata:\n  recipe: continue')).toEqual({
      code: 'INVALID_ARGUMENT',
      field: 'metadata.recipe',
    });
  });
});

describe('the reader of skill files', () => {
  it('reads the template form with a Chinese name [skill.parse]', () => {
    const skill = parseSkill(seedForm, { path: '.galley/skills/polish/SKILL.md' });
    expect(skill).toMatchObject({
      id: 'polish',
      name: '润色文本',
      form: 'template',
      prompt: { system: '你是写作助手。请按要求改写。', user: '{{text}}' },
    });
    expect(parseSkill(seedForm).id).toBe('润色文本');
  });

  it('reads a plain file: the body is the instruction, word for word [skill.parse]', () => {
    const source =
      '---\nname: pdf-notes\ndescription: Notes.\nlicense: MIT\n---\n\n# Do\n\nKeep {{braces}}.\n';
    expect(parseSkill(source)).toMatchObject({
      form: 'plain',
      prompt: { system: '# Do\n\nKeep {{braces}}.' },
    });
  });

  it('reads the same rules at top level and as JSON under metadata [skill.parse]', () => {
    const nested = withMatter(
      'name: x\ndescription: d\nmetadata:\n  context_rules: \'{"surrounding": 500, "outline": true}\'',
    );
    expect(parseSkill(nested).contextRules).toEqual(
      parseSkill(withRules('{surrounding: 500, outline: true}')).contextRules,
    );
  });

  it('refuses two sets of rules that differ [skill.parse]', () => {
    const source = withMatter(
      'name: x\ndescription: d\ncontext_rules: {outline: true}\nmetadata: {context_rules: "{}"}',
    );
    expect(refusal(() => parseSkill(source))).toEqual({
      code: 'INVALID_ARGUMENT',
      field: 'metadata.context_rules',
    });
  });

  it('gives every field its default [skill.rules]', () => {
    expect(parseSkill(withRules('{}')).contextRules).toEqual({
      surrounding: 0,
      user_preferences: false,
      style_guide: false,
      characters: false,
      outline: false,
      recent_summary: 0,
      knowledge_graph: false,
    });
  });

  it.each([
    ['[]', 'context_rules'],
    ['text', 'context_rules'],
    ['', 'context_rules'],
    ['{surrounding: -1}', 'context_rules.surrounding'],
    ['{surrounding: 1.5}', 'context_rules.surrounding'],
    ['{surrounding: .inf}', 'context_rules.surrounding'],
    ['{surrounding: .nan}', 'context_rules.surrounding'],
    ['{surrounding: "500"}', 'context_rules.surrounding'],
    ['{surrounding: true}', 'context_rules.surrounding'],
    ['{surrounding: null}', 'context_rules.surrounding'],
    ['{surrounding: 99999999999999999999}', 'context_rules.surrounding'],
    ['{recent_summary: -3}', 'context_rules.recent_summary'],
    ['{outline: 1}', 'context_rules.outline'],
    ['{characters: yes}', 'context_rules.characters'],
    ['{user_preferences: "true"}', 'context_rules.user_preferences'],
    ['{weather: true}', 'context_rules.weather'],
    ['{Surrounding: 1}', 'context_rules.Surrounding'],
    ['{__proto__: 1}', 'context_rules.__proto__'],
  ])('refuses context_rules %s and names the field [skill.rules]', (rules, field) => {
    expect(refusal(() => parseSkill(withRules(rules)))).toEqual({ code: 'INVALID_ARGUMENT', field });
  });

  it.each([
    ['name: a\nname: b', 'name'],
    ['name: &a x\ndescription: *a', 'front matter'],
    ['name: !custom x', 'front matter'],
    ['name: !!str x', 'front matter'],
    ['base: {a: 1}\nmetadata:\n  <<: {b: 2}', 'front matter'],
    ['- name', 'front matter'],
    ['just text', 'front matter'],
    ['', 'front matter'],
    ['name: [unclosed', 'front matter'],
    ['? [a]\n: b', 'front matter'],
    ['name: 12\ndescription: d', 'name'],
    ['description: d', 'name'],
    ['name: ""\ndescription: d', 'name'],
    [`name: ${'x'.repeat(65)}\ndescription: d`, 'name'],
    ['name: "a\\nb"\ndescription: d', 'name'],
    ['name: ok', 'description'],
    [`name: ok\ndescription: ${'x'.repeat(1025)}`, 'description'],
    ['name: "!!!"\ndescription: d', 'name'],
    ['name: ok\ndescription: d\nprompt: text', 'prompt'],
    ['name: ok\ndescription: d\nprompt: {sytem: x}', 'prompt.sytem'],
    ['name: ok\ndescription: d\nprompt: {system: 1}', 'prompt.system'],
    ['name: ok\ndescription: d\nbudget_tokens: 0', 'budget_tokens'],
    ['name: ok\ndescription: d\nmetadata: [a]', 'metadata'],
    ['name: ok\ndescription: d\nmetadata: {context_rules: "{oops"}', 'metadata.context_rules'],
    [
      'name: ok\ndescription: d\nmetadata: {context_rules: \'{"surrounding": -1}\'}',
      'metadata.context_rules.surrounding',
    ],
  ])('refuses the front matter %j and names the field [skill.parse]', (matter, field) => {
    expect(refusal(() => parseSkill(withMatter(matter)))).toEqual({ code: 'INVALID_ARGUMENT', field });
  });

  it.each([
    ['no fences', 'name: x\n', 'front matter'],
    ['no closing fence', '---\nname: x\n', 'front matter'],
    ['bytes that are not UTF-8', new Uint8Array([45, 45, 45, 10, 0xff, 0xfe, 10, 45, 45, 45]), 'source'],
    ['a huge file', `---\nname: x\n---\n${'a'.repeat(300_000)}`, 'source'],
    ['deep flow maps', `---\n${'{'.repeat(20_000)}\n---\n`, 'front matter'],
    ['deep block lists', `---\n${'- '.repeat(20_000)}x\n---\n`, 'front matter'],
    [
      'thousands of keys',
      `---\n${Array.from({ length: 5000 }, (_, i) => `k${i}: 1`).join('\n')}\n---\n`,
      'front matter',
    ],
    ['thousands of anchors', `---\n${'&a '.repeat(20_000)}\n---\n`, 'front matter'],
    [
      'an alias bomb',
      `---\na: &a [x, x]\n${'bcdefghij'.replace(/./g, (c, i: number) => `${c}: &${c} [*${'abcdefghi'[i]}, *${'abcdefghi'[i]}]\n`)}---\n`,
      'front matter',
    ],
  ])('refuses %s [skill.parse]', (_title, source, field) => {
    expect(refusal(() => parseSkill(source))).toEqual({ code: 'INVALID_ARGUMENT', field });
  });

  it('reads the same skill with CRLF line ends and a byte-order mark [skill.parse]', () => {
    const bytes = new TextEncoder().encode(`\ufeff${seedForm.replaceAll('\n', '\r\n')}`);
    expect(parseSkill(bytes)).toEqual(parseSkill(seedForm));
  });

  it('does not take a path outside the project', () => {
    expect(refusal(() => parseSkill(seedForm, { path: '/home/me/SKILL.md' })).field).toBe('path');
  });

  it('never fails with a stranger’s error, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (matter) => {
        const answer = refusal(() => parseSkill(`---\n${matter}\n---\nbody`));
        return answer.code === 'INVALID_ARGUMENT' || answer.code === 'none';
      }),
    );
  });
});

describe('the JSON of context rules', () => {
  it('is the same bytes whatever the order of the fields [skill.store]', () => {
    const fields = fc.record(
      {
        surrounding: fc.nat(),
        user_preferences: fc.boolean(),
        style_guide: fc.boolean(),
        characters: fc.boolean(),
        outline: fc.boolean(),
        recent_summary: fc.nat(),
        knowledge_graph: fc.boolean(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fields, fc.infiniteStream(fc.nat()), (rules, order) => {
        const ranked = Object.entries(rules).map((entry) => ({ entry, at: order.next().value as number }));
        const shuffled = Object.fromEntries(ranked.sort((a, b) => a.at - b.at).map(({ entry }) => entry));
        const json = contextRulesJson(readContextRules(rules));
        expect(contextRulesJson(readContextRules(shuffled))).toBe(json);
        expect(Object.keys(JSON.parse(json) as object)).toEqual([...contextRuleFields].sort());
        expect(readContextRules(JSON.parse(json))).toEqual(readContextRules(rules));
      }),
    );
  });
});
