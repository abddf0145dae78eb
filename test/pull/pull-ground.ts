// A forge on this machine with a pull request, a reviewer that sees what is marked in the code, and the program's own way between them.
import { rmSync } from 'node:fs';
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
  operation<Id extends OperationId>(
    id: Id,
    request: object,
    token?: string,
    model?: () => Promise<Model>,
  ): Promise<AnswerOf<Id>>;
  /** Reviews and posts. */
  review(number: number, request?: object): Promise<AnswerOf<'forge:review'>>;
  close(): Promise<void>;
}

export interface GroundOptions extends Partial<ForgeOptions> {
  /** What a model finds on a page; what is marked in the code when left out. */
  readonly finds?: (prompt: string) => readonly object[];
  /** What it says of them when it is shown them again. */
  readonly judges?: () => readonly object[];
  /** What it says to anything but a page to review; undefined where it reviews. */
  readonly says?: (prompt: string) => object | undefined;
  /** Of one call to the forge. */
  readonly timeoutMs?: number;
}

export async function openPullGround({
  finds = foundIn,
  judges,
  says,
  timeoutMs,
  ...options
}: GroundOptions = {}): Promise<PullGround> {
  const forge = await openForge({
    ...{ kind: 'github', repository: 'acme/widgets' },
    ...options,
    roles: { ada: 'write', ...options.roles },
  });
  const folder = scratchFolder();
  const model = scriptedModel([
    async ({ prompt }) =>
      JSON.stringify(says?.(prompt) ?? { summary: '', findings: finds(prompt), verdicts: judges?.() }),
  ]);
  const operation: PullGround['operation'] = async (id, request, token, other) =>
    (await call(id, request, {
      ...bareContext(folder),
      model: other ?? (async () => model),
      forge: (asked) =>
        findForge({
          asked,
          environment: token === undefined ? forge.env : forge.envOf(token),
          remotes: async () => [],
          keptToken: async () => undefined,
          sleep: async (ms) => forge.advance(ms),
          ...(timeoutMs === undefined ? {} : { timeoutMs }),
        }),
    })) as never;
  return {
    ...{ forge, folder, model, operation },
    async close() {
      rmSync(folder, { recursive: true, force: true });
      await forge.close();
    },
    review: (number, request = {}) =>
      operation('forge:review', {
        ...{ pull: String(number), post: true, model: 'test/scripted', verify: false },
        ...request,
      }),
  };
}

/** What is marked in the code. */
export function foundIn(prompt: string): object[] {
  return marksOf(prompt).map(findingOf);
}

interface Mark {
  readonly path: string;
  readonly word: string;
  readonly line: string;
  readonly level: string;
}

/** Added lines that hold `FAULT <word>`, or `GRAVE <word>`. */
function marksOf(prompt: string): Mark[] {
  return addedLines(prompt).flatMap(({ path, line }) => {
    const mark = /\b(FAULT|GRAVE) (\w+)/.exec(line);
    return mark === null ? [] : [{ path, line, word: mark[2]!, level: mark[1]! }];
  });
}

/** As a page shows them. */
export function addedLines(prompt: string): { readonly path: string; readonly line: string }[] {
  let path = '';
  return prompt.split('\n').flatMap((line) => {
    path = /^## (\S+)$/.exec(line)?.[1] ?? path;
    return line.startsWith('+') ? [{ path, line: line.slice(1) }] : [];
  });
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
