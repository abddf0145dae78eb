// Paths whose content git cannot give are left out by name in every answer, and no coverage line says complete.
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  inFolder,
  type ScratchRepository,
  scratchRepository,
} from '../../src/git/testing/scratch-repository.js';
import { call } from '../../src/operations/call.js';
import type { Omission } from '../../src/review/change/omission.js';
import type { ReviewChunks } from '../../src/review/pages/page-set.js';
import type { AnsweredReport } from '../../src/review/report/report-answers.js';
import type { DryRun, ReviewRun } from '../../src/review/run/result-of-run.js';
import { scriptedModel } from '../../src/testing/scripted-model.js';
import { answerWith, bareContext } from '../review-run/review-ground.js';

interface Answer {
  readonly omitted: readonly Omission[];
  readonly coverage?: string;
}

function scratch(): ScratchRepository {
  const repository = scratchRepository();
  onTestFinished(() => repository.dispose());
  return repository;
}

const ask = async <Result = Answer>(repository: ScratchRepository, operation: string, request: object) =>
  (await call(operation, request, bareContext(repository.folder))) as Result;

async function everyAnswer(repository: ScratchRepository, mode: string): Promise<Answer[]> {
  return Promise.all([
    ask(repository, 'review:changes', { mode }),
    ask(repository, 'review:plan', { mode }),
    ask(repository, 'review:chunks', { mode }),
    ask(repository, 'review:bundles', { mode }),
    ask(repository, 'review:run', { mode, dryRun: true }),
  ]);
}

const unread = (path: string): Omission => ({
  path,
  reason: 'could not be read',
  rule: 'unreadable',
  added: 0,
  removed: 0,
});
const disputed = (path: string): Omission => ({
  path,
  reason: 'in conflict',
  rule: 'in-conflict',
  added: 0,
  removed: 0,
});

/** A folder git takes for a repository of its own that has nothing to point at. */
function nest(repository: ScratchRepository, name: string): void {
  mkdirSync(join(repository.folder, name), { recursive: true });
  inFolder(join(repository.folder, name)).git('init', '-q', '.');
}

function inConflict(): ScratchRepository {
  const repository = scratch();
  repository.write('file.ts', 'base\n');
  repository.write('gone.ts', 'base\n');
  repository.write('package-lock.json', '{}\n');
  repository.commit('base');
  repository.git('checkout', '-q', '-b', 'other');
  repository.write('file.ts', 'theirs\n');
  repository.write('gone.ts', 'theirs\n');
  repository.write('package-lock.json', '{"a":1}\n');
  repository.commit('theirs');
  repository.git('checkout', '-q', 'main');
  repository.write('file.ts', 'ours\n');
  repository.remove('gone.ts');
  repository.write('package-lock.json', '{"b":1}\n');
  repository.commit('ours');
  expect(() => repository.git('merge', '-q', 'other')).toThrow();
  repository.write('clean.ts', 'export const clean = 1;\n');
  repository.git('add', 'clean.ts');
  return repository;
}

describe('paths of the working tree that git cannot read', () => {
  it('are left out by name in every answer, all of them', async () => {
    const repository = scratch();
    repository.write('a.ts', 'export const a = 1;\n');
    const names = Array.from({ length: 25 }, (_, at) => `nested-${String(at).padStart(2, '0')}`);
    for (const name of names) nest(repository, name);
    const expected = names.map((name) => unread(`${name}/`));
    for (const { omitted, coverage } of await everyAnswer(repository, 'working')) {
      expect(omitted).toEqual(expected);
      if (coverage !== undefined)
        expect(coverage).toBe('Partial: 1 file (+1 -0); left out 25 files: 25 could not be read (+0 -0).');
    }
    const { receipt } = await ask<ReviewChunks>(repository, 'review:chunks', { mode: 'working' });
    expect(receipt.accounting.unseen).toEqual(expected.map(({ path }) => path));
    expect(receipt.accounting.onPages).toEqual({ added: 1, removed: 0 });
  });

  it('leave a review by a model, and a report, incomplete', async () => {
    const repository = scratch();
    repository.write('a.ts', 'export const a = 1;\n');
    nest(repository, 'nested');
    const model = scriptedModel([{ text: answerWith() }]);
    const run = (await call(
      'review:run',
      { mode: 'working' },
      { ...bareContext(repository.folder), model: async () => model },
    )) as ReviewRun;
    expect(run).toMatchObject({ complete: false, missing: [], omitted: [unread('nested/')] });
    expect(run.coverage).toMatch(/^Partial: .*1 could not be read/);
    const request = { mode: 'working', answers: [answerWith()] };
    const report = await ask<AnsweredReport>(repository, 'review:report', request);
    expect(report.complete).toBe(false);
    expect(report.report).toContain('Partial: 1 file (+1 -0); left out 1 file: 1 could not be read');
  });

  it('that the project ignores, or that are never sent, keep that reason', async () => {
    const repository = scratch();
    repository.write('.galleyignore', 'private\n');
    repository.write('a.ts', 'a\n');
    repository.commit('before');
    for (const name of ['private', 'vendor/library', 'other']) nest(repository, name);
    const { omitted } = await ask(repository, 'review:changes', { mode: 'working' });
    expect(omitted.map(({ path, rule }) => [path, rule])).toEqual([
      ['other/', 'unreadable'],
      ['private/', 'project'],
      ['vendor/library/', 'directory'],
    ]);
  });

  // Whoever may read everything has no such folder.
  it.skipIf(process.getuid?.() === 0)('are folders that cannot be opened, too', async () => {
    const repository = scratch();
    repository.write('a.ts', 'a\n');
    repository.write('locked/b.ts', 'b\n');
    repository.write('tracked/c.ts', 'c\n');
    repository.git('add', 'tracked');
    const folders = ['locked', 'tracked'].map((name) => join(repository.folder, name));
    for (const folder of folders) chmodSync(folder, 0);
    try {
      const { omitted } = await ask(repository, 'review:chunks', { mode: 'working' });
      expect(omitted).toEqual([unread('locked/'), unread('tracked/')]);
    } finally {
      for (const folder of folders) chmodSync(folder, 0o755);
    }
  });

  it('do not count files of Git LFS among them', async () => {
    const repository = scratch();
    repository.write('.gitattributes', '*.psd filter=lfs diff=lfs merge=lfs -text\n');
    repository.write('art.psd', 'large\n');
    nest(repository, 'nested');
    const { omitted } = await ask(repository, 'review:changes', { mode: 'working' });
    expect(omitted.filter(({ rule }) => rule === 'unreadable')).toEqual([unread('nested/')]);
  });
});

describe('paths in conflict', () => {
  it('are left out of what is staged, since the index holds no content for them', async () => {
    const repository = inConflict();
    for (const { omitted, coverage } of await everyAnswer(repository, 'staged')) {
      expect(omitted).toMatchObject([
        disputed('file.ts'),
        disputed('gone.ts'),
        { path: 'package-lock.json', rule: 'lockfile' },
      ]);
      if (coverage !== undefined)
        expect(coverage).toMatch(/^Partial: 1 file \(\+1 -0\); left out 3 files: 2 in conflict \(\+0 -0\), /);
    }
    const { receipt, chunks } = await ask<ReviewChunks>(repository, 'review:chunks', { mode: 'staged' });
    expect(receipt.accounting.unseen).toEqual(['file.ts', 'gone.ts']);
    expect(chunks.flatMap(({ files }) => files)).toEqual(['clean.ts']);
  });

  it('are shown with their markers where the working tree has them', async () => {
    const repository = inConflict();
    const { chunks, omitted } = await ask<ReviewChunks>(repository, 'review:chunks', { mode: 'working' });
    expect(omitted.map(({ path }) => path)).toEqual(['package-lock.json']);
    expect(chunks[0]?.text).toContain('+<<<<<<< HEAD\n ours\n+=======\n+theirs\n');
  });

  it('are left out where the working tree has no file for them', async () => {
    const repository = inConflict();
    repository.remove('file.ts');
    const { omitted, coverage } = await ask<DryRun>(repository, 'review:run', {
      mode: 'working',
      dryRun: true,
    });
    expect(omitted).toContainEqual(disputed('file.ts'));
    expect(coverage).toMatch(/^Partial: /);
  });
});
