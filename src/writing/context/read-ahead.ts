// What an assembly will ask its store for, known before it begins: a store that is far away answers all of it in one round trip.
import type { Store } from '../../store/store.js';
import type { ContextOrder } from '../layers/context-request.js';
import { historyName } from './prompt-history.js';

export function readAhead(
  store: Store,
  { projectId, skillId, model = '', format }: ContextOrder,
): readonly Promise<unknown>[] {
  const isPlain = skillId === '';
  return [
    store.projects.get(projectId),
    store.budgets.get(projectId),
    // A skill that is not found has another history, which is then asked for on its own.
    store.lanes.get(projectId, historyName(skillId, model, isPlain ? 'layers' : format)),
    ...(isPlain ? [] : [store.skills.find(skillId, projectId)]),
    store.documents.list(projectId),
    store.entities.list(projectId),
    store.constraints.list(projectId),
    store.memory.list(projectId, { confirmed: true }),
    store.settings.list(projectId),
    store.chunks.indexedDocuments(projectId),
  ];
}
