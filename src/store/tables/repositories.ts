// Everything a store holds beside its retrieval index, assembled once for all engines.
import { budgetsIn } from './budgets.js';
import { constraintsIn } from './constraints.js';
import { documentsIn } from './documents.js';
import { draftsIn, snapshotsIn } from './drafts.js';
import { entitiesIn } from './entities.js';
import { jobAnswersIn } from './job-answers.js';
import { jobsIn } from './jobs.js';
import { memoryIn } from './memory.js';
import { pacesIn } from './paces.js';
import { projectsIn } from './projects.js';
import { promptHistoriesIn } from './prompt-histories.js';
import { receiptsIn } from './receipts.js';
import { roomsIn } from './rooms.js';
import { runsIn, summariesIn } from './runs.js';
import type { Database } from './schema.js';
import { settingsIn } from './settings.js';
import { skillsIn } from './skills.js';
import { spendingIn } from './spending.js';
import { tokensIn } from './tokens.js';
import { vectorsIn } from './vectors.js';

export function repositoriesIn(database: Database, receiptsKept: number) {
  return {
    projects: projectsIn(database),
    settings: settingsIn(database),
    documents: documentsIn(database),
    constraints: constraintsIn(database),
    entities: entitiesIn(database),
    memory: memoryIn(database),
    summaries: summariesIn(database),
    runs: runsIn(database),
    skills: skillsIn(database),
    budgets: budgetsIn(database),
    lanes: promptHistoriesIn(database),
    receipts: receiptsIn(database, receiptsKept),
    vectors: vectorsIn(database),
    drafts: draftsIn(database),
    snapshots: snapshotsIn(database),
    rooms: roomsIn(database),
    tokens: tokensIn(database),
    spending: spendingIn(database),
    paces: pacesIn(database),
    jobs: jobsIn(database),
    jobAnswers: jobAnswersIn(database),
  };
}
