// Everything one assembly stands on: the skill and what it asks for, the place in the book, what was found for it, and how much
// room there is. Nothing is weighed against the budget here, and nothing is written.

import type { Warning } from '../../core/model/error.js';
import { isGalleyError } from '../../core/model/error.js';
import type { Fragment } from '../../core/model/fragment.js';
import type { Rejection } from '../../core/model/receipt.js';
import type { Skill } from '../../skills/skill.js';
import type { SkillOrigin } from '../../skills/skill-registry.js';
import type { Store } from '../../store/store.js';
import { decodeDocument } from '../documents/chapters.js';
import { openSecrets, tells } from '../entities/secrets.js';
import { numberingOf } from '../entities/story-numbering.js';
import { isChapterPath } from '../folder/chapter-files.js';
import { type Material, readMaterial } from '../folder/material.js';
import { readWithin } from '../folder/read-within.js';
import { storeWithMaterial } from '../folder/store-with-material.js';
import { type ContextNeeds, needsOf } from '../layers/context-needs.js';
import type { ContextOrder } from '../layers/context-request.js';
import type { LayerBody } from '../layers/layer-fragment.js';
import { itemSource, type LayerItemSource } from '../layers/layer-source.js';
import { type BudgetProfile, defaultBudgetProfile, profileOf } from '../layers/layered-recipe.js';
import { passageDocuments, withRefs } from '../layers/refs.js';
import { readScene, type Scene, storedText } from '../layers/scene.js';
import { budgetFallback, outages } from '../layers/warnings.js';
import type { EmbeddingSource } from '../retrieval/embedding-source.js';
import { gatherLayers } from '../sources/gather-layers.js';
import { readInstruction, readText } from '../sources/read-text.js';
import { type LoadMeter, readMeter, type Weighing } from './context-meter.js';
import { deadline } from './deadline.js';
import { type FoundSkill, findSkill } from './find-skill.js';
import { anchorOf, historyName, type PromptHistory, readHistory } from './prompt-history.js';

export interface ContextPorts {
  readonly store: Store;
  readonly signal: AbortSignal;
  /** At the seams of the work: others that share this process may come first. Never while a source is timed. */
  readonly giveWay?: (() => Promise<void>) | undefined;
  /** Absolute; only when it belongs to the project. Its files stand in for what was once stored of them. */
  readonly folder?: string | undefined;
  /** A skill the caller has found already. */
  readonly found?: FoundSkill | undefined;
  readonly sources?: readonly LayerItemSource[];
  readonly loadMeter?: LoadMeter;
  /** Whether a text tells what must not be known at this point of the story. */
  readonly tellsSecret?: ((text: string) => boolean) | undefined;
  /** Off unless given. */
  readonly embeddings?: EmbeddingSource | undefined;
}

export interface GatheredScene {
  readonly skill: Skill | undefined;
  readonly origin: SkillOrigin | undefined;
  readonly wanted: ContextNeeds;
  readonly scene: Scene;
  /** With the files of the folder in place. */
  readonly store: Store;
  readonly fragments: readonly Fragment<LayerBody>[];
  /** Found, and turned away before anything is weighed. */
  readonly rejections: readonly Rejection[];
  readonly budget: ReadBudget;
  readonly weighing: Weighing;
  readonly history: PromptHistory | undefined;
  readonly historyName: string;
  readonly warnings: readonly Warning[];
}

const noMaterial: Material = {
  ...{ settings: [], constraints: [], entities: [], memory: [], episodes: [], notes: [], warnings: [] },
};
const largestDocument = 16 * 1024 * 1024;

export async function gatherContext(order: ContextOrder, ports: ContextPorts): Promise<GatheredScene> {
  const { signal, folder } = ports;
  const { projectId, skillId, documentId, model = '' } = order;
  const warnings: Warning[] = [];
  const note = (warning: Warning) => warnings.push(warning);
  const found = ports.found ?? (await findSkill(ports.store, order, folder));
  const { skill } = found;
  // Chapters are those of a skill: without one there is nothing to run.
  const format = skill === undefined ? 'layers' : order.format;
  const name = historyName(skillId, model, format);
  const [material, budget, history, weighing] = await Promise.all([
    folder === undefined ? noMaterial : readMaterial(folder),
    readBudget(ports.store, projectId),
    ports.store.lanes.get(projectId, name).then(readHistory, () => {
      note({ code: 'LANE_UNAVAILABLE', message: 'LANE_UNAVAILABLE: 上次请求的记录无法读取' });
      return undefined;
    }),
    readMeter(model, ports.loadMeter),
  ]);
  for (const { warning } of [found, budget, weighing]) if (warning !== undefined) note(warning);
  for (const warning of material.warnings) note(warning);

  const store = withListsReadOnce(
    material === noMaterial ? ports.store : storeWithMaterial(ports.store, projectId, material),
  );
  const wanted = needsOf(skill);
  const text = order.text ?? (await fileText(store, folder, { projectId, documentId, note }));
  const hasHistory = order.layout !== 'exact' && anchorOf(history, documentId) !== undefined;
  const read = await readScene(text === undefined ? order : { ...order, text }, store, {
    surrounding: wanted.surrounding,
    unselected: wanted.unselected,
    goesOn: wanted.unselected === 'cursor' ? { meter: weighing.meter, hasHistory } : undefined,
    note,
  });
  const tellsSecret = ports.tellsSecret ?? (await secretsAt(read, store, note));
  const scene = tellsSecret === undefined ? read : { ...read, tellsSecret };
  const gathered = await gatherLayers(
    { store, scene, wanted, entities: order.entities, embeddings: ports.embeddings, meter: weighing.meter },
    { deadline, signal, sources: (ports.sources ?? []).map((source) => itemSource(source, scene, note)) },
  );
  signal.throwIfAborted();
  return {
    ...{ skill, origin: found.origin, wanted, scene, store, budget, weighing, history, historyName: name },
    fragments:
      format === 'layers'
        ? [
            ...gathered.fragments,
            ...readText(scene),
            ...(order.instruction === 'elsewhere' ? [] : readInstruction(scene)),
          ]
        : await inChapters([...gathered.fragments, ...readText(scene, { selection: 'marked' })], {
            ...{ scene, store, material },
          }),
    rejections: gathered.untold,
    warnings: [...warnings, ...gathered.warnings],
  };
}

/** Cards and chapters are asked for from several places, which must agree whoever writes meanwhile. */
function withListsReadOnce(store: Store): Store {
  const once = <List>(list: (project: string) => Promise<List>) => {
    const asked = new Map<string, Promise<List>>();
    return (project: string) => {
      const answer = asked.get(project) ?? list(project);
      asked.set(project, answer);
      return answer;
    };
  };
  return {
    ...store,
    documents: { ...store.documents, list: once((project) => store.documents.list(project)) },
    entities: { ...store.entities, list: once((project) => store.entities.list(project)) },
  };
}

/** What must not be known yet at this place; undefined where there are no secrets. */
async function secretsAt(
  { project, chapter, entries = [] }: Scene,
  store: Store,
  note: (warning: Warning) => void,
): Promise<((text: string) => boolean) | undefined> {
  const entities = await store.entities.list(project).catch(() => {
    note(outages.entities);
    return [];
  });
  const numbering = numberingOf(entries);
  const secrets = entities.flatMap((entity) => {
    try {
      return openSecrets([entity], chapter, numbering);
    } catch {
      // A row that makes no sense is named where cards are read.
      return [];
    }
  });
  return secrets.length === 0 ? undefined : (text) => tells(text, secrets).length > 0;
}

async function inChapters(
  fragments: readonly Fragment<LayerBody>[],
  { scene, store, material }: { scene: Scene; store: Store; material: Material },
): Promise<readonly Fragment<LayerBody>[]> {
  const texts = new Map<string, Awaited<ReturnType<typeof storedText>>>();
  for (const id of passageDocuments(fragments)) {
    // What is being written replaces what was stored of it.
    if (id === scene.documentId) {
      texts.set(id, scene.indexed);
      continue;
    }
    const entry = scene.entries?.find((each) => each.id === id);
    // A passage without lines is still a passage.
    const text = entry && (await storedText(store, scene.project, entry).catch(() => undefined));
    if (text !== undefined) texts.set(id, text);
  }
  return withRefs(fragments, { scene, material, textOf: (id) => texts.get(id) });
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
    const bytes = await readWithin(folder, documentId, { mostBytes: largestDocument });
    const decoded = decodeDocument(bytes, documentId);
    if (decoded.kind === 'text') return decoded.text;
    throw decoded.error;
  } catch (error) {
    if (!isGalleyError(error)) throw error;
    note({ code: 'DOCUMENT_UNAVAILABLE', message: `DOCUMENT_UNAVAILABLE: ${error.message}` });
    return undefined;
  }
}

// The budget of a project; one that cannot be read is replaced by the default, and the answer says so.
interface ReadBudget {
  readonly profile: BudgetProfile;
  readonly version: number;
  readonly warning?: Warning;
}

async function readBudget(store: Store, project: string): Promise<ReadBudget> {
  const stored = await store.budgets.get(project).catch(() => undefined);
  const profile = stored === undefined ? undefined : profileOf(stored);
  if (stored === undefined || profile === undefined)
    return { profile: defaultBudgetProfile, version: stored?.version ?? 0, warning: budgetFallback };
  return { profile, version: stored.version };
}
