import { describe, expect, it } from 'vitest';
import { builtInSources } from './built-in/built-in-skills.js';
import { lintSkill } from './lint-skill.js';

const found = (source: string, path?: string) =>
  lintSkill(source, path === undefined ? {} : { path }).map((issue) => `${issue.severity} ${issue.field}`);

describe('the check of a skill file', () => {
  it('says nothing about a public skill file that keeps the rules', () => {
    const source =
      '---\nname: tidy-notes\ndescription: Tidies.\nmetadata:\n  context_rules: "{}"\n---\nTidy.\n';
    expect(found(source, '.claude/skills/tidy-notes/SKILL.md')).toEqual([]);
  });

  it('reports what the parser refuses as an error with its field', () => {
    expect(
      found('---\nname: x\ncontext_rules: {surrounding: -1}\nprompt: {user: "{{text}}"}\n---\n'),
    ).toEqual(['error context_rules.surrounding']);
  });

  it('reports unknown placeholders as errors', () => {
    const source =
      '---\nname: x\ndescription: d\nprompt: {system: "{{tone}}", user: "{{text}} {{titel}}"}\n---\n';
    expect(found(source)).toEqual(['error prompt.system', 'error prompt.user']);
  });

  it('advises on what other readers refuse or ignore', () => {
    const source =
      '\ufeff---\nname: 润色\ncontext_rule: {}\ncontext_rules: {}\nprompt: {system: s, user: u}\n---\n';
    expect(found(source)).toEqual([
      'advice prompt.user',
      'advice source',
      'advice description',
      'advice name',
      'advice context_rule',
      'advice context_rules',
    ]);
  });

  it('advises against a name that is not the folder’s', () => {
    const source = '---\nname: tidy\ndescription: Tidies.\n---\nTidy.\n';
    expect(found(source, '.agents/skills/notes/SKILL.md')).toEqual(['advice name']);
  });

  const sources = [...Object.entries(builtInSources.zh), ...Object.entries(builtInSources.en)];
  it.each(sources)('finds no error in the built-in skill %s', (_id, source) => {
    expect(lintSkill(source).filter((issue) => issue.severity === 'error')).toEqual([]);
  });
});
