// Texts that skills wrote and that wait for the author: list and read them piece by piece, change them, put them into the chapter,
// discard them, and take the last change back.
import * as z from 'zod';
import { isGalleyError } from '../core/model/error.js';
import { textLength } from '../writing/documents/text-length.js';
import {
  applyDraft,
  discardDraft,
  findDraft,
  rewriteDraft,
  standingOf,
} from '../writing/drafts/apply-draft.js';
import { look } from '../writing/drafts/change-chapter.js';
import { appliedPieces, type Draft, type DraftState, stateOf } from '../writing/drafts/draft.js';
import { type DraftHomes, draftHomes } from '../writing/drafts/draft-homes.js';
import { undoLast } from '../writing/drafts/history.js';
import { placeOf } from '../writing/drafts/pieces.js';
import type { Step } from '../writing/drafts/steps.js';
import { followOwnFolder } from '../writing/folder/follow-folder.js';
import { defineOperation, type OperationContext, storeErrors } from './operation.js';
import { inParts, partFields } from './parts.js';
import { projectStore } from './project-store.js';
import { count, inferred, named, timestamp } from './published-schema.js';
import { nameField, projectRequest, proseField } from './request-fields.js';
import { aiSkillAccept } from './skill-accept.js';

/** How whoever reads a chapter may refuse, and whoever changes one. */
export const chapterErrors = [...storeErrors, 'NOT_FOUND', 'FILE_UNREADABLE'] as const;
export const changeErrors = [...chapterErrors, 'CHANGED_MEANWHILE'] as const;

const called = nameField.describe('its name or its number');
const draftRequest = z.strictObject({ projectId: nameField, draft: called });
const pieceNumbers = z.array(z.int().positive());

const draftFacts = named(
  'Draft',
  z.strictObject({
    draft: z.string().describe('its name'),
    number: count,
    documentId: z.string(),
    skillId: z.string(),
    model: z.string(),
    createdAt: timestamp,
    state: z.enum(['open', 'partly applied', 'applied', 'discarded']),
    words: count,
    variantOf: count.optional().describe('the number of the first draft of the same run'),
    runId: z.string().optional(),
  }),
);

const factsOf = (draft: Draft, state: DraftState) => ({
  draft: draft.name,
  number: draft.number,
  documentId: draft.documentId,
  skillId: draft.skillId,
  model: draft.model,
  createdAt: draft.createdAt,
  state,
  words: textLength(draft.text).words,
  ...(draft.variantOf === undefined ? {} : { variantOf: draft.variantOf }),
  ...(draft.runId === undefined ? {} : { runId: draft.runId }),
});

export async function homesOf(projectId: string, context: OperationContext): Promise<DraftHomes> {
  return draftHomes(await context.store(), projectId, context.folder);
}

export const draftsList = defineOperation({
  id: 'drafts:list',
  summary: 'Lists the drafts of a project in the order they were written, without their texts.',
  input: projectRequest.extend({ documentId: nameField.optional(), ...partFields }),
  inParts: true,
  example: { projectId: 'novel' },
  output: inParts(inferred(z.strictObject({ drafts: z.array(draftFacts) }))),
  grant: 'read',
  errors: storeErrors,
  run: async ({ projectId, documentId }, context) => {
    const drafts: z.output<typeof draftFacts>[] = [];
    for (const home of (await homesOf(projectId, context)).all) {
      await look(home);
      const { steps } = await home.log();
      const found = (await home.drafts()).filter(
        (draft) => documentId === undefined || draft.documentId === documentId,
      );
      drafts.push(...found.map((draft) => factsOf(draft, stateOf(draft, appliedPieces(draft, steps)))));
    }
    return { drafts };
  },
});

export const draftsGet = defineOperation({
  id: 'drafts:get',
  summary: 'Gives a draft with its text and what it would change, in numbered pieces.',
  input: draftRequest,
  example: { projectId: 'novel', draft: '1' },
  output: inferred(
    draftFacts.extend({
      text: z.string(),
      isStale: z.boolean().describe('whether the chapter was edited since'),
      pieces: z.array(
        z.strictObject({
          piece: z.int().positive().describe('its number'),
          before: z.string().describe('what it replaces; empty where it is put in'),
          after: z.string(),
          line: count.describe('in the chapter the draft was made from, from 1 on'),
          paragraph: count.describe('likewise'),
          isApplied: z.boolean(),
        }),
      ),
    }),
  ),
  grant: 'read',
  errors: chapterErrors,
  run: async ({ projectId, draft: name }, context) => {
    const home = await (await homesOf(projectId, context)).ofDraft(name);
    await look(home);
    const draft = await findDraft(home, name);
    const { pieces, applied, state, base } = await standingOf(home, draft, (await home.log()).steps);
    const bytes = await home.readChapter(draft.documentId);
    const now = bytes === undefined ? undefined : home.textOf(bytes, draft.documentId).text;
    return {
      ...factsOf(draft, state),
      text: draft.text,
      isStale: now !== base,
      pieces: pieces.map(({ number, before, text, start }) => ({
        piece: number,
        before,
        after: text,
        ...placeOf(base, start),
        isApplied: applied.has(number),
      })),
    };
  },
});

export const draftsUpdate = defineOperation({
  id: 'drafts:update',
  summary: "Puts the author's words in place of a draft's; its pieces are counted anew.",
  input: draftRequest.extend({ text: proseField() }),
  example: { projectId: 'novel', draft: '1', text: 'The room behind it was empty.' },
  output: inferred(z.strictObject({ draft: z.string() })),
  grant: 'write',
  errors: [...storeErrors, 'NOT_FOUND'],
  run: async ({ projectId, draft, text }, context) => {
    const home = await (await homesOf(projectId, context)).ofDraft(draft);
    return { draft: (await rewriteDraft(home, draft, text)).name };
  },
});

export const draftsApply = defineOperation({
  id: 'drafts:apply',
  summary:
    'Writes a draft into its chapter, whole or in pieces; a chapter edited meanwhile is merged, or refused where the same place was edited.',
  input: draftRequest.extend({
    pieces: pieceNumbers.min(1).max(10_000).optional().describe('by number; all when left out'),
    keepVariants: z.boolean().default(false).describe('other drafts of the same run stay open'),
  }),
  example: { projectId: 'novel', draft: '1', pieces: [1, 3] },
  output: inferred(
    z.strictObject({
      draft: z.string(),
      documentId: z.string(),
      applied: pieceNumbers.describe('pieces that were put in now'),
      remaining: pieceNumbers.describe('pieces that can still be applied'),
      isMerged: z.boolean().describe('whether the chapter had been edited elsewhere meanwhile'),
      discarded: z.array(z.string()).describe('drafts of the same run'),
    }),
  ),
  grant: 'write',
  errors: [...changeErrors, 'ALREADY_EXISTS'],
  run: async ({ projectId, draft: name, pieces, keepVariants }, context) => {
    const home = await (await homesOf(projectId, context)).ofDraft(name);
    const options = { pieces, keepVariants, at: context.now() };
    const { draft, applied, remaining, isMerged, discarded, taken } = await applyDraft(home, name, options);
    await afterChange(projectId, context);
    await remember(projectId, draft, { taken, context });
    return { draft: draft.name, documentId: draft.documentId, applied, remaining, isMerged, discarded };
  },
});

export const draftsDiscard = defineOperation({
  id: 'drafts:discard',
  summary: 'Puts a draft aside; its text is kept and can still be applied by name.',
  input: draftRequest,
  example: { projectId: 'novel', draft: '1' },
  output: inferred(z.strictObject({ draft: z.string(), discarded: z.literal(true) })),
  grant: 'write',
  errors: [...storeErrors, 'NOT_FOUND'],
  run: async ({ projectId, draft }, context) => {
    const home = await (await homesOf(projectId, context)).ofDraft(draft);
    return { draft: (await discardDraft(home, draft)).name, discarded: true as const };
  },
});

export const draftsUndo = defineOperation({
  id: 'drafts:undo',
  summary:
    'Takes back the last draft that was applied or version that was restored; again for the one before.',
  input: projectRequest.extend({ documentId: nameField.optional() }),
  example: { projectId: 'novel', documentId: 'chapter-1' },
  output: inferred(
    z.strictObject({
      documentId: z.string(),
      undone: z.enum(['apply', 'restore']),
      draft: z.string().optional().describe('that can be applied again'),
      isMerged: z.boolean().describe('whether edits made since were kept'),
      reopened: z.array(z.string()).describe('drafts of the same run that were put aside with it'),
    }),
  ),
  grant: 'write',
  errors: changeErrors,
  run: async ({ projectId, documentId }, context) => {
    const homes = await homesOf(projectId, context);
    const home = documentId === undefined ? await lastChanged(homes) : homes.ofDocument(documentId);
    const undone = await undoLast(home, { documentId, at: context.now() });
    await afterChange(projectId, context);
    await forget(projectId, undone.step, { home, context });
    const { kind, draft } = undone.step;
    return {
      documentId: undone.documentId,
      undone: kind === 'restore' ? ('restore' as const) : ('apply' as const),
      ...(draft === undefined ? {} : { draft }),
      isMerged: undone.isMerged,
      reopened: [...undone.reopened],
    };
  },
});

/** The home in which something happened last. */
async function lastChanged({ all }: DraftHomes) {
  let [last] = all;
  let newest = -1;
  for (const home of all) {
    const at = (await home.log()).steps.at(-1)?.at ?? -1;
    if (at > newest) [last, newest] = [home, at];
  }
  return last as NonNullable<typeof last>;
}

/** What reads the store sees the chapter as it is now. */
export async function afterChange(projectId: string, context: OperationContext): Promise<void> {
  await followOwnFolder(await context.store(), projectId, context.folder);
}

/** The author took it: an episode for later runs. Taking the rest of a draft changes nothing about that. */
async function remember(
  projectId: string,
  { runId }: Draft,
  { taken, context }: { readonly taken: string; readonly context: OperationContext },
): Promise<void> {
  if (runId === undefined || taken.trim() === '') return;
  try {
    await aiSkillAccept.run({ projectId, runId, text: taken }, context);
  } catch (error) {
    // The chapter has the words whatever becomes of the note about them.
    if (!isGalleyError(error)) throw error;
    if (error.code !== 'ALREADY_EXISTS')
      context.log({ level: 'warning', event: 'EPISODE_NOT_STORED', details: { code: error.code } });
  }
}

/** What was taken back is no episode, once nothing of the draft is left in the chapter. */
async function forget(
  projectId: string,
  { draft: name }: Step,
  { home, context }: { readonly home: DraftHomes['all'][number]; readonly context: OperationContext },
): Promise<void> {
  if (name === undefined) return;
  try {
    const draft = await findDraft(home, name);
    const { numbers } = appliedPieces(draft, (await home.log()).steps);
    if (draft.runId === undefined || numbers.size > 0) return;
    await (await projectStore(context, projectId)).summaries.delete(projectId, draft.runId);
  } catch (error) {
    if (!isGalleyError(error)) throw error;
  }
}
