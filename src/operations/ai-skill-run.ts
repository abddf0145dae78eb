// Runs a skill: sets its prompt, has a model write, judges the text, and keeps a record without a word of it. With `dryRun` it
// answers with the two texts a model would get, and their receipt.
import * as z from 'zod';
import { toGalleyError } from '../core/model/error.js';
import { textField } from '../core/model/input.js';
import { hashText } from '../meters/content-hash.js';
import { takingTurns } from '../writing/context/assemble-context.js';
import { contextRequest } from '../writing/context/context-request.js';
import { followOwnFolder } from '../writing/folder/follow-folder.js';
import { projectFolder } from '../writing/folder/project-folder.js';
import { type AssembledSkill, assembleSkill } from '../writing/skill-run/assemble-skill.js';
import { findSkills } from '../writing/skill-run/find-skills.js';
import { judgeMaterial } from '../writing/skill-run/judge-material.js';
import { type RunEnding, recordRun } from '../writing/skill-run/record-run.js';
import { runSkill } from '../writing/skill-run/run-skill.js';
import { type SkillRunRequest, skillRunRequest } from '../writing/skill-run/skill-run-request.js';
import { skillRun } from './answers/skill-run.js';
import { modelErrors } from './model-errors.js';
import { defineOperation, type OperationContext } from './operation.js';
import { storeErrors } from './store-errors.js';

const milliseconds = z.int().min(1).max(86_400_000);
const defaultTotalMs = 600_000;
const defaultFirstByteMs = 120_000;

const input = skillRunRequest.extend({
  dryRun: z.boolean().default(false),
  /** How often a text that breaks constraints is written again; 0 only says what it breaks. */
  rewrites: z.int().min(0).max(5).default(1),
  /** Judges what no check covers. */
  judgeModel: textField(200).optional(),
  timeoutMs: milliseconds.default(defaultTotalMs),
  firstByteTimeoutMs: milliseconds.default(defaultFirstByteMs),
});

export const aiSkillRun = defineOperation({
  id: 'ai:skill:run',
  summary:
    'Sets the prompt of a skill from what its context rules ask for, has a model write, and judges the text; with dryRun it only shows the prompt.',
  input,
  output: skillRun,
  grant: 'run',
  errors: [
    ...storeErrors,
    'NOT_FOUND',
    ...modelErrors,
    'CONFIG_INVALID',
    'COST_CEILING_REACHED',
    'CONTEXT_BUDGET_INFEASIBLE',
    'CONTEXT_INPUT_TOO_LARGE',
    'CONTEXT_SCOPE_VIOLATION',
    'CONTEXT_BACKPRESSURE',
  ],
  run: async (asked, context) => {
    const { dryRun, rewrites, judgeModel, timeoutMs, firstByteTimeoutMs, ...rest } = asked;
    const startedAt = context.now();
    const model = dryRun ? undefined : await context.model(rest.model);
    const request: SkillRunRequest = model === undefined ? rest : { ...rest, model: model.id };
    const workplace = await openWorkplace(request, context);
    const record = (assembled: AssembledSkill, ending: RunEnding) =>
      recordRun(workplace.store, { request, assembled, ending }, { startedAt, endedAt: context.now() });
    const recorded = (warnings: readonly string[], runId: string | undefined) => ({
      ...(runId === undefined ? {} : { runId }),
      warnings: [
        ...warnings,
        ...workplace.warnings,
        ...(runId === undefined ? ['RUN_NOT_RECORDED: the store did not take the record of this run.'] : []),
      ],
    });

    if (model === undefined) {
      const assembled = await workplace.assemble();
      const runId = await record(assembled, { kind: 'dry-run' });
      return { ...assembled, dryRun: true as const, ...recorded(assembled.warnings, runId) };
    }

    let last: AssembledSkill | undefined;
    try {
      const run = await runSkill(
        {
          model,
          catalog: await context.prices?.(),
          judgeModel: judgeModel === undefined ? undefined : await context.model(judgeModel),
          material: await workplace.material(),
          timeouts: { totalMs: timeoutMs, firstByteMs: Math.min(timeoutMs, firstByteTimeoutMs) },
          signal: context.signal,
          assemble: async (correction) => {
            last = await workplace.assemble(correction);
            return last;
          },
          onText: context.onText,
          onDraft: (draft) => context.onProgress?.({ stage: 'draft', done: draft, total: rewrites + 1 }),
        },
        { rewrites, language: request.language },
      );
      const { drafts, runs, findings, unchecked } = run;
      const { text, finish, model: name = model.id } = run.answer;
      const { assembled } = run;
      const { systemPrompt: _, userContent: __, ...facts } = assembled;
      const warnings = [...facts.warnings, ...run.warnings.map(({ message }) => message)];
      const written = { answerHash: hashText(text), drafts, findings: findings.length, runs };
      const runId = await record(assembled, { kind: 'written', facts: written });
      const said = { text, finish, model: name, findings, unchecked, drafts, runs, ...facts };
      return { ...said, dryRun: false as const, ...recorded(warnings, runId) };
    } catch (error) {
      if (last !== undefined) await record(last, { kind: 'failed', code: toGalleyError(error).code });
      throw error;
    }
  },
});

/** What a run stands on: the store abreast of the folder, and prompts set in turn with others of the same document. */
async function openWorkplace(request: SkillRunRequest, context: OperationContext) {
  const { signal, log } = context;
  const { projectId, skillId, documentId, language } = request;
  const store = await context.store();
  const folder = await projectFolder(store, projectId, context.folder);
  const followed = folder === undefined ? [] : await followOwnFolder(store, projectId, folder);
  const turn = contextRequest.parse({ projectId, skillId, documentId, cursorPosition: 0 });
  return {
    store,
    warnings: followed.map(({ message }) => message),
    material: async () => {
      const { skill } = (await findSkills({ store, project: projectId, folder, language })).get(skillId);
      const material = await judgeMaterial(store, folder, { projectId, documentId });
      return { ...material, output: skill.output };
    },
    assemble: (correction?: string) => {
      const said = [request.additionalInput, correction].filter((words) => words !== undefined).join('\n\n');
      const whole = said === '' ? request : { ...request, additionalInput: said };
      return takingTurns(turn, { store, signal, log }, () => assembleSkill(whole, { store, folder, signal }));
    },
  };
}
