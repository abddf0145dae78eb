import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { isNightly } from './test/sweep-size.js';

/** Tests of what a process learns and keeps, or that change the process itself: each has one to itself. */
const alone = [
  'src/code/outline.test.ts',
  'src/git/repository/open-repository.test.ts',
  'src/meters/load-meter.test.ts',
  'src/models/cache/foresight.test.ts',
  'src/store/sqlite/refusals.test.ts',
  'src/surfaces/cli/doctor/doctor.test.ts',
  'src/surfaces/cli/operations/json-answer.test.ts',
  'src/surfaces/cli/shell/cancellation.test.ts',
  'src/surfaces/cli/write/write-commands.test.ts',
  'test/docs/walks.test.ts',
  'test/review-run/http.test.ts',
  'test/skills/cache-run.test.ts',
];
/** Its JSON is imported in a way that only bundlers read, and its source maps lead nowhere. */
const workflowParser = /@actions\/workflow-parser\/dist\/.*\.js$/;
const withoutSourceMaps = {
  name: 'without-source-maps',
  load: (id: string) =>
    workflowParser.test(id)
      ? readFileSync(id, 'utf8').replace(/^\/\/# sourceMappingURL=.*$/m, '')
      : undefined,
};
/** Files that share their processes; together they are all tests. */
const shelves = {
  rooms: ['src/!(review|surfaces)/**/*.test.ts'],
  'review and doors': ['src/{review,surfaces}/**/*.test.ts'],
  'test a–o': ['test/*.test.ts', 'test/[a-o]*/**/*.test.ts'],
  'test p–z': ['test/[p-z]*/**/*.test.ts'],
};
const patience = isNightly ? 3_600_000 : 180_000;
const shared = {
  globalSetup: ['test/packed/packing.ts'],
  setupFiles: [
    'test/fixed-seed.ts',
    'test/clean-process.ts',
    'test/patient-waits.ts',
    'test/answers/hold-answers.ts',
  ],
  server: { deps: { inline: [workflowParser] } },
  // What people read is in English here, whatever language the machine speaks; nothing is kept in the home of whoever runs it.
  env: { LC_ALL: 'C', XDG_STATE_HOME: join(tmpdir(), 'galley-test-state') },
  testTimeout: patience,
  hookTimeout: patience,
  expect: { poll: { timeout: 60_000 } },
};

export default defineConfig({
  test: {
    passWithNoTests: false,
    disableConsoleIntercept: true,
    maxWorkers: 2,
    projects: [
      // Loading the sources anew for each of 400 files would cost a third of the time. But a process that has run all of them is large,
      // and a large process is slow to start another: so every shelf begins with processes of its own.
      ...Object.entries(shelves).map(([name, include]) => ({
        plugins: [withoutSourceMaps],
        test: { ...shared, name, include, exclude: alone, isolate: false },
      })),
      { test: { ...shared, name: 'alone', include: alone } },
    ],
  },
});
