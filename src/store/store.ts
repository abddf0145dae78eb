// What lasts: one contract for every engine. Every call is scoped by project; a foreign id is NOT_FOUND.
import type { Budgets } from './budgets.js';
import type { ChunkIndex } from './chunks.js';
import type { Constraints } from './constraints.js';
import type { Documents } from './documents.js';
import type { Entities } from './entities.js';
import type { Lanes } from './lanes.js';
import type { Memory } from './memory.js';
import type { Projects } from './projects.js';
import type { Receipts } from './receipts.js';
import type { Runs, Summaries } from './runs.js';
import type { Settings } from './settings.js';
import type { StoredSkills } from './skills.js';
import type { Vectors } from './vectors.js';

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
  readonly lanes: Lanes;
  readonly receipts: Receipts;
  readonly chunks: ChunkIndex;
  readonly vectors: Vectors;
  /** Waits for running calls; afterwards every call is refused with STORE_UNAVAILABLE. Closing twice is fine. */
  close(): Promise<void>;
}
