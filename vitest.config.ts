import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/packed/packing.ts'],
    setupFiles: ['test/fixed-seed.ts', 'test/answers/hold-answers.ts'],
    // What people read is in English here, whatever language the machine speaks.
    env: { LC_ALL: 'C' },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    passWithNoTests: false,
    disableConsoleIntercept: true,
    maxWorkers: 2,
  },
});
