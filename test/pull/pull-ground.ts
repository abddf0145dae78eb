// A forge on this machine with a pull request, a reviewer that sees what is marked in the code, and the program's own way between them.
import { rmSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import { findForge } from '../../src/forges/find-forge.js';
import { scratchFolder } from '../../src/git/testing/scratch-repository.js';
import type { Model } from '../../src/models/contract/model.js';
import { call } from '../../src/operations/call.js';
import type { AnswerOf, OperationId } from '../../src/operations/table.js';
import { readFinding } from '../../src/review/pull/finding-marks.js';
import { type ForgeOptions, type LoopbackForge, openForge } from '../../src/testing/forge/open-forge.js';
import { scriptedModel } from '../../src/testing/scripted-model.js';
import { bareContext } from '../review-run/review-ground.js';

export interface PullGround {
  readonly forge: LoopbackForge;
  /** Empty: everything comes from the forge. */
  readonly folder: string;
  readonly model: Model & { readonly requests: readonly { readonly prompt: string }[] };
  operation<Id extends OperationId>(id: Id, request: object, token?: string): Promise<AnswerOf<Id>>;
  /** Reviews and posts. */
  review(number: number, request?: object): Promise<AnswerOf<'forge:review'>>;
}

export interface GroundOptions extends Partial<ForgeOptions> {
  /** What it overlooks. */
  readonly overlooks?: (word: string, call: number) => boolean;
}

export async function pullGround({ overlooks, ...options }: GroundOptions = {}): Promise<PullGround> {
  const forge = await openForge({ kind: 'github', repository: 'acme/widgets', ...options });
  const folder = scratchFolder();
  onTestFinished(async () => {
    rmSync(folder, { recursive: true, force: true });
    await forge.close();
  });
  let calls = 0;
  const model = scriptedModel([
    async ({ prompt }) => {
      calls += 1;
      const seen = marksOf(prompt).filter(({ word }) => overlooks?.(word, calls) !== true);
      return JSON.stringify({ findings: seen.map(findingOf) });
    },
  ]);
  const operation: PullGround['operation'] = async (id, request, token) =>
    (await call(id, request, {
      ...bareContext(folder),
      model: async () => model,
      forge: (asked) =>
        findForge({
          asked,
          environment: token === undefined ? forge.env : forge.envOf(token),
          remotes: async () => [],
          keptToken: async () => undefined,
          sleep: async (ms) => forge.advance(ms),
        }),
    })) as never;
  return {
    ...{ forge, folder, model, operation },
    review: (number, request = {}) =>
      operation('forge:review', { pull: String(number), post: true, model: 'test/scripted', ...request }),
  };
}

interface Mark {
  readonly path: string;
  readonly word: string;
  readonly line: string;
  readonly level: string;
}

/** Added lines that hold `FAULT <word>`, or `GRAVE <word>`. */
function marksOf(prompt: string): Mark[] {
  const marks: Mark[] = [];
  let path = '';
  for (const line of prompt.split('\n')) {
    path = /^## (\S+\.\w+)$/.exec(line)?.[1] ?? path;
    const mark = /^\+.*\b(FAULT|GRAVE) (\w+)/.exec(line);
    if (mark !== null) marks.push({ path, word: mark[2]!, line: line.slice(1), level: mark[1]! });
  }
  return marks;
}

function findingOf({ path, word, line, level }: Mark): object {
  return {
    ...{ path, side: 'new', startLine: 1, endLine: 1, category: 'correctness', confidence: 0.9 },
    severity: level === 'GRAVE' ? 'critical' : 'medium',
    title: `Fault ${word}`,
    message: `The ${word} of ${word}ing is ${word}ed; ${word}s break it.`,
    evidence: line,
  };
}

/** Lines of code, one of each so many marked. */
export function codeOf(words: readonly string[], filler = 'value'): string {
  return words.map((word, at) => `const ${filler}${at} = ${at}; // ${word}\n`).join('');
}

/** The words of the findings that stand in threads. */
export function threadWords(forge: LoopbackForge, number: number): string[] {
  return forge
    .pull(number)
    .threads.flatMap(({ comments: [first] }) => (first === undefined ? [] : [wordOf(first.body)]))
    .sort();
}

function wordOf(body: string): string {
  return /^Fault (\w+)$/.exec(readFinding(body)?.title ?? '')?.[1] ?? body;
}
