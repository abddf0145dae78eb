// Which constraints of a project does a text break? The deterministic half; what only a model or a person can judge is named.
import type { SkillOutput } from '../../skills/skill.js';
import type { Store } from '../../store/store.js';
import type { Constraint } from '../../store/tables/constraints.js';
import type { Entity as StoredEntity } from '../../store/tables/entities.js';
import { blankFront } from '../documents/front-matter.js';
import { storyPlaces } from '../documents/story-places.js';
import { datedEntity, type StoryEntity } from '../entities/entity.js';
import { numberingOf } from '../entities/story-numbering.js';
import { readMaterial } from '../folder/material.js';
import { storeWithMaterial } from '../folder/store-with-material.js';
import type { Check, JudgeFinding } from './check.js';
import { compileConstraint, compileEntityChecks, judge } from './judge.js';

export interface JudgedText {
  readonly findings: readonly JudgeFinding[];
  /** Constraints that no deterministic check covers. */
  readonly unchecked: readonly string[];
}

export interface JudgeMaterial {
  readonly constraints: readonly Constraint[];
  readonly entities: readonly StoredEntity[];
  readonly chapter?: number | undefined;
  /** A report speaks about prose and quotes it; no constraint is about its own words. */
  readonly output?: SkillOutput;
  /** The text is a piece of a chapter: how long a whole text must be says nothing about it. */
  readonly isPiece?: boolean;
}

export function judgeText(text: string, material: JudgeMaterial): JudgedText {
  const { entities, chapter, isPiece = false, output = 'prose' } = material;
  const constraints = withoutTwins(material.constraints);
  if (output === 'report') return { findings: [], unchecked: constraints.map(({ id }) => id) };
  const known = entities.map(asJudged);
  const unchecked: string[] = [];
  const checks: Check[] = constraints.flatMap((constraint) => {
    const found = compileConstraint(constraint);
    if (found.length === 0) unchecked.push(constraint.id);
    return found;
  });
  const language = /\p{sc=Han}/u.test(text) ? 'zh' : 'en';
  checks.push(...compileEntityChecks(known, language));
  const apt = isPiece ? checks.filter((check) => !isOfWholeText(check)) : checks;
  return { findings: judge(blankFront(text), apt, { entities: known, chapter }), unchecked };
}

/** Said twice, a rule is still broken once. */
function withoutTwins(constraints: readonly Constraint[]): readonly Constraint[] {
  const said = new Set<string>();
  return constraints.filter(({ kind, text }) => {
    const rule = JSON.stringify([kind, text.trim()]);
    return !said.has(rule) && said.add(rule);
  });
}

function isOfWholeText({ rule }: Check): boolean {
  return rule.kind === 'length' && rule.each === 'text';
}

const leading = /主角|主人公|protagonist|narrator|叙述者/iu;

function asJudged({ id, name, aliases, kind, facts, secrets, relations }: StoredEntity): StoryEntity {
  return {
    id,
    name,
    aliases,
    ...(leading.test(kind) ? { role: 'protagonist' } : {}),
    facts: [...facts, ...secrets.map(({ text, hiddenUntil }) => ({ text, secretUntil: hiddenUntil }))],
    relations: relations.map(({ to, label }) => ({ to, kind: label })),
  };
}

// What a text of a project is judged against: its constraints and entities, those in the folder among them, and its place in
// the story.
interface JudgedPlace {
  readonly projectId: string;
  readonly documentId?: string | undefined;
  /** Wins over the one the document's title tells. */
  readonly chapter?: number | undefined;
}

export async function judgeMaterial(
  stored: Store,
  folder: string | undefined,
  { projectId, documentId, chapter }: JudgedPlace,
): Promise<JudgeMaterial> {
  const store =
    folder === undefined ? stored : storeWithMaterial(stored, projectId, await readMaterial(folder));
  const [constraints, entities, entries] = await Promise.all([
    store.constraints.list(projectId),
    store.entities.list(projectId),
    store.documents.list(projectId),
  ]);
  const numbering = numberingOf(entries);
  const dated = entities.map((entity) => datedEntity(entity, numbering).entity);
  const place = documentId === undefined ? undefined : storyPlaces(entries).get(documentId);
  return { constraints, entities: dated, chapter: chapter ?? place };
}
