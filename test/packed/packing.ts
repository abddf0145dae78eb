// One folder for the packed program per test run: named before the first test, made by the first that needs it, gone at the end.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    packingFolder: string;
  }
}

let folder: string | undefined;

export function setup(project: TestProject): void {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'packed-galley-')));
  project.provide('packingFolder', folder);
}

export function teardown(): void {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
}
