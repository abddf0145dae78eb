// The prompt of context:assemble itself, for a question on a page that was just begun, with a given number of tokens left for passages.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../../src/store/sqlite/open-store.js';
import type { Store } from '../../src/store/store.js';
import { type SetContext, setContext } from '../../src/writing/context/set-context.js';
import { contextRequest } from '../../src/writing/layers/context-request.js';
import { defaultBudgetProfile } from '../../src/writing/layers/layered-recipe.js';
import { indexDocument } from '../../src/writing/retrieval/follow-documents.js';

const outputReserve = 2_000;
/** Something stands on the page, as it does for a writer, so that the marks around the book are there with and without passages. */
const page = '#';

export interface PromptedSearch {
  /** The whole prompt when this many tokens are left beside everything that is no passage. */
  prompt(question: string, room: number): Promise<string>;
  close(): Promise<void>;
}

export async function promptedSearch(paragraphs: readonly string[]): Promise<PromptedSearch> {
  const folder = await mkdtemp(join(tmpdir(), 'galley-room-'));
  const opened = await openStore({ path: join(folder, 'galley.db'), now: () => 0 });
  let profile = defaultBudgetProfile;
  const budgets: Store['budgets'] = { ...opened.budgets, get: async () => ({ version: 1, value: profile }) };
  const store: Store = { ...opened, budgets };
  for (const [index, text] of paragraphs.entries())
    await store.documents.put('questions', { id: `${index}`, text, title: '', order: index });
  for (const entry of await store.documents.list('questions')) await indexDocument(store, 'questions', entry);
  const { signal } = new AbortController();
  const set = (projectId: string, question: string, total: number): Promise<SetContext> => {
    profile = { ...defaultBudgetProfile, window: total + outputReserve, outputReserve };
    const place = { projectId, documentId: 'live', text: page, cursorPosition: page.length, skillId: '' };
    const request = { ...place, additionalInput: question, layout: 'exact' };
    return setContext(contextRequest.parse(request), { store, signal });
  };
  return {
    async prompt(question, room) {
      const { sealed } = await set('nothing', question, 100_000);
      return (await set('questions', question, sealed.receipt.used.n + room)).sealed.prompt;
    },
    async close() {
      await opened.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
