// What makes a row of each table the same row in another store, and in which order rows are read.
import type { Schema } from './schema.js';

export interface TableRows {
  /** The column that says whose a row is. */
  readonly owner: 'project' | 'owner';
  /** Reading order within the owner, unique. */
  readonly order: readonly string[];
  /** A number that the store gave and another store gives anew; rows keep their order, not the number. */
  readonly counter?: 'sequence' | 'number';
  /** Rows that are read at once; 200 unless told. */
  readonly atOnce?: number;
}

const sequenced = { owner: 'project', order: ['sequence'], counter: 'sequence' } as const;
const byId = { owner: 'project', order: ['id'] } as const;

/** Undefined: it is no part of what a project owns, or is built anew from what is. */
export const tableRows: Readonly<Record<keyof Schema, TableRows | undefined>> = {
  projects: undefined,
  settings: { owner: 'project', order: ['key'] },
  documents: { ...byId, atOnce: 20 },
  constraints: sequenced,
  entities: byId,
  memories: sequenced,
  summaries: sequenced,
  runs: sequenced,
  skills: { owner: 'owner', order: ['id'] },
  budgets: { owner: 'project', order: ['version'] },
  lanes: { owner: 'project', order: ['lane'], atOnce: 50 },
  receipts: { ...sequenced, atOnce: 50 },
  // Which of its terms a chunk holds is known to the index alone: it is built anew from the documents when it is first used.
  indexed_documents: undefined,
  // Vectors are kept as long as a chunk holds their text.
  chunks: { owner: 'project', order: ['number'], counter: 'number' },
  vectors: { owner: 'project', order: ['model', 'content_hash'] },
  drafts: { ...sequenced, atOnce: 50 },
  snapshots: { owner: 'project', order: ['content_hash'], atOnce: 20 },
  steps: sequenced,
  rooms: sequenced,
  room_messages: { owner: 'project', order: ['room', 'number'] },
  // Of the server and the models, not of a project.
  tokens: undefined,
  spending: undefined,
  paces: undefined,
  // A job that stood in two stores would be run, and paid for, by both.
  jobs: undefined,
  job_answers: undefined,
};
