// A repository with a change of as many pages as wanted, and a way to review it with a given model.
import { onTestFinished } from 'vitest';
import { type ScratchRepository, scratchRepository } from '../../src/git/testing/scratch-repository.js';
import type { Model, ModelAnswer, ModelRequest, RunOptions } from '../../src/models/contract/model.js';
import { call } from '../../src/operations/call.js';
import type { OperationContext } from '../../src/operations/operation.js';
import type { DryRun, ReviewRun } from '../../src/review/run/result-of-run.js';

export interface ReviewGround {
  readonly repository: ScratchRepository;
  run(model: Model, request?: object, context?: Partial<OperationContext>): Promise<ReviewRun>;
  dryRun(request?: object): Promise<DryRun>;
}

/** The branch `topic` stands checked out; what it adds to `main` is the change. */
export function reviewGround(
  make: (repository: ScratchRepository) => void,
  base?: typeof make,
): ReviewGround {
  const repository = scratchRepository();
  repository.write('README.md', 'A project.\n');
  base?.(repository);
  repository.commit('before');
  repository.git('checkout', '-q', '-b', 'topic');
  make(repository);
  repository.commit('after');
  const ask = (request: object, context: Partial<OperationContext>) =>
    call(
      'review:run',
      { mode: 'pr', base: 'main', ...request },
      { ...bareContext(repository.folder), ...context },
    );
  return {
    repository,
    run: (model, request = {}, context = {}) =>
      ask(request, { model: async () => model, ...context }) as Promise<ReviewRun>,
    dryRun: (request = {}) => ask({ dryRun: true, ...request }, {}) as Promise<DryRun>,
  };
}

/** Gone with the test that asks for it. */
export function groundForTest(...parts: Parameters<typeof reviewGround>): ReviewGround {
  const ground = reviewGround(...parts);
  onTestFinished(() => ground.repository.dispose());
  return ground;
}

export function bareContext(folder: string): OperationContext {
  return {
    signal: new AbortController().signal,
    folder,
    debug: false,
    grants: new Set(['read', 'run']),
    log: () => {},
    now: () => 0,
    store: () => Promise.reject(new TypeError('no store here')),
    model: () => Promise.reject(new TypeError('no model here')),
  };
}

/** As many files as pages: each is too large to share its page. */
export function manyPages(pages: number): (repository: ScratchRepository) => void {
  return (repository) => {
    for (let page = 1; page <= pages; page += 1)
      repository.write(`src/file-${String(page).padStart(4, '0')}.ts`, fileOf(page));
  };
}
export const onePerPage = { maxChunkTokens: 400 };

function fileOf(page: number): string {
  const lines = Array.from(
    { length: 24 },
    (_, line) => `export const value${line} = ${page * 100 + line};\n`,
  );
  return lines.join('');
}

export function answerWith(...findings: object[]): string {
  return JSON.stringify({ findings });
}

export function findingOn(path: string, change: object = {}): object {
  return {
    path,
    side: 'new',
    startLine: 1,
    endLine: 1,
    severity: 'high',
    category: 'correctness',
    confidence: 0.9,
    title: `Wrong value in ${path}`,
    message: `The value in ${path} is wrong and callers read it.`,
    evidence: '',
    ...change,
  };
}

/** The first path a page shows. */
export function pathOf({ prompt }: ModelRequest): string {
  return /^## (\S+\.\w+)$/m.exec(prompt)?.[1] ?? '';
}

export interface CountingModel extends Model {
  calls(): number;
  mostAtOnce(): number;
}

/** Holds nothing of what it is asked but counts. */
export function countingModel(
  say: (request: ModelRequest, options: RunOptions, call: number) => Promise<string | Partial<ModelAnswer>>,
  id = 'test/counting',
): CountingModel {
  let [calls, now, most] = [0, 0, 0];
  return {
    id,
    family: 'replay',
    calls: () => calls,
    mostAtOnce: () => most,
    async run(request, options) {
      calls += 1;
      now += 1;
      most = Math.max(most, now);
      try {
        const said = await say(request, options, calls);
        return { text: '', finish: 'stop', ...(typeof said === 'string' ? { text: said } : said) };
      } finally {
        now -= 1;
      }
    },
  };
}
