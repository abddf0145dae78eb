// Every operation by its id, and what each takes and gives. A family is loaded when one of its operations is first asked for.
import type { z } from 'zod';
import type { Operation } from './operation.js';

const agents = () => import('./agents.js');
const agentSessions = () => import('./agent-sessions.js');
const rooms = () => import('./agent-rooms.js');
const roomTurns = () => import('./agent-room-turns.js');
const race = () => import('./agent-race.js');
const book = () => import('./book.js');
const code = () => import('./code.js');
const forges = () => import('./forges.js');
const forgeAnswers = () => import('./forge-answers.js');
const summaries = () => import('./summaries.js');
const forgeHistory = () => import('./forge-history.js');
const reviewChange = () => import('./review-change.js');
const reviewFiles = () => import('./review-files.js');
const reviewPages = () => import('./review-pages.js');
const reviewReport = () => import('./review-report.js');
const skills = () => import('./skills.js');
const constraints = () => import('./constraints.js');
const context = () => import('./context.js');
const documents = () => import('./documents.js');
const exchange = () => import('./exchange.js');
const search = () => import('./search.js');
const documentFiles = () => import('./document-files.js');
const documentHistory = () => import('./document-history.js');
const drafts = () => import('./drafts.js');
const entities = () => import('./entities.js');
const memory = () => import('./memory.js');
const jobs = () => import('./jobs.js');
const promises = () => import('./promises.js');
const receipts = () => import('./receipts.js');
const runs = () => import('./runs.js');

const operations = {
  'agents:assemble': async () => (await agents()).agentsAssemble,
  'agents:run': async () => (await agents()).agentsRun,
  'agents:turns': async () => (await import('./agents-undo.js')).agentsTurns,
  'agents:undo': async () => (await import('./agents-undo.js')).agentsUndo,
  'agents:sessions:list': async () => (await agentSessions()).agentsSessionsList,
  'agents:inspect': async () => (await agentSessions()).agentsInspect,
  'agents:handoff': async () => (await import('./agent-handoff.js')).agentsHandoff,
  'agents:race:run': async () => (await race()).agentsRaceRun,
  'agents:race:get': async () => (await race()).agentsRaceGet,
  'agents:race:take': async () => (await race()).agentsRaceTake,
  'agents:race:discard': async () => (await race()).agentsRaceDiscard,
  'agents:rooms:create': async () => (await rooms()).agentsRoomsCreate,
  'agents:rooms:say': async () => (await rooms()).agentsRoomsSay,
  'agents:rooms:run': async () => (await roomTurns()).agentsRoomsRun,
  'agents:rooms:list': async () => (await rooms()).agentsRoomsList,
  'agents:rooms:get': async () => (await rooms()).agentsRoomsGet,
  'agents:rooms:compact': async () => (await roomTurns()).agentsRoomsCompact,
  'agents:rooms:expand': async () => (await roomTurns()).agentsRoomsExpand,
  'agents:rooms:close': async () => (await rooms()).agentsRoomsClose,
  'book:begin': async () => (await documentFiles()).bookBegin,
  'book:check': async () => (await book()).bookCheck,
  'book:intended:list': async () => (await book()).bookIntendedList,
  'book:intended:put': async () => (await book()).bookIntendedPut,
  'book:intended:delete': async () => (await book()).bookIntendedDelete,
  'code:find': async () => (await code()).codeFind,
  'review:plan': async () => (await reviewChange()).reviewPlan,
  'review:bundles': async () => (await reviewPages()).reviewBundles,
  'review:related': async () => (await reviewPages()).reviewRelated,
  'review:changes': async () => (await reviewChange()).reviewChanges,
  'review:diff': async () => (await reviewFiles()).reviewDiff,
  'review:apply': async () => (await reviewFiles()).reviewApply,
  'review:exempt': async () => (await reviewFiles()).reviewExempt,
  'review:chunks': async () => (await reviewPages()).reviewChunks,
  'review:report': async () => (await reviewReport()).reviewReport,
  'review:ask': async () => (await import('./review-ask.js')).reviewAsk,
  'runs:list': async () => (await runs()).runsList,
  'scenes:list': async () => (await import('./scenes.js')).scenesList,
  'scenes:put': async () => (await import('./scenes.js')).scenesPut,
  'scenes:delete': async () => (await import('./scenes.js')).scenesDelete,
  'summaries:list': async () => (await summaries()).summariesList,
  'summaries:put': async () => (await summaries()).summariesPut,
  'summaries:delete': async () => (await summaries()).summariesDelete,
  'book:summarise': async () => (await summaries()).bookSummarise,
  'review:inspect': async () => (await reviewReport()).reviewInspect,
  'review:settle': async () => (await reviewFiles()).reviewSettle,
  'review:run': async () => (await reviewReport()).reviewRun,
  'forge:review': async () => (await forges()).forgeReview,
  'forge:post': async () => (await forges()).forgePost,
  'forge:status': async () => (await forges()).forgeStatus,
  'forge:resolve': async () => (await forges()).forgeResolve,
  'forge:exempt': async () => (await forges()).forgeExempt,
  'forge:retract': async () => (await forges()).forgeRetract,
  'forge:answer': async () => (await forgeAnswers()).forgeAnswer,
  'forge:describe': async () => (await forgeAnswers()).forgeDescribe,
  'forge:replay': async () => (await forgeHistory()).forgeReplay,
  'forge:stats': async () => (await forgeHistory()).forgeStats,
  'jobs:start': async () => (await jobs()).jobsStart,
  'jobs:list': async () => (await jobs()).jobsList,
  'jobs:get': async () => (await jobs()).jobsGet,
  'jobs:cancel': async () => (await jobs()).jobsCancel,
  'jobs:repeat': async () => (await jobs()).jobsRepeat,
  'jobs:follow': async () => (await jobs()).jobsFollow,
  'skills:list': async () => (await skills()).skillsList,
  'skills:get': async () => (await skills()).skillsGet,
  'skills:put': async () => (await skills()).skillsPut,
  'skills:lint': async () => (await skills()).skillsLint,
  'ai:skill:run': async () => (await import('./skill-run.js')).aiSkillRun,
  'ai:skill:accept': async () => (await import('./skill-accept.js')).aiSkillAccept,
  'chat:complete': async () => (await import('./chat.js')).chatComplete,
  'constraints:judge': async () => (await constraints()).constraintsJudge,
  'context:assemble': async () => (await context()).contextAssemble,
  'context:inspect': async () => (await context()).contextInspect,
  'context:budget:get': async () => (await context()).contextBudgetGet,
  'context:budget:update': async () => (await context()).contextBudgetUpdate,
  'constraints:list': async () => (await constraints()).constraintsList,
  'constraints:create': async () => (await constraints()).constraintsCreate,
  'constraints:update': async () => (await constraints()).constraintsUpdate,
  'constraints:delete': async () => (await constraints()).constraintsDelete,
  'documents:put': async () => (await documents()).documentsPut,
  'documents:get': async () => (await documents()).documentsGet,
  'documents:list': async () => (await documents()).documentsList,
  'documents:read': async () => (await documentFiles()).documentsRead,
  'documents:write': async () => (await documentFiles()).documentsWrite,
  'documents:delete': async () => (await documents()).documentsDelete,
  'documents:search': async () => (await search()).documentsSearch,
  'documents:export': async () => (await exchange()).documentsExport,
  'documents:import': async () => (await exchange()).documentsImport,
  'documents:index': async () => (await import('./index-documents.js')).documentsIndex,
  'documents:history': async () => (await documentHistory()).documentsHistory,
  'documents:snapshot': async () => (await documentHistory()).documentsSnapshot,
  'documents:restore': async () => (await documentHistory()).documentsRestore,
  'drafts:list': async () => (await drafts()).draftsList,
  'drafts:get': async () => (await drafts()).draftsGet,
  'drafts:update': async () => (await drafts()).draftsUpdate,
  'drafts:apply': async () => (await drafts()).draftsApply,
  'drafts:discard': async () => (await drafts()).draftsDiscard,
  'drafts:undo': async () => (await drafts()).draftsUndo,
  'entities:put': async () => (await entities()).entitiesPut,
  'entities:get': async () => (await entities()).entitiesGet,
  'entities:list': async () => (await entities()).entitiesList,
  'entities:propose': async () => (await import('./propose.js')).entitiesPropose,
  'entities:delete': async () => (await entities()).entitiesDelete,
  'memory:list': async () => (await memory()).memoryList,
  'memory:put': async () => (await memory()).memoryPut,
  'memory:confirm': async () => (await memory()).memoryConfirm,
  'memory:delete': async () => (await memory()).memoryDelete,
  'promises:list': async () => (await promises()).promisesList,
  'promises:add': async () => (await promises()).promisesAdd,
  'promises:pay': async () => (await promises()).promisesPay,
  'promises:update': async () => (await promises()).promisesUpdate,
  'promises:remove': async () => (await promises()).promisesRemove,
  'promises:propose': async () => (await import('./propose-promises.js')).promisesPropose,
  'receipts:list': async () => (await receipts()).receiptsList,
  'receipts:get': async () => (await receipts()).receiptsGet,
  'receipts:diff': async () => (await receipts()).receiptsDiff,
};

type Operations = typeof operations;

export type OperationId = keyof Operations;

type Loaded<Id extends OperationId> = Awaited<ReturnType<Operations[Id]>>;

export type RequestOf<Id extends OperationId> =
  Loaded<Id> extends Operation<infer Input, infer _> ? z.input<Input> : never;

export type AnswerOf<Id extends OperationId> =
  Loaded<Id> extends Operation<infer _, infer Output> ? Output : never;

const loaders: Readonly<Record<string, () => Promise<unknown>>> = operations;

export const operationIds: readonly string[] = Object.keys(loaders);

export async function findOperation(id: string): Promise<Operation | undefined> {
  return Object.hasOwn(loaders, id) ? ((await loaders[id]?.()) as Operation) : undefined;
}
