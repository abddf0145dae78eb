// Who has no card yet? Names that stand in many chapters, with the places to read; a model describes them from those if it is asked.
import * as z from 'zod';
import { isGalleyError } from '../core/model/error.js';
import type { RunRecord } from '../models/contract/model.js';
import type { Estimate } from '../review/run/prepare-pages.js';
import { blankFront } from '../writing/documents/front-matter.js';
import type { NameQuote, ProposedPerson } from '../writing/propose/propose-people.js';
import { bookEstimate, bookSpent, bookStore, modelFields } from './book.js';
import { defineOperation, type OperationContext, storeErrors } from './operation.js';
import { inParts, partFields } from './parts.js';
import { answer, count, inferred, named } from './published-schema.js';
import { nameField } from './request-fields.js';
import { runRecords } from './shared-answers.js';

const quote = answer<NameQuote>()(
  named(
    'NameQuote',
    z.strictObject({
      documentId: z.string(),
      title: z.string().describe('of the chapter'),
      line: count.describe('from 1'),
      text: z.string().describe('the sentence it stands in'),
    }),
  ),
);

const person = named(
  'ProposedPerson',
  z.strictObject({
    name: z.string(),
    aliases: z.array(z.string()),
    count: count.describe('how often it stands in the book'),
    chapters: z.array(z.string()).describe('ids of those it stands in'),
    quotes: z.array(quote),
    description: z.string().optional().describe('drafted by the model from sentences of the book'),
  }),
);

type Person = ProposedPerson & { readonly description?: string };

const input = z.strictObject({
  projectId: nameField,
  names: z.array(nameField).max(500).optional().describe('only these, of those that are proposed'),
  minChapters: z.int().min(1).optional().describe('chapters a name stands in at least'),
  minCount: z.int().min(1).default(5).describe('how often a name stands in the book at least'),
  limit: z.int().min(1).max(500).default(30),
  ...modelFields,
  ...partFields,
});

export const entitiesPropose = defineOperation({
  id: 'entities:propose',
  summary:
    'Names that stand in many chapters and have no card, with counts and quotes; described by a model if asked.',
  input,
  inParts: true,
  streams: true,
  example: { projectId: 'novel' },
  output: inParts(
    inferred(
      z.strictObject({
        people: z.array(person).describe('the most frequent first'),
        failed: z
          .array(z.strictObject({ name: z.string(), code: z.string(), message: z.string() }))
          .describe('names the model did not describe; ask again for them'),
        complete: z.boolean(),
        estimate: bookEstimate.optional(),
        spent: bookSpent.optional(),
        runs: runRecords.describe('one for every call'),
      }),
    ),
  ),
  grant: 'read',
  errors: [...storeErrors, 'NOT_FOUND', 'FORBIDDEN', 'MODEL_NOT_CONFIGURED', 'CONFIG_INVALID'],
  run: async ({ dryRun, model, ...asked }, context) => {
    const { store, people } = await proposed(asked, context);
    const runs: RunRecord[] = [];
    if (model === undefined) return { people: people.map(shown), failed: [], complete: true, runs };
    const [{ priced }, { preparePerson }] = await Promise.all([
      import('./priced-model.js'),
      import('../writing/propose/draft-person.js'),
    ]);
    const { projectId } = asked;
    const { ports, keep, ...price } = await priced(model, asked, context);
    const onSent = (receipt: Parameters<typeof keep>[0]) =>
      keep(receipt, { projectId, operation: 'entities:propose' });
    const drafts = await Promise.all(
      people.map((each) => preparePerson(each, { ...ports, store, projectId, onSent })),
    );
    const open = drafts.filter(({ known }) => known === undefined);
    const inputTokens = open.reduce((sum, { sealed }) => sum + sealed.receipt.used.n, 0);
    const estimate: Estimate = price.estimate({ pages: drafts.length, calls: open.length, inputTokens });
    context.onEstimate?.(estimate);
    const described: Person[] = [];
    const failed: { name: string; code: string; message: string }[] = [];
    for (const [index, each] of people.entries()) {
      const draft = drafts[index];
      context.onProgress?.({ stage: 'draft', done: index, total: people.length });
      let description = draft?.known;
      try {
        const written = description === undefined && !dryRun ? await draft?.write() : undefined;
        description ??= written?.text;
        if (written !== undefined) runs.push(written.run);
      } catch (error) {
        if (!isGalleyError(error) || error.code === 'CANCELLED' || context.signal.aborted) throw error;
        failed.push({ name: each.name, code: error.code, message: error.message });
      }
      described.push({ ...shown(each), ...(description === undefined ? {} : { description }) });
    }
    const spent = dryRun ? {} : { spent: price.spent(runs) };
    return { people: described, failed, complete: failed.length === 0, estimate, ...spent, runs };
  },
});

/** As many as people read; a model gets more of them. */
const shownQuotes = 2;
const readQuotes = 12;

const shown = (person: ProposedPerson): ProposedPerson => ({
  ...person,
  quotes: person.quotes.length <= shownQuotes ? person.quotes : spread(person.quotes),
});

const spread = (quotes: readonly NameQuote[]): NameQuote[] =>
  [quotes[0], quotes[Math.floor(quotes.length / 2)]].filter((each) => each !== undefined);

async function proposed(
  {
    projectId,
    names,
    minChapters,
    minCount,
    limit,
  }: Pick<z.output<typeof input>, 'projectId' | 'names' | 'minChapters' | 'minCount' | 'limit'>,
  context: OperationContext,
) {
  const { proposePeople } = await import('../writing/propose/propose-people.js');
  const { store } = await bookStore(context, projectId);
  const entries = await store.documents.list(projectId);
  const chapters = [];
  for (const { id, title } of entries)
    chapters.push({ id, title, text: blankFront((await store.documents.get(projectId, id)).text) });
  const entities = await store.entities.list(projectId);
  const people = proposePeople(chapters, {
    known: new Set(entities.flatMap(({ name, aliases }) => [name, ...aliases])),
    minChapters: minChapters ?? Math.min(3, Math.max(1, chapters.length)),
    ...{ minCount, limit, quotes: readQuotes },
  });
  return { store, people: people.filter(({ name }) => names?.includes(name) ?? true) };
}
