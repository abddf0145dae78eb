// The rules a text must not break: list, create, update, delete, and judge a text by them. What judges is loaded when it is asked to.
import * as z from 'zod';
import { GalleyError } from '../core/model/error.js';
import { textField } from '../core/model/input.js';
import type { Model } from '../models/contract/model.js';
import type { Constraint } from '../store/tables/constraints.js';
import { projectFolder } from '../writing/folder/project-folder.js';
import type { JudgedText } from '../writing/judge/judge-project.js';
import type { ModelJudgement } from '../writing/judge/model-judge.js';
import { defineOperation, type OperationContext, storeErrors } from './operation.js';
import { inParts, partFields } from './parts.js';
import { listedStore, projectStore } from './project-store.js';
import { answer, count, inferred, named } from './published-schema.js';
import { itemRequest, modelTimeouts, nameField, projectRequest, proseField } from './request-fields.js';
import { deleted, receipt, runRecords, warnings } from './shared-answers.js';

const constraintKind = z.enum(['narrative', 'character', 'world', 'style', 'plot']);
const constraintOrigin = z.enum(['user', 'knowledge', 'memory', 'project']);

const constraint = answer<Constraint>()(
  named(
    'Constraint',
    z.strictObject({
      id: z.string(),
      kind: constraintKind,
      origin: constraintOrigin,
      priority: z.int().describe('higher stands first'),
      pinned: z.boolean(),
      text: z.string(),
      version: count,
    }),
  ),
);

const constraintText = proseField(20_000);

export const constraintsList = defineOperation({
  id: 'constraints:list',
  summary: 'Lists the constraints of a project, highest priority first.',
  input: projectRequest.extend(partFields),
  inParts: true,
  example: { projectId: 'novel' },
  output: inParts(inferred(z.strictObject({ constraints: z.array(constraint) }))),
  grant: 'read',
  errors: storeErrors,
  run: async ({ projectId }, context) => ({
    constraints: await (await listedStore(context, projectId)).constraints.list(projectId),
  }),
});

export const constraintsCreate = defineOperation({
  id: 'constraints:create',
  summary:
    'Adds a constraint to a project, which holds at most 500; the same words of the same kind are there once.',
  input: z.strictObject({
    projectId: nameField,
    id: nameField.optional(),
    text: constraintText,
    kind: constraintKind,
    origin: constraintOrigin.default('user'),
    priority: z.int().default(0),
    pinned: z.boolean().default(false),
  }),
  example: { projectId: 'novel', id: 'no-shouting', text: 'No exclamation marks.', kind: 'style' },
  output: constraint,
  grant: 'write',
  errors: [...storeErrors, 'CONTEXT_LIMIT_EXCEEDED', 'ALREADY_EXISTS', 'FILE_UNREADABLE'],
  run: async ({ projectId, id, ...draft }, context) => {
    const { constraints } = await projectStore(context, projectId);
    const rows = await constraints.list(projectId);
    const twin = rows.find(({ kind, text }) => kind === draft.kind && text.trim() === draft.text.trim());
    if (twin !== undefined) throw alreadyThere(twin.id);
    return constraints.create(projectId, { ...draft, ...(id === undefined ? {} : { id }) });
  },
});

function alreadyThere(id: string): GalleyError {
  const message = 'This constraint is there already, with the same words and kind; change that one.';
  return new GalleyError('ALREADY_EXISTS', message, { details: { kind: 'constraint', field: 'text', id } });
}

export const constraintsUpdate = defineOperation({
  id: 'constraints:update',
  summary: 'Changes fields of a constraint; fields left out keep their value.',
  input: itemRequest.extend({
    text: constraintText.optional(),
    kind: constraintKind.optional(),
    origin: constraintOrigin.optional(),
    priority: z.int().optional(),
    pinned: z.boolean().optional(),
  }),
  example: { projectId: 'novel', id: 'no-shouting', pinned: true },
  output: constraint,
  grant: 'write',
  errors: [...storeErrors, 'NOT_FOUND', 'ALREADY_EXISTS', 'FILE_UNREADABLE'],
  run: async ({ projectId, id, ...change }, context) => {
    const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    return (await projectStore(context, projectId)).constraints.update(projectId, id, given);
  },
});

export const constraintsDelete = defineOperation({
  id: 'constraints:delete',
  summary: 'Deletes a constraint of a project.',
  input: itemRequest,
  example: { projectId: 'novel', id: 'no-shouting' },
  output: deleted,
  grant: 'write',
  errors: [...storeErrors, 'NOT_FOUND', 'FILE_UNREADABLE'],
  run: async ({ projectId, id }, context) => {
    await (await projectStore(context, projectId)).constraints.delete(projectId, id);
    return { id, deleted: true as const };
  },
});

export const checkKind = z.enum([
  'forbidden-punctuation',
  'forbidden-words',
  'narrative-person',
  'name-variants',
  'early-fact',
  'length',
  'model',
]);

const broken = named(
  'BrokenConstraint',
  z.strictObject({
    constraintId: z.string(),
    check: checkKind,
    start: count.describe('in code points'),
    end: count,
    evidence: z.string().describe('the text between start and end'),
    message: z.string(),
  }),
);

export const judgement = {
  findings: z.array(broken),
  unchecked: z.array(z.string()).describe('ids of constraints that no check covers'),
};

/** No findings is a valid answer, and the author has the last word. */
export const constraintsJudge = defineOperation({
  id: 'constraints:judge',
  summary:
    'Says which constraints a text breaks, where, with the words as evidence, and which cannot be checked.',
  input: z.strictObject({
    projectId: nameField,
    text: textField(),
    /** Place in the story, for what may not be known yet. */
    chapter: z.int().min(1).optional(),
    documentId: nameField.optional(),
    /** Reads what no check covers, and needs the grant to run models; without one that stays unchecked. */
    model: textField(200).optional(),
    ...modelTimeouts,
  }),
  example: { projectId: 'novel', text: 'She ran!' },
  output: answer<JudgedText & Partial<Omit<ModelJudgement, 'findings'>>>()(
    z.strictObject({
      ...judgement,
      warnings: warnings.optional().describe('of the model judge'),
      runs: runRecords.optional().describe('one for every call of the model judge'),
      receipts: z.array(receipt).optional().describe('of what the model judge was sent'),
    }),
  ),
  grant: 'read',
  errors: [...storeErrors, 'FORBIDDEN', 'MODEL_NOT_CONFIGURED', 'CONFIG_INVALID'],
  remembers: ({ input: { projectId, documentId, model }, answer: done }) =>
    model === undefined ? undefined : { projectId, documentId, model, runs: done?.runs ?? [] },
  run: async ({ projectId, text, chapter, documentId, model: wanted, ...limits }, context) => {
    const model = wanted === undefined ? undefined : await judgingModel(wanted, context);
    const { judgeMaterial, judgeText } = await import('../writing/judge/judge-project.js');
    const stored = await context.store();
    const folder = await projectFolder(stored, projectId, context.folder);
    const material = await judgeMaterial(stored, folder, { projectId, documentId, chapter });
    const judged = judgeText(text, material);
    if (model === undefined) return judged;
    const [{ judgeByModel }, { keepReceipt }] = await Promise.all([
      import('../writing/judge/model-judge.js'),
      import('./receipts.js'),
    ]);
    const open = material.constraints.filter(({ id }) => judged.unchecked.includes(id));
    const { timeoutMs: totalMs, firstByteTimeoutMs } = limits;
    const read = await judgeByModel(text, open, {
      ...{ model, signal: context.signal, catalog: await context.prices?.() },
      timeouts: { totalMs, firstByteMs: Math.min(totalMs, firstByteTimeoutMs) },
    });
    const { warnings, runs, receipts } = read;
    for (const receipt of receipts) {
      const kept = { projectId, operation: 'constraints:judge', receipt, summary: { model: model.id } };
      await keepReceipt(kept, context);
    }
    const isWhole = !warnings.some(({ code }) => code === 'JUDGE_UNAVAILABLE' || code === 'JUDGE_PARTIAL');
    return {
      findings: [...judged.findings, ...read.findings],
      unchecked: isWhole ? [] : judged.unchecked,
      ...{ warnings, runs, receipts },
    };
  },
});

/** Reading costs nothing; asking a model does. */
function judgingModel(name: string, context: OperationContext): Promise<Model> {
  if (!context.grants.has('run'))
    throw new GalleyError('FORBIDDEN', 'To judge with a model needs the grant "run".');
  return context.model(name);
}
