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
  // Vectors are kept as long as a chunk holds their text. Read as an index has them: by number, all would be sorted for each batch.
  chunks: { owner: 'project', order: ['document', 'ordinal'], counter: 'number', atOnce: 500 },
  vectors: { owner: 'project', order: ['model', 'content_hash'] },
  drafts: { ...sequenced, atOnce: 50 },
  snapshots: { owner: 'project', order: ['content_hash'], atOnce: 20 },
  steps: sequenced,
  rooms: sequenced,
  room_messages: { owner: 'project', order: ['room', 'number'] },
  // Who may call a server and what they spent there belongs to that server: a copy would let a revoked token in again.
  tokens: undefined,
  spending: undefined,
  paces: undefined,
  // A job belongs to the workers of its store: a copy of one that waits would be run twice.
  jobs: undefined,
  job_answers: undefined,
};
