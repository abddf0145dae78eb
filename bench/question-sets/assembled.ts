// What context:assemble offers for a question: a store with every paragraph as a document, cut and indexed as documents are,
// and the question as what the writer says. Passages come back best first, with the words they would be shown in.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStoreAt } from '../../src/store/place/open-store.js';
import { setContext } from '../../src/writing/context/set-context.js';
import { contextRequest } from '../../src/writing/layers/context-request.js';
import { indexDocument } from '../../src/writing/retrieval/follow-documents.js';
import type { CollectionStatistics } from '../../src/writing/retrieval/query.js';
import { termsOf } from '../../src/writing/retrieval/terms.js';

const project = 'questions';

export interface OfferedPassage {
  readonly paragraph: number;
  readonly text: string;
}

export interface AssembledSearch {
  /** `scene` is the text before the cursor. */
  offered(question: string, scene?: string): Promise<readonly OfferedPassage[]>;
  /** Of the terms of these questions. */
  statistics(questions: readonly string[]): Promise<CollectionStatistics>;
  close(): Promise<void>;
}

/** In a SQLite file of its own, unless told where. */
export async function assembledSearch(
  paragraphs: readonly string[],
  path?: string,
): Promise<AssembledSearch> {
  const folder = await mkdtemp(join(tmpdir(), 'galley-questions-'));
  const store = await openStoreAt({ path: path ?? join(folder, 'galley.db'), now: () => 0 });
  for (const [index, text] of paragraphs.entries())
    await store.documents.put(project, { id: `${index}`, text, title: '', order: index });
  for (const entry of await store.documents.list(project)) await indexDocument(store, project, entry);
  const { signal } = new AbortController();
  return {
    async offered(question, scene = '') {
      const request = contextRequest.parse({
        projectId: project,
        documentId: 'live',
        text: scene,
        cursorPosition: scene.length,
        skillId: '',
        additionalInput: question,
        layout: 'exact',
      });
      const { fragments } = await setContext(request, { store, signal });
      return fragments
        .filter(({ layer }) => layer === 'retrieved')
        .sort((a, b) => b.rank - a.rank)
        .map(({ id, levels }) => {
          const body = levels[0]?.body;
          const paragraph = Number(id.slice(id.indexOf(':') + 1, id.lastIndexOf('#')));
          return { paragraph, text: body?.kind === 'titled' ? body.text : '' };
        });
    },
    async statistics(questions) {
      const { chunks, averageTerms, frequencies } = await store.chunks.statistics(
        project,
        termsOf(questions.join('\n')),
      );
      return {
        documents: chunks,
        averageLength: averageTerms,
        frequencyOf: (term) => frequencies.get(term.toLowerCase()) ?? 0,
      };
    },
    async close() {
      await store.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
