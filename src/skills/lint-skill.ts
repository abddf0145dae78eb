// What is wrong with a skill file (errors: it cannot run), and what would other readers stumble over (advice)?
import { isGalleyError } from '../core/model/error.js';
import { splitFrontMatter } from './front-matter.js';
import { parseSkill } from './parse-skill.js';
import { placeholdersOf, templateFields } from './render-template.js';
import type { Skill } from './skill.js';
import { ownFields, publicFields, publicName, readSkillText } from './skill-limits.js';

export interface SkillIssue {
  readonly severity: 'error' | 'advice';
  readonly field: string;
  readonly message: string;
}

export function lintSkill(
  source: string | Uint8Array,
  options: { path?: string } = {},
): readonly SkillIssue[] {
  let skill: Skill;
  try {
    skill = parseSkill(source, options);
  } catch (error) {
    if (!isGalleyError(error)) throw error;
    return [{ severity: 'error', field: String(error.details?.field ?? 'source'), message: error.message }];
  }
  return [...placeholderIssues(skill), ...portabilityAdvice(skill, source)];
}

function placeholderIssues(skill: Skill): readonly SkillIssue[] {
  const { system, user } = skill.prompt;
  const inSystem = skill.form === 'template' ? placeholdersOf(system) : [];
  const inUser = placeholdersOf(user);
  const named = [
    ...inSystem.map((name) => ({ field: 'prompt.system', name })),
    ...inUser.map((name) => ({ field: 'prompt.user', name })),
  ];
  const issues: SkillIssue[] = named
    .filter(({ name }) => !templateFields.includes(name))
    .map(({ field, name }) => ({
      severity: 'error',
      field,
      message: `{{${name}}} is not known; use ${templateFields.map((known) => `{{${known}}}`).join(' or ')}.`,
    }));
  if (inSystem.includes('text')) {
    issues.push(
      advice(
        'prompt.system',
        '{{text}} in the system text changes it on every run and defeats prompt caches.',
      ),
    );
  } else if (!inUser.includes('text')) {
    issues.push(
      advice('prompt.user', 'it never mentions {{text}}; the text will be appended after an empty line.'),
    );
  }
  return issues;
}

function portabilityAdvice(skill: Skill, source: string | Uint8Array): readonly SkillIssue[] {
  const { text, byteOrderMark } = readSkillText(source);
  const { fields } = splitFrontMatter(text);
  const issues: SkillIssue[] = [];
  if (byteOrderMark) issues.push(advice('source', 'some readers refuse a byte-order mark; save without it.'));
  if (skill.description === '') {
    issues.push(
      advice('description', 'is missing; readers choose a skill by it, and some refuse a file without one.'),
    );
  }
  if (!publicName.test(skill.name)) {
    issues.push(advice('name', 'the public format wants lowercase letters, digits and single hyphens.'));
  } else if (skill.path !== undefined && /\/skill\.md$/i.test(skill.path) && skill.id !== skill.name) {
    issues.push(advice('name', 'the public format wants the name of the folder.'));
  }
  for (const field of fields.keys()) {
    if (publicFields.has(field)) continue;
    const known = ownFields.has(field);
    if (field === 'context_rules') {
      issues.push(
        advice(
          field,
          'strict public readers refuse this field; the same JSON under metadata.context_rules works too.',
        ),
      );
    } else if (!known) {
      issues.push(advice(field, 'this field is not read; check its spelling.'));
    }
  }
  return issues;
}

function advice(field: string, message: string): SkillIssue {
  return { severity: 'advice', field, message: `${field}: ${message}` };
}
