// Of everything that was gathered, what do the rules ask for, in which chapter does it stand, and where is it from?
import type { Fragment } from '../../core/model/fragment.js';
import type { Ref } from '../../core/model/ref.js';
import type { ContextRules } from '../../skills/context-rules.js';
import { chapterNumber } from '../documents/chapter-number.js';
import type { Material } from '../folder/material.js';
import type { LayerBody } from '../layers/layer-body.js';
import { backgroundBond } from '../layers/read-entities.js';
import type { Scene } from '../layers/scene.js';
import type { ChapterBody } from './chapter-body.js';
import type { ChapterId } from './chaptered-recipe.js';
import { outlineExcerpt } from './outline-excerpt.js';
import type { PassagePlace } from './passage-lines.js';
import { documentRef, rowRef } from './record-ref.js';
import type { SkillHabit } from './skill-habits.js';

export interface ChapterChoice {
  readonly rules: ContextRules;
  readonly habit: Pick<SkillHabit, 'retrieval' | 'relations'>;
  readonly scene: Scene;
  readonly material: Pick<Material, 'settings'>;
  readonly passageLines: ReadonlyMap<string, PassagePlace>;
}

export function chapterFragments(
  gathered: readonly Fragment<LayerBody>[],
  choice: ChapterChoice,
): Fragment<ChapterBody>[] {
  const chosen = gathered.flatMap((fragment) => placed(fragment, choice));
  const summaries = chosen
    .filter(({ section }) => section === 'summaries')
    .sort((a, b) => b.position - a.position);
  const surplus = new Set(summaries.slice(choice.rules.recent_summary));
  return [...chosen.filter((fragment) => !surplus.has(fragment)), ...origins(chosen, choice.scene.project)];
}

function placed(fragment: Fragment<LayerBody>, choice: ChapterChoice): Fragment<ChapterBody>[] {
  const { rules, scene, material, habit } = choice;
  const as = (
    section: ChapterId,
    ref: Ref,
    change: Partial<Fragment<ChapterBody>> = {},
  ): Fragment<ChapterBody>[] => [{ ...fragment, section, ref, ...change }];
  const rowId = fragment.id.slice(fragment.id.indexOf(':') + 1);
  switch (fragment.section) {
    case 'constraints':
      return as('constraints', rowRef('constraints', rowId));
    case 'preferences': {
      if (!rules.user_preferences) return [];
      if (fragment.id.startsWith('memory:')) return as('preferences', rowRef('memory', rowId));
      return as('preferences', settingRef(rowId, material), asPassage(fragment));
    }
    case 'style-guide':
      return rules.style_guide ? as('style-guide', settingRef(rowId, material)) : [];
    case 'outline':
      return rules.outline ? as('outline', ...excerpt(fragment, scene, settingRef(rowId, material))) : [];
    case 'entities':
    case 'relevant-entities':
      return entityChapter(fragment, choice, as);
    case 'summaries':
      return rules.recent_summary > 0 ? as('summaries', rowRef('summaries', rowId)) : [];
    case 'retrieved':
      return habit.retrieval ? as('retrieved', passageRef(fragment.id, choice)) : [];
    default:
      return [];
  }
}

type As = (section: ChapterId, ref: Ref, change?: Partial<Fragment<ChapterBody>>) => Fragment<ChapterBody>[];

/** Cards are Rules; evidence from the graph is material beside them, and only about who is named. */
function entityChapter(
  fragment: Fragment<LayerBody>,
  { rules, habit }: ChapterChoice,
  as: As,
): Fragment<ChapterBody>[] {
  const body = fragment.levels[0]?.body;
  const id = fragment.id.slice(fragment.id.indexOf(':') + 1);
  if (body?.kind === 'relation') {
    if (!rules.knowledge_graph && !habit.relations) return [];
    const owner = id.slice(0, id.lastIndexOf(':'));
    return as('evidence', entityRef(owner, body.from), { layer: 'settings', rank: 1 });
  }
  if (body?.kind !== 'entity') return [];
  const ref = entityRef(id, body.name);
  if (rules.characters) return as(fragment.section === 'entities' ? 'characters' : 'evidence', ref);
  if (!rules.knowledge_graph || fragment.bond === backgroundBond) return [];
  return as('evidence', ref, { layer: 'settings', rank: 1 });
}

function entityRef(id: string, name: string): Ref {
  const byFile = rowRef('entities', id);
  return byFile.path.startsWith('entities/') ? rowRef('entities', name) : byFile;
}

function passageRef(id: string, { passageLines }: ChapterChoice): Ref {
  const place = passageLines.get(id);
  if (place !== undefined) return documentRef(place.documentId, place.lines);
  return documentRef(id.slice(id.indexOf(':') + 1, id.lastIndexOf('#')));
}

function settingRef(key: string, { settings }: Pick<Material, 'settings'>): Ref {
  return { path: settings.find((file) => file.key === key)?.path ?? `settings/${key}` };
}

function asPassage(fragment: Fragment<LayerBody>): Partial<Fragment<ChapterBody>> {
  const body = fragment.levels[0]?.body;
  return body?.kind === 'note'
    ? { levels: [{ name: 'whole', body: { kind: 'passage', text: body.text } }] }
    : {};
}

function excerpt(
  fragment: Fragment<LayerBody>,
  { title, chapter }: Scene,
  ref: Ref,
): [Ref, Partial<Fragment<ChapterBody>>] {
  const body = fragment.levels[0]?.body;
  if (body?.kind !== 'passage') return [ref, {}];
  const { text, lines } = outlineExcerpt(body.text, chapterNumber(title) ?? chapter);
  const level = { name: lines === undefined ? 'whole' : 'excerpt', body: { kind: 'passage' as const, text } };
  return [lines === undefined ? ref : { ...ref, lines }, { levels: [level] }];
}

/** One line below the constraints says where they come from; the receipt has a ref for each. */
function origins(chosen: readonly Fragment<ChapterBody>[], project: string): Fragment<ChapterBody>[] {
  const constraints = chosen.filter(({ section }) => section === 'constraints');
  const paths = constraints
    .map(({ ref }) => ref?.path ?? '')
    .map((path) => (path.startsWith('.') ? path : 'constraints'));
  if (paths.length === 0) return [];
  return [
    {
      id: 'constraints:origins',
      source: 'constraints',
      scope: { project },
      layer: 'rules',
      section: 'constraints',
      rank: 0,
      position: Number.MAX_SAFE_INTEGER,
      pinned: true,
      levels: [{ name: 'whole', body: { kind: 'origins', paths: [...new Set(paths)] } }],
    },
  ];
}
