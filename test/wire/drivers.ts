// One driver for each desk that calls a model: it makes the calls through a program, shown first where a dry run can show them, and
// pairs what was received with the receipt that the record of the call names.
import { type CallKind, callKinds } from '../../src/models/contract/model.js';
import { differences, type Received, type SealedReceipt } from './law.js';

export interface World {
  call(id: string, request: object): Promise<Json>;
  /** What the models say next. */
  say(words: readonly string[]): void;
  /** What the models received since. */
  received(): Received[];
  /** A repository with the change `main...topic`, for reviews. */
  readonly repository: string;
}

// biome-ignore lint/suspicious/noExplicitAny: answers are read as a stranger would read them.
type Json = any;

export interface Sent {
  readonly kind: CallKind;
  readonly faults: readonly string[];
}

/**
 * Desks that do not seal what they send yet: a kind comes off this list with its desk, and the suite fails until it does.
 */
export const pendingKinds: readonly CallKind[] = [];

export const providerModels: readonly string[] = [
  'anthropic/claude-sonnet-4-5',
  'anthropic/claude-3-5-haiku-latest',
  'openai/gpt-4o',
  'openai/gpt-5.6',
  'google/gemini-2.5-pro',
  'google/gemma-3-27b-it',
  'custom/plain',
  'vllm/plain',
];
export const cliModels: readonly string[] = ['cli/claude', 'cli/codex', 'cli/gemini'];

export const reviewModels: readonly string[] = [...providerModels, ...cliModels];

interface Shown {
  readonly receipt: SealedReceipt;
  readonly system: string;
  readonly prompt: string;
}

interface Run {
  readonly kind: CallKind;
  readonly receipt: string;
}

/** Each call with all that is wrong with it. */
function paired(
  received: readonly Received[],
  runs: readonly Run[],
  { receipts, shown }: { receipts: readonly SealedReceipt[]; shown: readonly Shown[] },
): Sent[] {
  const sent = runs.map(({ kind, receipt: id }, index): Sent => {
    const text = received[index];
    const receipt = [...shown.map((each) => each.receipt), ...receipts].find((each) => each.id === id);
    if (text === undefined) return { kind, faults: ['a call was recorded and none was received'] };
    if (receipt === undefined) return { kind, faults: [`${text.by}: the receipt of the call is nowhere`] };
    const first = shown.find((each) => each.receipt.id === id);
    const isShown = first === undefined || (first.system === text.system && first.prompt === text.prompt);
    return {
      kind,
      faults: [
        ...differences(text, receipt),
        ...(isShown ? [] : [`${text.by}: the dry run showed another text`]),
      ],
    };
  });
  const extra = received.slice(runs.length);
  return [
    ...sent,
    ...extra.map(({ by }) => ({ kind: callKinds[0], faults: [`${by}: a call without a record`] })),
  ];
}

export interface Job {
  readonly model: string;
  readonly text: string;
}

const projectId = 'wire';

/** Once for a program: a book, a skill and constraints, one that a check covers and one that it does not. */
export async function prepareWriting({ call }: World): Promise<void> {
  await call('constraints:create', { projectId, kind: 'style', text: '不得使用感叹号' });
  await call('constraints:create', { projectId, kind: 'character', text: '林远不提\n母亲' });
  await call('entities:put', { projectId, name: '林远', description: '主角，话少。' });
  await call('skills:put', { projectId, source: skillSource('plain', '按要求改写。') });
  await call('skills:put', { projectId, source: skillSource('templated', `/all $${'{AvailableTools}'}`) });
}

const skillSource = (name: string, system: string) =>
  `---\nname: ${name}\ndescription: 测试\ncontext_rules:\n  characters: true\nprompt:\n  system: ${JSON.stringify(system)}\n  user: "{{text}}"\n---\n`;

export async function driveSkill(
  world: World,
  { model, text, skillId = 'plain' }: Job & { readonly skillId?: string },
): Promise<Sent[]> {
  const { call, say, received } = world;
  const request = {
    projectId,
    skillId,
    documentId: 'chapter',
    text,
    model,
    selection: { start: 0, end: 400 },
  };
  const dry = await call('ai:skill:run', { ...request, dryRun: true });
  say(['他走了！', '他走了。']);
  const run = await call('ai:skill:run', { ...request, rewrites: 1 });
  const shown = [{ receipt: dry.receipt, system: dry.systemPrompt, prompt: dry.userContent }];
  return paired(received(), run.runs, { receipts: [run.receipt], shown });
}

export async function driveJudge(world: World, { model, text }: Job): Promise<Sent[]> {
  const { call, say, received } = world;
  say(['{"findings":[]}']);
  const { runs, receipts } = await call('constraints:judge', { projectId, text, model });
  return paired(received(), runs, { receipts, shown: [] });
}

/** A chapter summed up. */
export async function driveSummary(world: World, { model, text }: Job): Promise<Sent[]> {
  const { call, say, received } = world;
  await call('documents:put', { projectId, documentId: 'summed', title: '一', order: 1, text });
  say(['他走了。']);
  const request = { projectId, documentIds: ['summed'], model, again: true, concurrency: 1 };
  const { runs, receipts } = await call('book:summarise', request);
  return paired(received(), runs, { receipts, shown: [] });
}

/** A chat that somebody else holds, with the context of the book set among its messages. */
export async function driveChat(world: World, { model, text }: Job): Promise<Sent[]> {
  const { call, say, received } = world;
  await call('documents:put', { projectId, documentId: 'chatted', title: '一', order: 1, text });
  // A cut may go through a character, and half of one is refused.
  const said = (role: string, content: string) => ({ role, content: content.toWellFormed() || '。' });
  const messages = [
    said('system', text.slice(0, 300)),
    said('user', text.slice(100, 900)),
    said('user', '林远？'),
    said('assistant', text.slice(300, 600).trim()),
    said('user', text.slice(0, 500)),
  ];
  say(['他走了。']);
  const { runs, receipt } = await call('chat:complete', {
    ...{ projectId, documentId: 'chatted', messages, model },
  });
  return paired(received(), runs, { receipts: [receipt], shown: [] });
}

export interface AgentJob {
  readonly agentType: string;
  readonly text: string;
  readonly native: boolean;
}

export async function driveAgent(world: World, { agentType, native, ...job }: AgentJob): Promise<Sent[]> {
  const { call, say, received } = world;
  // In the folder of a project a word that names a file is refused before anything is sent.
  const text = native ? job.text : job.text.replaceAll('@/etc/passwd', '@/etc/nobody');
  const turn = {
    agentType,
    contextMessages: [
      { from: 'max', to: 'sarah', content: text },
      { from: 'sarah', to: 'max', content: 'fine' },
    ],
    currentMessage: text.slice(0, 2_000),
    teamTask: 'Ship it.',
    systemInstruction: text.slice(0, 400),
  };
  const dry = native ? undefined : await call('agents:assemble', turn);
  say(['Done.']);
  const { runs, receipt } = await call('agents:run', { ...turn, native });
  const shown =
    dry === undefined ? [] : [{ receipt: dry.receipt, system: dry.systemFlag ?? '', prompt: dry.prompt }];
  return paired(received(), runs, { receipts: [receipt], shown });
}

export interface ReviewJob extends Pick<Job, 'model'> {
  /** Fields of the request beside those that name the change and the model. */
  readonly request?: object;
}

/** A question whose first answer cannot be read, whose second asks for more, and whose third answers. */
export async function driveQuestion(world: World, { model, text }: Job): Promise<Sent[]> {
  const { call, say, received, repository } = world;
  const asks = { answer: '', requests: [{ type: 'search', unit: '', details: 'import' }] };
  say(['[]', JSON.stringify(asks), JSON.stringify({ answer: 'It does.' })]);
  const { runs, receipts } = await call('review:ask', {
    ...{ repo: repository, mode: 'pr', base: 'main', head: 'topic', model, followUps: 1, fresh: true },
    question: text.slice(0, 2_000),
  });
  return paired(received(), runs, { receipts, shown: [] });
}

/** Pages, the same pages asked to look again, and a plan before them. */
export async function driveReview(world: World, { model, request: more }: ReviewJob): Promise<Sent[]> {
  const { call, say, received, repository } = world;
  const request = { repo: repository, mode: 'pr', base: 'main', head: 'topic', model, ...more };
  const dry = await call('review:run', { ...request, dryRun: true, followUps: 1, verify: true });
  // The plan, a first page whose answer cannot be read, the same page again, which asks for more and has a finding that is looked
  // at again, then the others.
  const asks = { summary: '', findings: [], requests: [{ type: 'search', unit: '', details: 'import' }] };
  const finds = { summary: '', findings: [{ path: 'a.ts', line: 1, message: 'Wrong.\r\n他走了。' }] };
  const answers = [asks, finds, { findings: [], verdicts: [] }, { findings: [] }];
  say(['{"plan":[]}', 'I would rather not.', ...answers.map((one) => JSON.stringify(one))]);
  const run = await call('review:run', {
    ...{ ...request, planner: true, fresh: true, concurrency: 1, followUps: 1, verify: true },
  });
  const shown = (dry.pages as Json[]).map(({ prompt, receipt }) => ({ receipt, system: dry.system, prompt }));
  const receipts = [...(run.pages as Json[]).flatMap((page) => [page.receipt, ...(page.receipts ?? [])])];
  return paired(received(), run.runs, { receipts: [...receipts, ...(run.receipts ?? [])], shown });
}
