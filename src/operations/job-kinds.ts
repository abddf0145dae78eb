// What may run as a job: which operations, with which request, and which of them go one after the other.
import { GalleyError } from '../core/model/error.js';

interface JobKind {
  /** Its request names the project of the job. */
  readonly ofProject: boolean;
  /** Which jobs of a project go one after the other. */
  laneOf(request: Readonly<Record<string, unknown>>): string | undefined;
}

const alone = (ofProject: boolean): JobKind => ({ ofProject, laneOf: () => undefined });
const inLane = (lane: string): JobKind => ({ ofProject: true, laneOf: () => lane });
const byField = (ofProject: boolean, field: string): JobKind => ({
  ofProject,
  laneOf: ({ [field]: value }) => (typeof value === 'string' ? `${field}:${value}` : undefined),
});

/** What may run as a job. */
const kinds = {
  'review:run': alone(false),
  'review:ask': alone(false),
  'forge:review': byField(false, 'pull'),
  'forge:answer': byField(false, 'pull'),
  'forge:describe': byField(false, 'pull'),
  'forge:replay': alone(false),
  'book:check': inLane('book'),
  'book:summarise': inLane('book'),
  'documents:index': inLane('index'),
  'entities:propose': inLane('book'),
  'promises:propose': inLane('book'),
  'ai:skill:run': byField(true, 'documentId'),
} as const satisfies Readonly<Record<string, JobKind>>;

type JobOperation = keyof typeof kinds;

export const jobOperations = Object.keys(kinds) as [JobOperation, ...JobOperation[]];

/** The request as the operation will get it. */
export function carriedRequest({ projectId, operation, request }: AskedJob): Record<string, unknown> {
  if (!kinds[operation].ofProject) return request;
  if (request.projectId !== undefined && request.projectId !== projectId) {
    throw new GalleyError('INVALID_ARGUMENT', 'request.projectId: must be the project of the job.', {
      details: { field: 'request.projectId' },
    });
  }
  return { ...request, projectId };
}

interface AskedJob {
  readonly projectId?: string | undefined;
  readonly operation: JobOperation;
  readonly request: Record<string, unknown>;
}

/** The lane of a job unless it names one itself. */
export function usualLane(operation: JobOperation, request: Record<string, unknown>): string | undefined {
  return kinds[operation].laneOf(request);
}
