// The same task for several agents, each in a worktree of its own, and taking over what one of them did. What runs agents is loaded
// when a race begins.
import * as z from 'zod';
import { agentTypeOf, assemblerInput } from '../agents/assembler-input.js';
import { raceEntry } from '../agents/race/race-record.js';
import type { Race } from '../agents/race/run-race.js';
import type { TakenWork } from '../agents/race/take-work.js';
import { GalleyError } from '../core/model/error.js';
import { takeAgentTurn } from './agent-turn.js';
import { defineOperation, type OperationContext } from './operation.js';
import { answer, inferred, named } from './published-schema.js';
import { durationField, nameField, proseField } from './request-fields.js';

const contestant = z.string().regex(/^[\w.-]{1,64}(?::[\w./@[\]-]{1,199})?$/, {
  error: 'must be an agent, or an agent and its model: claude, codex:gpt-5',
});

const race = nameField.optional().describe('the newest, when left out');

const raceAnswer = answer<Race>()(
  z.strictObject({
    race: z.string().describe('its name'),
    entries: z
      .array(named('RaceEntry', raceEntry))
      .describe('one for each agent, in the order they were named'),
    left: z
      .array(z.string())
      .describe('untracked files that no agent was given, as each is larger than 50 MB'),
    taken: z.array(z.string()).describe('whose work was taken, in order'),
  }),
);

const gitErrors = ['NOT_A_REPOSITORY', 'REVISION_NOT_FOUND', 'GIT_FAILED'] as const;

export const agentsRaceRun = defineOperation({
  id: 'agents:race:run',
  summary:
    'Gives several agents the same task, each in a worktree of its own, and checks what each made of it.',
  input: z.strictObject({
    task: proseField().describe('what each agent is asked to do'),
    agents: z
      .array(contestant)
      .min(1)
      .max(8)
      .refine((names) => new Set(names).size === names.length, { error: 'must name each agent once' })
      .describe('each may have its model behind a colon'),
    may: z
      .enum(['edit', 'run'])
      .default('edit')
      .describe('what an agent may do in its worktree: change files, run commands too'),
    setup: proseField(10_000)
      .optional()
      .describe('a command that makes a worktree ready; only from the shell of the user'),
    check: proseField(10_000)
      .optional()
      .describe('a command that ends with 0 where the work is good; only from the shell of the user'),
    timeoutMs: durationField.optional().describe('for each agent'),
    checkTimeoutMs: durationField.default(600_000),
    budgetUsd: z
      .number()
      .positive()
      .max(10_000)
      .optional()
      .describe('stops each agent that has spent so many dollars; only Claude Code tells while it works'),
    reviewModel: nameField
      .optional()
      .describe('also reviews what each agent changed, and counts the findings'),
    projectId: nameField.optional().describe('whose receipts they are kept with'),
  }),
  example: { task: 'Fix the failing test.', agents: ['claude', 'codex'] },
  streams: true,
  output: raceAnswer,
  grant: 'run',
  errors: [...gitErrors, 'FORBIDDEN', 'MODEL_NOT_CONFIGURED', 'CONFIG_INVALID', 'STORE_UNAVAILABLE'],
  run: async ({ projectId, reviewModel, ...request }, context) => {
    refuseCommands(request, context);
    if (!context.grants.has('write'))
      throw new GalleyError('FORBIDDEN', 'Agents that change files need the grant "write" too.');
    // What cannot begin is refused before anything is paid for: the review here, the agents below.
    if (reviewModel !== undefined) await context.model(reviewModel);
    const [{ runRace }, { agentModel }, { underCeiling }, { nameOfFolder }] = await Promise.all([
      import('../agents/race/run-race.js'),
      import('../agents/run/run-turn.js'),
      import('../agents/race/cost-ceiling.js'),
      import('../writing/folder/project-folder.js'),
    ]);
    const { agents, setup, check, checkTimeoutMs, timeoutMs, may, task, budgetUsd } = request;
    const { folder, signal, now, onEvent } = context;
    for (const contender of agents) {
      const { name, model } = contenderOf(contender);
      await agentModel(name, { folder, native: false, may, model });
    }
    const input = assemblerInput.parse({ contextMessages: [], currentMessage: task });
    const project = projectId ?? nameOfFolder(folder);
    const catalog = await context.prices?.();
    return runRace({
      ...{ folder, agents, setup, check, checkTimeoutMs, signal, now: () => now(), onEvent },
      work: (contender, at) => {
        const { name, model } = contenderOf(contender);
        const order = { name, may, model, input, timeoutMs, disposable: true, projectId: project };
        const turn = (more: Partial<OperationContext> = {}) =>
          takeAgentTurn({ ...order, operation: 'agents:race:run' }, { ...quiet(context), ...at, ...more });
        if (budgetUsd === undefined) return turn();
        const tells = agentTypeOf(name) === 'claude-code';
        const ceiling = { dollars: budgetUsd, model, catalog, signal, tells, onEvent: at.onEvent };
        return underCeiling(ceiling, turn);
      },
      review:
        reviewModel === undefined
          ? undefined
          : (base, head) => countFindings({ base, head, model: reviewModel }, context),
    });
  },
});

function contenderOf(contender: string): { name: string; model: string | undefined } {
  const [name = '', model] = contender.split(/:(.*)/s);
  return { name, model };
}

/** Several talk at once, so what they say comes as events, which name the agent. */
const quiet = ({ onText: _, ...context }: OperationContext): OperationContext => context;

function refuseCommands(
  { setup, check }: { readonly setup?: string | undefined; readonly check?: string | undefined },
  { mayRunCommands = false }: OperationContext,
): void {
  const field = setup !== undefined ? 'setup' : 'check';
  if ((setup ?? check) === undefined || mayRunCommands) return;
  throw new GalleyError('FORBIDDEN', `${field}: only the user's own shell may name a command.`, {
    details: { field },
  });
}

async function countFindings(
  { base, head, model }: { readonly base: string; readonly head: string; readonly model: string },
  context: OperationContext,
): Promise<number> {
  const { onEvent: _, ...silent } = quiet(context);
  const { reviewRun } = await import('./review-report.js');
  const request = reviewRun.input.parse({ mode: 'pr', base, head, model });
  const answer = await reviewRun.run(request, silent);
  const { findings } = z.looseObject({ findings: z.array(z.unknown()) }).parse(answer);
  return findings.length;
}

export const agentsRaceGet = defineOperation({
  id: 'agents:race:get',
  summary: 'Reads a race of this repository: how each agent ended, its check, its change and its cost.',
  input: z.strictObject({ race }),
  example: {},
  output: raceAnswer,
  grant: 'run',
  errors: [...gitErrors, 'NOT_FOUND'],
  run: async ({ race: id }, { folder }) => {
    const [{ findRace }, { raceTree }, { raceOf }] = await Promise.all([
      import('../agents/race/race-record.js'),
      import('../agents/race/worktree.js'),
      import('../agents/race/run-race.js'),
    ]);
    return raceOf(await findRace(await raceTree(folder), id));
  },
});

export const agentsRaceTake = defineOperation({
  id: 'agents:race:take',
  summary:
    'Puts what one agent of a race did into the work tree, all of it or nothing; agents:undo takes it back.',
  input: z.strictObject({ agent: contestant.describe('as the race names it'), race }),
  example: { agent: 'codex' },
  output: answer<TakenWork>()(
    z.strictObject({
      race: z.string().describe('its name'),
      agent: z.string().describe('whose work it is'),
      files: z.array(z.string()).describe('seen from the top of the repository'),
      merged: z
        .array(z.string())
        .describe('of these, what somebody had changed since the race began, in other lines'),
      turn: z.string().optional().describe('to undo it by, with agents:undo'),
    }),
  ),
  grant: 'run',
  errors: [
    ...gitErrors,
    'NOT_FOUND',
    'FORBIDDEN',
    'ALREADY_EXISTS',
    'CHANGED_MEANWHILE',
    'CONTEXT_BACKPRESSURE',
  ],
  run: async (request, { folder, now, grants }) => {
    if (!grants.has('write'))
      throw new GalleyError('FORBIDDEN', 'Taking work into the folder needs the grant "write" too.');
    const { takeWork } = await import('../agents/race/take-work.js');
    return takeWork({ ...request, folder, now: () => now() });
  },
});

export const agentsRaceDiscard = defineOperation({
  id: 'agents:race:discard',
  summary: 'Removes races with their worktrees: one, or all that are not running.',
  input: z.strictObject({ race: nameField.optional().describe('all, when left out') }),
  example: {},
  output: inferred(z.strictObject({ discarded: z.array(z.string()).describe('names of races') })),
  grant: 'run',
  errors: [...gitErrors, 'NOT_FOUND', 'CONTEXT_BACKPRESSURE'],
  run: async ({ race: id }, { folder }) => {
    const [{ discardRace, findRace, isRunning, readRaces }, { raceTree }] = await Promise.all([
      import('../agents/race/race-record.js'),
      import('../agents/race/worktree.js'),
    ]);
    const tree = await raceTree(folder);
    const races =
      id === undefined
        ? (await readRaces(tree)).filter((each) => !isRunning(each))
        : [await findRace(tree, id)];
    if (races.some(isRunning))
      throw new GalleyError('CONTEXT_BACKPRESSURE', 'The race is still running; cancel it first.');
    for (const each of races) await discardRace(tree, each);
    return { discarded: races.map((each) => each.id) };
  },
});
