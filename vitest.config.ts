import { defineConfig } from 'vitest/config';
import { isNightly } from './test/sweep-size.js';

const patience = isNightly ? 3_600_000 : 180_000;

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/packed/packing.ts'],
    setupFiles: ['test/fixed-seed.ts', 'test/answers/hold-answers.ts'],
    // What people read is in English here, whatever language the machine speaks.
    env: { LC_ALL: 'C' },
    testTimeout: patience,
    hookTimeout: patience,
    passWithNoTests: false,
    disableConsoleIntercept: true,
    maxWorkers: 2,
    // Loading the sources anew for each of 250 files costs as much as a third of the tests.
    isolate: false,
  },
});
