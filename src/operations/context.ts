// The context of a writing task: assembled, inspected layer by layer, and the budget it is held to. What assembles is loaded when it
// is asked to.
import * as z from 'zod';
import { costOf, rowFor } from '../models/catalog/catalog.js';
import type { ContextAssembleResult, ContextReceipt } from '../writing/context/context-result.js';
import type { ContextInspectResult } from '../writing/context/inspect-context.js';
import { projectFolder } from '../writing/folder/project-folder.js';
import { type CheckedContextRequest, contextRequest } from '../writing/layers/context-request.js';
import {
  type BudgetProfile,
  budgetFields,
  defaultBudgetProfile,
  profileOf,
  sharesFit,
} from '../writing/layers/layered-recipe.js';
import { usualAnswer } from '../writing/skill-run/run-outlook.js';
import { defineOperation, type OperationContext, storeErrors } from './operation.js';
import { listedStore, projectStore } from './project-store.js';
import { answer, count, inferred, named } from './published-schema.js';
import { nameField, projectRequest } from './request-fields.js';
import { breakpoint, receiptObject, verdict, warningMessages } from './shared-answers.js';

const outcome = named('LayerOutcome', z.strictObject({ tokens: count, truncated: z.boolean() }));

const inspected = named(
  'InspectedLayer',
  outcome.extend({
    text: z.string().describe('as it stands in the prompt'),
    items: z.array(
      named(
        'InspectedItem',
        z.strictObject({
          id: z.string(),
          source: z.string(),
          section: z.string(),
          tokenCount: count,
          verdict,
          reason: z.string(),
          text: z.string(),
          levels: z
            .array(z.string())
            .optional()
            .describe('it can stand at, fullest first; where there is more than one'),
        }),
      ),
    ),
  }),
);

const found = { chunks: count.describe('passages that were found and kept') };

function layersOf<Layer extends z.ZodType, Retrieved extends z.ZodType>(layer: Layer, retrieved: Retrieved) {
  return z.strictObject({ rules: layer, settings: layer, retrieved, immediate: layer });
}

export const layerOutcomesAnswer = layersOf(outcome, outcome.extend(found));

export const cacheOutlookAnswer = named(
  'CacheOutlook',
  z.strictObject({
    breakpoints: z.array(breakpoint),
    cacheable: z.boolean().describe('the prefix is large enough for the provider to cache'),
    minimumTokens: count,
    prefixTokens: count,
    provider: z.string(),
    profiles: z.string().describe('version of the table of providers'),
  }),
);

export const contextReceipt = answer<ContextReceipt>()(
  named(
    'ContextReceipt',
    receiptObject.extend({
      lane: z
        .strictObject({
          digest: z.string().optional().describe('of the history; absent on the first request'),
          used: z.boolean().describe('the history had a say in this answer'),
          withheld: count.describe('fragments not offered, so that the prompt stays steady'),
          window: z.string().optional().describe('how the text around the cursor moved since'),
        })
        .describe('what earlier requests of the same project, skill and model have to do with it'),
      stablePrefixHash: z.string(),
    }),
  ),
);

const shared = {
  prompt: z.string(),
  system: z.string().describe('the system text that goes with it; empty where there is none'),
  tokenCount: count,
  stablePrefixHash: z.string(),
  stablePrefixUnchanged: z.boolean(),
  warnings: warningMessages,
  budget: z.strictObject({ total: count.describe('tokens for the whole text'), version: count }),
  cache: cacheOutlookAnswer,
  prefixChange: z
    .strictObject({ fragment: z.string(), reason: z.enum(['added', 'removed', 'changed', 'moved']) })
    .optional()
    .describe('why the prefix is not the one of the request before'),
  receipt: contextReceipt,
};

const mostDollars = z
  .number()
  .optional()
  .describe('what a run costs at most, in the format of chapters; absent when no price is known');

export const contextAssemble = defineOperation({
  id: 'context:assemble',
  summary:
    'Sets the context of a writing task: Rules, Settings, Retrieved, Immediate, within the budget of the project.',
  input: contextRequest,
  example: { projectId: 'novel', documentId: 'chapter-1', cursorPosition: 24, skillId: 'continue' },
  output: answer<ContextAssembleResult & { readonly mostDollars?: number }>()(
    z.strictObject({
      layers: layerOutcomesAnswer,
      receiptId: z.string().optional().describe('under which the receipt was stored'),
      mostDollars,
      ...shared,
    }),
  ),
  grant: 'read',
  errors: [
    ...storeErrors,
    'CONTEXT_BUDGET_INFEASIBLE',
    'CONTEXT_INPUT_TOO_LARGE',
    'CONTEXT_SCOPE_VIOLATION',
    'CONTEXT_BACKPRESSURE',
  ],
  run: async (request, context) => {
    const [{ assembleContext }, { readAhead }] = await Promise.all([
      import('../writing/context/assemble-context.js'),
      import('../writing/context/read-ahead.js'),
    ]);
    const { signal, log } = context;
    const set = await assembleContext(request, {
      ...{ signal, log },
      open: () => portsOf(request, context),
      around: async (work) => {
        const store = await context.store();
        return store.together(work, () => readAhead(store, request));
      },
    });
    return priced(set, request, context);
  },
});

export const contextInspect = defineOperation({
  id: 'context:inspect',
  summary: 'Shows every layer of a context with its text and tokens; debug mode and authorised callers only.',
  input: contextRequest,
  // The grant "inspect" is checked inside, so that the refusal has the code callers know.
  example: { projectId: 'novel', documentId: 'chapter-1', cursorPosition: 24, skillId: 'continue' },
  output: answer<ContextInspectResult & { readonly mostDollars?: number }>()(
    z.strictObject({ layers: layersOf(inspected, inspected.extend(found)), mostDollars, ...shared }),
  ),
  grant: 'read',
  errors: [
    ...storeErrors,
    'CONTEXT_INSPECT_FORBIDDEN',
    'CONTEXT_BUDGET_INFEASIBLE',
    'CONTEXT_INPUT_TOO_LARGE',
    'CONTEXT_SCOPE_VIOLATION',
    'CONTEXT_BACKPRESSURE',
  ],
  run: async (request, context) => {
    const { checkMayInspect, inspectContext } = await import('../writing/context/inspect-context.js');
    checkMayInspect({ debug: context.debug, authorised: context.grants.has('inspect') });
    return priced(await inspectContext(request, await portsOf(request, context)), request, context);
  },
});

async function priced<Set extends { readonly tokenCount: number }>(
  set: Set,
  request: CheckedContextRequest,
  context: OperationContext,
): Promise<Set & { readonly mostDollars?: number }> {
  const most = request.format === 'layers' ? undefined : await mostCost(request, set.tokenCount, context);
  return { ...set, ...(most === undefined ? {} : { mostDollars: most }) };
}

/** Of one call with the longest answer the model gives. */
async function mostCost(
  { model: named }: CheckedContextRequest,
  inputTokens: number,
  context: OperationContext,
): Promise<number | undefined> {
  const model = named ?? (await context.model().catch(() => undefined))?.id;
  if (model === undefined) return undefined;
  const catalog = await context.prices?.();
  const outputTokens = rowFor(model, catalog)?.mostOutput ?? usualAnswer;
  return costOf({ inputTokens, outputTokens }, model, catalog)?.dollars;
}

/** Where an assembly reads from. What shows the prompt of a run reads the files of the folder as the run does. */
async function portsOf({ projectId, format }: CheckedContextRequest, context: OperationContext) {
  const { signal, log, giveWay } = context;
  const store = await projectStore(context, projectId);
  const folder = format === 'layers' ? undefined : await projectFolder(store, projectId, context.folder);
  return { store, folder, signal, log, giveWay, embeddings: await context.embeddings?.() };
}

export const versionedBudget = inferred(
  named('Budget', z.strictObject({ version: count.describe('0 while nobody changed it'), ...budgetFields })),
);

const answerOf = (version: number, { window, outputReserve, layers }: BudgetProfile) => ({
  version,
  window,
  outputReserve,
  layers,
});

export const contextBudgetGet = defineOperation({
  id: 'context:budget:get',
  summary: 'Gives the budget of a project with its version.',
  input: projectRequest,
  example: { projectId: 'novel' },
  output: versionedBudget,
  grant: 'read',
  errors: storeErrors,
  run: async ({ projectId }, context) => {
    const stored = await (await listedStore(context, projectId)).budgets.get(projectId);
    return answerOf(stored.version, profileOf(stored) ?? defaultBudgetProfile);
  },
});

export const contextBudgetUpdate = defineOperation({
  id: 'context:budget:update',
  // A stale version is refused and changes nothing.
  summary: 'Replaces the budget of a project; the version must be the one that was read.',
  input: z
    .strictObject({
      projectId: nameField,
      version: z.int().nonnegative().describe('the one that was read'),
      ...budgetFields,
    })
    .refine(({ window, outputReserve }) => window > outputReserve, {
      error: 'must be smaller than the window',
      path: ['outputReserve'],
    })
    .refine(sharesFit, { error: 'must have shares that sum to at most 1', path: ['layers'] }),
  example: { projectId: 'novel', version: 0, ...defaultBudgetProfile },
  output: versionedBudget,
  grant: 'write',
  errors: [...storeErrors, 'CONTEXT_BUDGET_CONFLICT', 'FILE_UNREADABLE'],
  run: async ({ projectId, version, ...profile }, context) => {
    const store = await projectStore(context, projectId);
    const stored = await store.budgets.update(projectId, version, profile);
    return answerOf(stored.version, profile);
  },
});
