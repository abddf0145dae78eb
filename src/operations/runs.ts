// What was run for a project, and what became of it: cost, what was foreseen and what was reported, coverage, failures. Never text.
import * as z from 'zod';
import { type ErrorCode, toGalleyError } from '../core/model/error.js';
import type { RunRecord } from '../models/contract/model.js';
import type { RunStatus, StoredRun } from '../store/tables/runs.js';
import { defineOperation, type OperationContext, type RememberedRun, storeErrors } from './operation.js';
import { answer, count, named, timestamp } from './published-schema.js';
import { projectRequest } from './request-fields.js';

/** A run in the history of a project. */
export interface RunOfProject {
  readonly id: string;
  readonly operation: string;
  readonly status: RunStatus;
  readonly startedAt: number;
  readonly endedAt?: number;
  readonly model?: string;
  readonly documentId?: string;
  readonly skillId?: string;
  /** Ids of the receipts of what was sent, the one of all of it first. */
  readonly receipts: readonly string[];
  readonly calls: number;
  readonly foreseen: { readonly inputTokens: number; readonly cachedInputTokens: number };
  /** Absent when no model said anything. */
  readonly reported?: {
    readonly inputTokens: number;
    readonly outputTokens: number;
    readonly cachedInputTokens: number;
  };
  /** Absent when no price is known. */
  readonly dollars?: number;
  readonly coverage?: string;
  readonly failures: readonly string[];
}

const shown = named(
  'RunOfProject',
  z.strictObject({
    id: z.string(),
    operation: z.string(),
    status: z.enum(['running', 'succeeded', 'failed', 'cancelled', 'timeout']),
    startedAt: timestamp,
    endedAt: timestamp.optional(),
    model: z.string().optional(),
    documentId: z.string().optional(),
    skillId: z.string().optional(),
    receipts: z.array(z.string()).describe('ids of what was sent, the one of all of it first'),
    calls: count.describe('of models'),
    foreseen: z.strictObject({ inputTokens: z.number(), cachedInputTokens: z.number() }),
    reported: z
      .strictObject({ inputTokens: z.number(), outputTokens: z.number(), cachedInputTokens: z.number() })
      .optional()
      .describe('absent when no model said anything'),
    dollars: z.number().optional().describe('absent when no price is known'),
    coverage: z.string().optional().describe('of a review'),
    failures: z.array(z.string()).describe('codes, one for each part that failed'),
  }),
);

export const runsList = defineOperation({
  id: 'runs:list',
  summary: 'Lists what was run for a project, newest first, with cost, cache, coverage and failures.',
  input: projectRequest.extend({
    limit: z.int().min(1).max(1000).default(50),
    since: z.int().nonnegative().optional().describe('milliseconds since 1970'),
    until: z.int().nonnegative().optional().describe('milliseconds since 1970, not included'),
  }),
  example: { projectId: 'novel' },
  output: answer<{ readonly runs: readonly RunOfProject[] }>()(z.strictObject({ runs: z.array(shown) })),
  grant: 'read',
  errors: storeErrors,
  run: async ({ projectId, limit, since, until }, context) => {
    const { runs } = await context.store();
    return { runs: (await runs.list(projectId, { limit, since, until })).map(runOf) };
  },
});

/** What each kind of run has written down, as far as it has. */
interface Noted {
  readonly run?: RunRecord;
  readonly runs?: readonly RunRecord[];
  readonly receipt?: string;
  readonly receipts?: readonly string[];
  readonly coverage?: string;
  readonly code?: string;
  readonly failures?: readonly string[];
}

function runOf({ metadata, ...run }: StoredRun): RunOfProject {
  const noted = metadata as Noted;
  const calls = noted.runs ?? (noted.run === undefined ? [] : [noted.run]);
  const said = calls.flatMap(({ reported }) => reported ?? []);
  const costs = calls.flatMap(({ cost }) => cost?.dollars ?? []);
  const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0);
  const receipts = [noted.receipt ?? [], noted.receipts ?? [], calls.map(({ receipt }) => receipt)].flat();
  return {
    ...run,
    receipts: [...new Set(receipts)],
    calls: calls.length,
    foreseen: {
      inputTokens: sum(calls.map(({ foreseen }) => foreseen.inputTokens)),
      cachedInputTokens: sum(calls.map(({ foreseen }) => foreseen.cachedInputTokens)),
    },
    ...(said.length === 0
      ? {}
      : {
          reported: {
            inputTokens: sum(said.map(({ inputTokens }) => inputTokens)),
            outputTokens: sum(said.map(({ outputTokens }) => outputTokens)),
            cachedInputTokens: sum(said.map(({ cachedInputTokens = 0 }) => cachedInputTokens)),
          },
        }),
    ...(costs.length === 0 ? {} : { dollars: sum(costs) }),
    ...(noted.coverage === undefined ? {} : { coverage: noted.coverage }),
    failures: [...(noted.failures ?? []), ...(noted.code === undefined ? [] : [noted.code])],
  };
}

interface RunEnd {
  readonly operation: string;
  readonly startedAt: number;
  /** Why it ended without an answer. */
  readonly code?: ErrorCode | undefined;
}

/** A store that does not take it never costs the answer. */
export async function keepRun(
  { projectId, model, documentId, runs, receipt, coverage, failures }: RememberedRun,
  { operation, startedAt, code }: RunEnd,
  context: OperationContext,
): Promise<void> {
  if (receipt !== undefined) {
    const { keepReceipt } = await import('./receipts.js');
    // The run is listed every time; what it sent needs no second line.
    await keepReceipt({ projectId, operation, receipt, summary: { model }, isOnce: true }, context);
  }
  const named = model ?? runs[0]?.model;
  try {
    await (await context.store()).runs.put(projectId, {
      ...{ operation, status: statusOf(code), startedAt, endedAt: context.now() },
      ...(named === undefined ? {} : { model: named }),
      ...(documentId === undefined ? {} : { documentId }),
      metadata: { runs, receipt: receipt?.id, coverage, failures, code },
    });
  } catch (error) {
    const { code: refusal } = toGalleyError(error);
    context.log({ level: 'warning', event: 'run-not-kept', details: { code: refusal } });
  }
}

function statusOf(code: ErrorCode | undefined): RunStatus {
  if (code === undefined) return 'succeeded';
  return code === 'CANCELLED' ? 'cancelled' : code === 'TIMEOUT' ? 'timeout' : 'failed';
}
