// Everything a skill run may draw on: the skill, the scene, the files of the folder, and what the store holds. What the rules do
// not ask for is gathered too, so that the run can say what it saved; when such a source fails nobody needs to know.
import { gather } from '../../core/gather/gather.js';
import { isGalleyError } from '../../core/model/error.js';
import type { Fragment } from '../../core/model/fragment.js';
import type { Rejection } from '../../core/model/verdict.js';
import type { Warning } from '../../core/model/warning.js';
import type { Skill } from '../../skills/skill.js';
import type { SkillOrigin } from '../../skills/skill-registry.js';
import type { Store } from '../../store/store.js';
import { contextRequest } from '../context/context-request.js';
import { deadline } from '../context/deadline.js';
import { readScene } from '../context/read-scene.js';
import { chapterNumber } from '../documents/chapter-number.js';
import { chapterTitle } from '../documents/chapters.js';
import { decodeDocument } from '../documents/decode-document.js';
import { isChapterPath } from '../folder/chapter-files.js';
import { type Material, readMaterial } from '../folder/material.js';
import { readWithin } from '../folder/read-within.js';
import { storeWithMaterial } from '../folder/store-with-material.js';
import { writingSources } from '../layers/gather-layers.js';
import type { LayerBody } from '../layers/layer-body.js';
import type { Scene } from '../layers/scene.js';
import { findSkills } from './find-skills.js';
import { type PassagePlace, passageLines } from './passage-lines.js';
import { habitOf, type SkillHabit } from './skill-habits.js';
import type { SkillPorts } from './skill-ports.js';
import type { SkillRunRequest } from './skill-run-request.js';

export interface GatheredForSkill {
  readonly skill: Skill;
  readonly origin: SkillOrigin;
  readonly habit: SkillHabit;
  readonly scene: Scene;
  readonly material: Material;
  /** For the rules to choose from. */
  readonly fragments: readonly Fragment<LayerBody>[];
  readonly passageLines: ReadonlyMap<string, PassagePlace>;
  readonly warnings: readonly Warning[];
  /** Found, and not to be told yet. */
  readonly untold: readonly Rejection[];
}

const mostSummaries = 50;
const largestDocument = 16 * 1024 * 1024;
const noMaterial: Material = { settings: [], constraints: [], entities: [], warnings: [] };

export async function gatherForSkill(request: SkillRunRequest, ports: SkillPorts): Promise<GatheredForSkill> {
  const { projectId: project, language } = request;
  const { folder, signal } = ports;
  const registry = await findSkills({ store: ports.store, project, folder, language });
  const { skill, origin } = registry.get(request.skillId);
  const habit = habitOf(skill.id);
  const material = folder === undefined ? noMaterial : await readMaterial(folder);
  const store = adapted(storeWithMaterial(ports.store, project, material), habit);
  const notes: Warning[] = [];
  const note = (warning: Warning) => notes.push(warning);
  const scene = await sceneOf(request, store, {
    folder,
    habit,
    surrounding: skill.contextRules.surrounding,
    note,
  });

  const wanted = {
    entities: true,
    relations: true,
    preferences: true,
    styleGuide: true,
    outline: true,
    summaries: Math.max(mostSummaries, skill.contextRules.recent_summary),
    surrounding: skill.contextRules.surrounding,
  };
  const untold: Rejection[] = [];
  const leave = (rejection: Rejection) => untold.push(rejection);
  const sources = writingSources({ store, scene, wanted, entities: [], note, leave }).filter(
    ({ id }) => id !== 'retrieval' || habit.retrieval,
  );
  const needs = sources.map(({ id }) => ({ source: id, query: {}, askedBy: 'skill' }));
  const found = await gather({ plan: { needs }, scope: { project }, sources, signal }, deadline);
  const fragments = found.candidates as readonly Fragment<LayerBody>[];
  const asked = new Set(sources.filter(({ id }) => isAsked(id, skill)).map(({ outage }) => outage.code));
  const mine = registry.warnings.filter(({ details }) => details?.id === skill.id);
  return {
    skill,
    origin,
    habit,
    scene,
    material,
    fragments,
    untold,
    passageLines: await passageLines(store, project, fragments),
    warnings: [
      ...mine,
      ...material.warnings,
      ...found.warnings.filter(({ code }) => asked.has(code)),
      ...notes,
    ],
  };
}

function isAsked(source: string, { id, contextRules: rules }: Skill): boolean {
  switch (source) {
    case 'entities':
      return rules.characters || rules.knowledge_graph || habitOf(id).relations;
    case 'memory':
      return rules.user_preferences;
    case 'settings':
      return rules.user_preferences || rules.style_guide || rules.outline;
    case 'summaries':
      return rules.recent_summary > 0;
    default:
      return true;
  }
}

function adapted(store: Store, { summariesOf }: SkillHabit): Store {
  if (summariesOf === 'document') return store;
  const { summaries } = store;
  return {
    ...store,
    summaries: { ...summaries, recent: (project, limit) => summaries.recent(project, limit) },
  };
}

interface SceneChoice {
  readonly folder: string | undefined;
  readonly habit: SkillHabit;
  readonly surrounding: number;
  readonly note: (warning: Warning) => void;
}

async function sceneOf(
  request: SkillRunRequest,
  store: Store,
  { folder, habit, surrounding, note }: SceneChoice,
): Promise<Scene> {
  const { projectId, documentId, skillId, additionalInput, model } = request;
  const end = Number.MAX_SAFE_INTEGER;
  const cursor = request.cursorPosition;
  const unselected = cursor ?? (habit.unselected === 'cursor' ? end : undefined);
  const selection =
    request.selection ??
    (unselected === undefined ? { start: 0, end } : { start: unselected, end: unselected });
  const text = request.text ?? (await fileText(store, folder, { projectId, documentId, note }));
  const full = contextRequest.parse({
    projectId,
    documentId,
    skillId,
    cursorPosition: selection.end,
    selection,
    ...(text === undefined ? {} : { text }),
    ...(additionalInput === undefined ? {} : { additionalInput }),
    ...(model === undefined ? {} : { model }),
    later: request.later,
  });
  const scene = withTitle(await readScene(full, store, { surrounding, note }));
  if (surrounding > 0) return scene;
  const { start, end: last } = scene.window;
  return { ...scene, window: { from: start, start, end: last, to: last } };
}

/** A text that was never stored may still say which chapter it is. */
function withTitle(scene: Scene): Scene {
  if (scene.chapter !== undefined) return scene;
  const title = chapterTitle(scene.indexed.text.slice(0, 4_000), '');
  return { ...scene, title, chapter: chapterNumber(title) };
}

/** A document that nobody stored may still be a file of the folder. */
async function fileText(
  store: Store,
  folder: string | undefined,
  {
    projectId,
    documentId,
    note,
  }: { projectId: string; documentId: string; note: (warning: Warning) => void },
): Promise<string | undefined> {
  if (folder === undefined || !isChapterPath(documentId)) return undefined;
  try {
    if ((await store.documents.list(projectId)).some(({ id }) => id === documentId)) return undefined;
    const decoded = decodeDocument(
      await readWithin(folder, documentId, { mostBytes: largestDocument }),
      documentId,
    );
    if (decoded.kind === 'text') return decoded.text;
    throw decoded.error;
  } catch (error) {
    if (!isGalleyError(error)) throw error;
    note({ code: 'DOCUMENT_UNAVAILABLE', message: `DOCUMENT_UNAVAILABLE: ${error.message}` });
    return undefined;
  }
}
