// The tables as the query layer sees them, and what their files stand on, the same for every engine. Times are milliseconds, flags
// 0 or 1, JSON is text.
import type { Compilable, Generated, Kysely, QueryResult, Transaction } from 'kysely';

interface Owned {
  project: string;
  id: string;
}

export interface ProjectTable {
  number: Generated<number>;
  id: string;
  folder: string | null;
  settings: string;
}

interface SettingTable {
  project: string;
  key: string;
  text: string;
  updated_at: number;
}

interface DocumentTable extends Owned {
  title: string;
  position: number;
  text: string;
  content_hash: string;
  version: number;
  updated_at: number;
}

export interface ConstraintTable extends Owned {
  sequence: Generated<number>;
  kind: string;
  origin: string;
  priority: number;
  pinned: number;
  text: string;
  version: number;
}

export interface EntityTable extends Owned {
  name: string;
  aliases: string;
  kind: string;
  description: string;
  inclusion: string;
  never_trimmed: number;
  facts: string;
  secrets: string;
  relations: string;
  version: number;
  updated_at: number;
}

export interface MemoryTable extends Owned {
  sequence: Generated<number>;
  kind: string;
  text: string;
  confidence: number;
  confirmed: number;
  origin: string;
  created_at: number;
}

export interface SummaryTable extends Owned {
  sequence: Generated<number>;
  text: string;
  created_at: number;
  run: string | null;
  skill: string | null;
  document: string | null;
}

export interface RunTable extends Owned {
  sequence: Generated<number>;
  operation: string;
  status: string;
  started_at: number;
  ended_at: number | null;
  skill: string | null;
  document: string | null;
  model: string | null;
  metadata: string;
}

export interface SkillTable {
  /** Empty for a skill that serves every project. */
  owner: string;
  id: string;
  name: string;
  description: string;
  source: string;
  context_rules: string;
  updated_at: number;
}

interface BudgetTable {
  project: string;
  version: number;
  value: string;
}

interface LaneTable {
  project: string;
  lane: string;
  state: string;
}

interface ReceiptTable extends Owned {
  sequence: Generated<number>;
  operation: string;
  created_at: number;
  summary: string;
  value: string;
}

interface IndexedDocumentTable {
  project: string;
  document: string;
  content_hash: string;
  chunks: number;
  terms: number;
}

interface ChunkTable extends Owned {
  number: Generated<number>;
  document: string;
  ordinal: number;
  first: number;
  past: number;
  text: string;
  content_hash: string;
}

interface StoredVectorTable {
  project: string;
  model: string;
  content_hash: string;
  vector: string;
}

interface DraftTable extends Owned {
  sequence: Generated<number>;
  value: string;
}

interface SnapshotTable {
  project: string;
  content_hash: string;
  text: string;
}

interface StepTable {
  sequence: Generated<number>;
  project: string;
  value: string;
}

interface RoomTable extends Owned {
  sequence: Generated<number>;
  value: string;
  messages: number;
  created_at: number;
  changed_at: number;
}

interface RoomMessageTable extends Owned {
  room: string;
  number: number;
  value: string;
  created_at: number;
}

export interface TokenTable {
  id: string;
  digest: string;
  value: string;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
}

interface SpendingTable {
  owner: string;
  period: string;
  calls: number;
  tokens: number;
  micro_dollars: number;
}

/** Microseconds since 1970. */
interface PaceTable {
  name: string;
  calls_at: number;
  tokens_at: number;
}

export interface JobTable extends Owned {
  sequence: Generated<number>;
  operation: string;
  request: string;
  owner: string;
  status: string;
  key: string | null;
  /** Jobs of one lane go one after the other. */
  lane: string | null;
  progress: string | null;
  answer: string | null;
  refusal: string | null;
  trace: string | null;
  /** Of whoever runs it; whoever holds another one may not change the job any more. */
  claim: string | null;
  priority: number;
  attempts: number;
  max_attempts: number;
  cancel_asked: number;
  due_at: number;
  lease_until: number;
  /** In millionths of a dollar. */
  ceiling: number | null;
  created_at: number;
  started_at: number | null;
  ended_at: number | null;
}

interface JobAnswerTable {
  project: string;
  job: string;
  digest: string;
  nth: number;
  answer: string;
  created_at: number;
}

export interface Schema {
  projects: ProjectTable;
  settings: SettingTable;
  documents: DocumentTable;
  constraints: ConstraintTable;
  entities: EntityTable;
  memories: MemoryTable;
  summaries: SummaryTable;
  runs: RunTable;
  skills: SkillTable;
  budgets: BudgetTable;
  lanes: LaneTable;
  receipts: ReceiptTable;
  indexed_documents: IndexedDocumentTable;
  chunks: ChunkTable;
  vectors: StoredVectorTable;
  drafts: DraftTable;
  snapshots: SnapshotTable;
  steps: StepTable;
  rooms: RoomTable;
  room_messages: RoomMessageTable;
  tokens: TokenTable;
  spending: SpendingTable;
  paces: PaceTable;
  jobs: JobTable;
  job_answers: JobAnswerTable;
}

/** What the repositories stand on: scoped reads, whole writes, a clock, ids, and the engine's own search. */
export interface Database {
  /** Waits out a locked store, within bounds. */
  read<T>(query: (db: Kysely<Schema>) => Promise<T>): Promise<T>;
  /** A read whose answer is shared until something changes; nobody may change the answer. */
  remember<T>(name: string, project: string, query: (db: Kysely<Schema>) => Promise<T>): Promise<T>;
  /** One transaction from its first statement on; it may run again after a collision. The project exists inside it. */
  write<T>(project: string | undefined, change: (db: Transaction<Schema>) => Promise<T>): Promise<T>;
  /** A write that no remembered read depends on. */
  writeAside: Database['write'];
  /**
   * The same for statements that are all known before the first is answered. Writes of a project that wait beside each other may
   * share one transaction, so a condition belongs into its statement; the answers say what became of it.
   */
  writeAtOnce(
    project: string,
    statements: (db: Kysely<Schema>) => readonly Compilable[],
  ): Promise<readonly QueryResult<unknown>[]>;
  /** Takes a document's chunks out of the index, inside a running write. */
  forgetChunks(db: Transaction<Schema>, project: string, document: string): Promise<void>;
  now(): number;
  /** The time all who share the store agree on; leases, paces and expiry go by it. */
  time(db: Kysely<Schema>): Promise<number>;
  newId(): string;
}
