// What do the templates say for this text? One pass: what is put in is never read as a template again.

import type { Skill, SkillPrompt } from './skill.js';
import { invalidField } from './skill-limits.js';

/** `text` is the selection, `instruction` the caller's extra wish (empty when there is none). */
export const templateFields: readonly string[] = ['text', 'instruction'];

const placeholder = /\{\{\s*([^{}]*?)\s*\}\}/g;

export function placeholdersOf(template: string): readonly string[] {
  return [...new Set(Array.from(template.matchAll(placeholder), (match) => match[1]!))];
}

export function renderTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(placeholder, (_whole, name: string) => {
    if (Object.hasOwn(values, name)) return values[name]!;
    throw invalidField(
      `template {{${name}}}`,
      `unknown placeholder; known are ${Object.keys(values).join(', ') || 'none'}.`,
    );
  });
}

/** Text that no template asks for is appended to the user text after an empty line: a skill never runs without its text. */
export function renderPrompt(
  skill: Pick<Skill, 'form' | 'prompt'>,
  values: Readonly<Record<string, string>> & { readonly text: string },
): SkillPrompt {
  const { system, user } = skill.prompt;
  const isTemplate = skill.form === 'template';
  const asked =
    placeholdersOf(user).includes('text') || (isTemplate && placeholdersOf(system).includes('text'));
  const rendered = renderTemplate(user, values);
  return {
    system: isTemplate ? renderTemplate(system, values) : system,
    user: asked ? rendered : `${rendered}\n\n${values.text}`,
  };
}
