// The type of every operation by its id, for callers on the other side of a channel. Types only: nothing is loaded by it.
import type { z } from 'zod';
import type { agentsAssemble } from '../../operations/agents-assemble.js';
import type { agentsRun } from '../../operations/agents-run.js';
import type { aiSkillAccept } from '../../operations/ai-skill-accept.js';
import type { aiSkillRun } from '../../operations/ai-skill-run.js';
import type {
  constraintsCreate,
  constraintsDelete,
  constraintsList,
  constraintsUpdate,
} from '../../operations/constraints.js';
import type { contextAssemble } from '../../operations/context-assemble.js';
import type { contextBudgetGet, contextBudgetUpdate } from '../../operations/context-budget.js';
import type { contextInspect } from '../../operations/context-inspect.js';
import type {
  documentsDelete,
  documentsGet,
  documentsList,
  documentsPut,
} from '../../operations/documents.js';
import type { entitiesDelete, entitiesGet, entitiesList, entitiesPut } from '../../operations/entities.js';
import type { constraintsJudge } from '../../operations/judge.js';
import type { memoryConfirm, memoryDelete, memoryList, memoryPut } from '../../operations/memory.js';
import type { receiptsDiff, receiptsGet, receiptsList } from '../../operations/receipts.js';
import type { reviewBundles } from '../../operations/review-bundles.js';
import type { reviewChanges } from '../../operations/review-changes.js';
import type { reviewChunks } from '../../operations/review-chunks.js';
import type { reviewPlan } from '../../operations/review-plan.js';
import type { reviewRelated } from '../../operations/review-related.js';
import type { reviewReport } from '../../operations/review-report.js';
import type { skillsGet, skillsList } from '../../operations/skills-list.js';
import type { skillsLint, skillsPut } from '../../operations/skills-put.js';

export interface Operations {
  'agents:assemble': typeof agentsAssemble;
  'agents:run': typeof agentsRun;
  'ai:skill:accept': typeof aiSkillAccept;
  'ai:skill:run': typeof aiSkillRun;
  'constraints:create': typeof constraintsCreate;
  'constraints:delete': typeof constraintsDelete;
  'constraints:judge': typeof constraintsJudge;
  'constraints:list': typeof constraintsList;
  'constraints:update': typeof constraintsUpdate;
  'context:assemble': typeof contextAssemble;
  'context:budget:get': typeof contextBudgetGet;
  'context:budget:update': typeof contextBudgetUpdate;
  'context:inspect': typeof contextInspect;
  'documents:delete': typeof documentsDelete;
  'documents:get': typeof documentsGet;
  'documents:list': typeof documentsList;
  'documents:put': typeof documentsPut;
  'entities:delete': typeof entitiesDelete;
  'entities:get': typeof entitiesGet;
  'entities:list': typeof entitiesList;
  'entities:put': typeof entitiesPut;
  'memory:confirm': typeof memoryConfirm;
  'memory:delete': typeof memoryDelete;
  'memory:list': typeof memoryList;
  'memory:put': typeof memoryPut;
  'receipts:diff': typeof receiptsDiff;
  'receipts:get': typeof receiptsGet;
  'receipts:list': typeof receiptsList;
  'review:bundles': typeof reviewBundles;
  'review:changes': typeof reviewChanges;
  'review:chunks': typeof reviewChunks;
  'review:plan': typeof reviewPlan;
  'review:related': typeof reviewRelated;
  'review:report': typeof reviewReport;
  'skills:get': typeof skillsGet;
  'skills:lint': typeof skillsLint;
  'skills:list': typeof skillsList;
  'skills:put': typeof skillsPut;
}

export type OperationId = keyof Operations;

export type RequestOf<Id extends OperationId> = z.input<Operations[Id]['input']>;

export type AnswerOf<Id extends OperationId> = Awaited<ReturnType<Operations[Id]['run']>>;
