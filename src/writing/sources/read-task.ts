// Who the model is and what it is to do. Neither ever yields: without them, or without its text, a run would be pointless.
import type { Fragment } from '../../core/model/fragment.js';
import { placeholdersOf, renderPrompt, templateFields } from '../../skills/render-template.js';
import type { Skill } from '../../skills/skill.js';
import { type LayerBody, layerFragment } from '../layers/layer-fragment.js';
import type { LayeredWords } from '../layers/layered-words.js';
import { rowRef } from '../layers/refs.js';
import type { Scene } from '../layers/scene.js';

export interface SkillTask {
  readonly skill: Skill;
  readonly scene: Scene;
  readonly words: LayeredWords;
  readonly fence: string;
}

export function readTask({ skill, scene, words, fence }: SkillTask): Fragment<LayerBody>[] {
  const { project, indexed, window, instruction } = scene;
  const selected = indexed.text.slice(window.start, window.end).trimEnd();
  // What was selected is the book's, wherever a template puts it.
  const text =
    selected.trim() === ''
      ? ''
      : [words.fence('open', fence), selected, words.fence('close', fence)].join('\n');
  const { system, user } = renderPrompt(skill, { text, instruction });
  const asksForWish = [skill.prompt.system, skill.prompt.user].some((template) =>
    placeholdersOf(template).includes(templateFields[1] ?? ''),
  );
  const wish = asksForWish ? '' : instruction.trim();
  const ref = skill.path === undefined ? rowRef('skills', skill.id) : { path: skill.path };
  const pinned = (
    id: string,
    said: string,
    place: Pick<Parameters<typeof layerFragment>[1], 'layer' | 'section' | 'position' | 'source' | 'ref'>,
  ) => {
    if (said === '') return [];
    return [
      layerFragment(project, { id, rank: 0, pinned: true, body: { kind: 'passage', text: said }, ...place }),
    ];
  };
  // What a skill says the same way each time stands before the book, where a provider keeps it; something is always asked last.
  const isLasting =
    (skill.form !== 'template' || placeholdersOf(skill.prompt.system).length === 0) &&
    (user.trim() !== '' || wish !== '');
  const task = { layer: 'immediate', section: 'task', source: 'skill' } as const;
  return [
    ...pinned('identity', words.identity, {
      layer: 'rules',
      section: 'identity',
      position: 0,
      source: 'galley',
    }),
    ...pinned('task:skill', system.trim(), {
      ...task,
      ...(isLasting ? { section: 'skill' } : {}),
      position: 0,
      ref,
    }),
    ...pinned('task:text', user.trimEnd(), { ...task, position: 1 }),
    ...pinned('task:wish', wish === '' ? '' : words.wish(wish), { ...task, position: 2 }),
  ];
}
