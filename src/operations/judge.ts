// Checks a text against the constraints of its project. No findings is a valid answer, and the author has the last word.
import * as z from 'zod';
import { GalleyError } from '../core/model/error.js';
import { textField } from '../core/model/input.js';
import type { Model } from '../models/contract/model.js';
import { projectFolder } from '../writing/folder/project-folder.js';
import { judgeMaterial, judgeText } from '../writing/judge/judge-project.js';
import { judgeByModel } from '../writing/judge/model-judge.js';
import { judgedText } from './answers/judged-text.js';
import { keepReceipt } from './keep-receipt.js';
import { defineOperation, type OperationContext } from './operation.js';
import { storeErrors } from './store-errors.js';
import { nameField } from './writing-fields.js';

const milliseconds = z.int().min(1).max(86_400_000);

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
    timeoutMs: milliseconds.default(600_000),
    firstByteTimeoutMs: milliseconds.default(120_000),
  }),
  output: judgedText,
  grant: 'read',
  errors: [...storeErrors, 'FORBIDDEN', 'MODEL_NOT_CONFIGURED', 'CONFIG_INVALID'],
  run: async ({ projectId, text, chapter, documentId, model: wanted, ...limits }, context) => {
    const model = wanted === undefined ? undefined : await judgingModel(wanted, context);
    const stored = await context.store();
    const folder = await projectFolder(stored, projectId, context.folder);
    const material = await judgeMaterial(stored, folder, { projectId, documentId, chapter });
    const judged = judgeText(text, material);
    if (model === undefined) return judged;
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
