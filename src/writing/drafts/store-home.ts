// Drafts and history of a project without a folder: the same through the store. Processes meet at the document itself, which is
// replaced only where it is what it was.
import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { isGalleyError } from '../../core/model/error.js';
import { hashText } from '../../meters/content-hash.js';
import type { Store } from '../../store/store.js';
import { indexDocument } from '../retrieval/follow-documents.js';
import { encoded, storedText } from './chapter-text.js';
import type { Draft } from './draft.js';
import { changedMeanwhile, type DraftHome, stateLost } from './home.js';
import { readLog } from './steps.js';

const storedDraft: z.ZodType<Draft> = z.object({
  name: z.string(),
  number: z.int(),
  documentId: z.string(),
  skillId: z.string(),
  model: z.string(),
  createdAt: z.number(),
  start: z.int().nonnegative(),
  end: z.int().nonnegative(),
  base: z.string(),
  isDiscarded: z.boolean(),
  variantOf: z.int().exactOptional(),
  runId: z.string().exactOptional(),
  text: z.string(),
});

/** Changes of one store and project wait for each other. */
const queues = new WeakMap<Store, Map<string, Promise<unknown>>>();

export function storeHome(store: Store, project: string): DraftHome {
  return {
    exclusively: (work) => {
      const own = queues.get(store) ?? new Map<string, Promise<unknown>>();
      queues.set(store, own);
      const turn = (own.get(project) ?? Promise.resolve()).then(work);
      own.set(
        project,
        turn.catch(() => undefined),
      );
      return turn;
    },
    readChapter: async (id) => {
      const document = await store.documents.find(project, id);
      return document === undefined ? undefined : encoded(document.text);
    },
    writeChapter: async (id, bytes, was) => {
      const { text } = storedText(bytes);
      const isThere = (await store.documents.find(project, id)) !== undefined;
      if (was === undefined && isThere) throw changedMeanwhile(id);
      const replaces = was === undefined ? {} : { replaces: was };
      await indexDocument(store, project, await store.documents.put(project, { id, text, ...replaces }));
    },
    textOf: (bytes) => storedText(bytes),
    keep: (bytes) => store.snapshots.keep(project, storedText(bytes).text),
    kept: async (hash) => {
      const text = await store.snapshots.get(project, hash).catch((error: unknown) => {
        if (isGalleyError(error) && error.code === 'NOT_FOUND') throw stateLost(hash);
        throw error;
      });
      if (hashText(text) !== hash) throw stateLost(hash);
      return encoded(text);
    },
    log: async () => readLog(await store.snapshots.steps(project)),
    note: (entry) => store.snapshots.addStep(project, entry),
    drafts: async () => {
      const found = (await store.drafts.list(project)).map((value) => storedDraft.safeParse(value));
      return found.flatMap(({ data }) => data ?? []).sort((left, right) => left.number - right.number);
    },
    putDraft: (draft) => store.drafts.put(project, draft.name, draft),
    newId: () => randomUUID(),
  };
}
