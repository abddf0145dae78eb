// What lasts: one contract for every engine. Every call is scoped by project; a foreign id is NOT_FOUND.
import type { Presence } from './presence.js';
import type { Budgets } from './tables/budgets.js';
import type { ChunkIndex } from './tables/chunks.js';
import type { Constraints } from './tables/constraints.js';
import type { Documents } from './tables/documents.js';
import type { Drafts, Snapshots } from './tables/drafts.js';
import type { Entities } from './tables/entities.js';
import type { JobAnswers } from './tables/job-answers.js';
import type { Jobs } from './tables/jobs.js';
import type { Memory } from './tables/memory.js';
import type { Paces } from './tables/paces.js';
import type { Projects } from './tables/projects.js';
import type { PromptHistories } from './tables/prompt-histories.js';
import type { Receipts } from './tables/receipts.js';
import type { Rooms } from './tables/rooms.js';
import type { Runs, Summaries } from './tables/runs.js';
import type { Settings } from './tables/settings.js';
import type { StoredSkills } from './tables/skills.js';
import type { Spending } from './tables/spending.js';
import type { Tokens } from './tables/tokens.js';
import type { Vectors } from './tables/vectors.js';

export interface Store {
  readonly projects: Projects;
  readonly settings: Settings;
  readonly documents: Documents;
  readonly constraints: Constraints;
  readonly entities: Entities;
  readonly memory: Memory;
  readonly summaries: Summaries;
  readonly runs: Runs;
  readonly skills: StoredSkills;
  readonly budgets: Budgets;
  readonly lanes: PromptHistories;
  readonly receipts: Receipts;
  readonly chunks: ChunkIndex;
  readonly vectors: Vectors;
  readonly drafts: Drafts;
  readonly snapshots: Snapshots;
  readonly rooms: Rooms;
  readonly tokens: Tokens;
  readonly spending: Spending;
  readonly paces: Paces;
  readonly jobs: Jobs;
  readonly jobAnswers: JobAnswers;
  readonly presence: Presence;
  /**
   * Within `work` a question that was asked is not asked again until something is written. `ahead` asks for what `work` will ask
   * for: a store that is far away answers it all at once, one that is near has no use for it.
   */
  together<T>(work: () => Promise<T>, ahead?: () => readonly Promise<unknown>[]): Promise<T>;
  /** Refuses, and says why, where nothing could be written now; writes nothing itself. */
  checkWritable(): Promise<void>;
  /** Waits for running calls; afterwards every call is refused with STORE_UNAVAILABLE. Closing twice is fine. */
  close(): Promise<void>;
}
