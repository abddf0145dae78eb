// Runs a skill. With `dryRun` it answers with the two texts a model would get, and their receipt.
import { z } from 'zod';
import { GalleyError } from '../core/model/error.js';
import { takingTurns } from '../writing/context/assemble-context.js';
import { contextRequest } from '../writing/context/context-request.js';
import { followOwnFolder } from '../writing/folder/follow-folder.js';
import { projectFolder } from '../writing/folder/project-folder.js';
import { assembleSkill } from '../writing/skill-run/assemble-skill.js';
import { recordDryRun } from '../writing/skill-run/record-run.js';
import { skillRunRequest } from '../writing/skill-run/skill-run-request.js';
import { defineOperation } from './operation.js';
import { storeErrors } from './store-errors.js';

export const aiSkillRun = defineOperation({
  id: 'ai:skill:run',
  summary: 'Sets the prompt of a skill from what its context rules ask for; with dryRun it only shows it.',
  input: skillRunRequest.extend({ dryRun: z.boolean().default(false) }),
  grant: 'run',
  errors: [
    ...storeErrors,
    'NOT_FOUND',
    'MODEL_NOT_CONFIGURED',
    'CONTEXT_BUDGET_INFEASIBLE',
    'CONTEXT_INPUT_TOO_LARGE',
    'CONTEXT_SCOPE_VIOLATION',
    'CONTEXT_BACKPRESSURE',
  ],
  run: async ({ dryRun, ...request }, context) => {
    if (!dryRun) {
      throw new GalleyError(
        'MODEL_NOT_CONFIGURED',
        'No model is configured; ask with dryRun: true to see what would be sent, or configure a model first.',
      );
    }
    const { signal, log } = context;
    const store = await context.store();
    const startedAt = context.now();
    const { projectId, skillId, documentId } = request;
    const folder = await projectFolder(store, projectId, context.folder);
    const followed = folder === undefined ? [] : await followOwnFolder(store, projectId, folder);
    const turn = contextRequest.parse({ projectId, skillId, documentId, cursorPosition: 0 });
    const assembled = await takingTurns(turn, { store, signal, log }, () =>
      assembleSkill(request, { store, folder, signal }),
    );
    const runId = await recordDryRun(store, { request, assembled }, { startedAt, endedAt: context.now() });
    return {
      ...assembled,
      dryRun,
      ...(runId === undefined ? {} : { runId }),
      warnings: [
        ...assembled.warnings,
        ...followed.map(({ message }) => message),
        ...(runId === undefined ? ['RUN_NOT_RECORDED: the store did not take the record of this run.'] : []),
      ],
    };
  },
});
