// Who the model is and what it is to do. Neither ever yields: without them, or without its text, a run would be pointless.
import type { Fragment } from '../../core/model/fragment.js';
import { placeholdersOf, renderPrompt, templateFields } from '../../skills/render-template.js';
import type { Skill } from '../../skills/skill.js';
import type { ChapterBody } from './chapter-body.js';
import type { ChapterId } from './chaptered-recipe.js';
import type { ChapteredWords } from './chaptered-words.js';
import { rowRef } from './record-ref.js';

export interface SkillTask {
  readonly project: string;
  readonly skill: Skill;
  readonly text: string;
  readonly instruction: string;
  readonly words: ChapteredWords;
}

export function taskFragments(asked: SkillTask): Fragment<ChapterBody>[] {
  const { project, skill, text, instruction, words } = asked;
  const { system, user } = renderPrompt(skill, { text, instruction });
  const asksForWish = [skill.prompt.system, skill.prompt.user].some((template) =>
    placeholdersOf(template).includes(templateFields[1] ?? ''),
  );
  const wish = asksForWish ? '' : instruction.trim();
  const ref = skill.path === undefined ? rowRef('skills', skill.id) : { path: skill.path };
  const piece = (
    id: string,
    place: { layer: string; section: ChapterId; position: number },
    said: string,
  ) => ({
    id,
    source: id === 'identity' ? 'galley' : 'skill',
    scope: { project },
    rank: 0,
    pinned: true,
    levels: [{ name: 'whole', body: { kind: 'passage' as const, text: said } }],
    ...place,
  });
  const task = (id: string, position: number, said: string) =>
    said === '' ? [] : [piece(id, { layer: 'immediate', section: 'task', position }, said)];
  return [
    piece('identity', { layer: 'rules', section: 'identity', position: 0 }, words.identity),
    ...task('task:skill', 0, system.trim()).map((fragment) => ({ ...fragment, ref })),
    ...task('task:text', 1, user.trimEnd()),
    ...task('task:wish', 2, wish === '' ? '' : words.wish(wish)),
  ];
}
