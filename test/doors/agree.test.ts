// The same requests through every door, each on a fresh store with the same clock, give the same bytes.
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ScratchRepository,
  scratchFolder,
  scratchRepository,
} from '../../src/git/testing/scratch-repository.js';
import { findOperation, operationIds } from '../../src/operations/table.js';
import { createEngine } from '../../src/surfaces/engine.js';
import { scriptedModel } from '../../src/testing/scripted-model.js';
import { sweepSize } from '../sweep-size.js';
import { type Door, doors, shellDoor } from './doors.js';
import { notRun, requests, type Step, stepOf } from './requests.js';

let repository: ScratchRepository;
beforeAll(() => {
  repository = scratchRepository();
  repository.write('src/a.ts', 'export const a = 1;\n');
  repository.write('src/b.ts', "import { a } from './a.js';\nexport const b = a + 1;\n");
  repository.commit('before');
  repository.git('checkout', '-q', '-b', 'topic');
  repository.write('src/a.ts', 'export const a = 2;\n');
  repository.write('yarn.lock', 'x\n');
  repository.commit('after');
  repository.write('src/b.ts', "import { a } from './a.js';\nexport const b = a + 2;\n");
});
afterAll(() => repository.dispose());

async function walk(door: Door, steps: readonly Step[]): Promise<string[]> {
  const { folder } = repository;
  let time = 0;
  let ids = 0;
  const model = scriptedModel(['It rained on the moon.', '林远点了点头。']);
  const engine = createEngine({
    folder,
    store: ':memory:',
    debug: true,
    model: async () => model,
    now: () => ++time,
    newId: () => `id-${++ids}`,
  });
  const open = await door(engine, folder);
  const said: string[] = [];
  try {
    for (const [id, request] of steps) said.push(await open.call(id, request));
  } finally {
    await open.close();
    await engine.close();
  }
  return said;
}

async function expectAgreement(steps: readonly Step[]): Promise<string[]> {
  const [first, ...others] = Object.entries(doors);
  const expected = await walk(first?.[1] as Door, steps);
  for (const [name, door] of others) expect(await walk(door, steps), name).toEqual(expected);
  for (const [at, answer] of expected.entries()) await expectDeclared(steps[at]?.[0] ?? '', answer);
  return expected;
}

/** What is answered in JSON is what the operation publishes, to the field. */
async function expectDeclared(id: string, json: string): Promise<void> {
  if (json.startsWith('{"error"')) return;
  const value = JSON.parse(json) as unknown;
  const operation = await findOperation(id);
  expect([id, operation?.output.safeParse(value)]).toEqual([id, { success: true, data: value }]);
}

const runnable = operationIds.filter((id) => !Object.hasOwn(notRun, id));
const quick = runnable.filter((id) => !id.startsWith('review:'));

describe('the doors agree', () => {
  it('about every operation of the table: each has requests here, or a reason not to', () => {
    expect([...Object.keys(requests), ...Object.keys(notRun)].sort()).toEqual([...operationIds].sort());
  });

  it('on one request for every operation', async () => {
    const steps = runnable.map((id) => fc.sample(stepOf(id), { numRuns: 1, seed: 7 })[0] as Step);
    const said = await expectAgreement(steps);
    expect(said).toHaveLength(runnable.length);
    expect(said.every((answer) => typeof answer === 'string' && answer.startsWith('{'))).toBe(true);
  });

  it('on any session', async () => {
    const numRuns = sweepSize('sessions through every door', { everyRun: 6, nightly: 200 });
    const counts = { answers: 0, refusals: 0 };
    const session = fc.array(fc.constantFrom(...quick).chain(stepOf), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(session, async (steps) => {
        for (const answer of await expectAgreement(steps)) {
          counts[answer.startsWith('{"error"') ? 'refusals' : 'answers'] += 1;
        }
      }),
      { numRuns },
    );
    expect(counts.answers).toBeGreaterThanOrEqual(numRuns);
    expect(counts.refusals).toBeGreaterThan(numRuns / 4);
  });

  it('on any review', async () => {
    const reviews = runnable.filter((id) => id.startsWith('review:'));
    const session = fc.array(fc.constantFrom(...reviews).chain(stepOf), { minLength: 1, maxLength: 2 });
    await fc.assert(
      fc.asyncProperty(session, async (steps) => void (await expectAgreement(steps))),
      { numRuns: sweepSize('reviews through every door', { everyRun: 2, nightly: 40 }) },
    );
  });

  it('in the shell too, but for its clock and its dice', async () => {
    const folder = scratchFolder();
    const project = { projectId: 'novel' };
    const document = { ...project, documentId: 'one' };
    const scene = { ...document, cursorPosition: 5, skillId: 'continue' };
    const steps: Step[] = [
      ['agents:assemble', { agentType: 'gemini', contextMessages: [], currentMessage: '你好 "wörld"\n' }],
      ['constraints:create', { ...project, id: 'c', text: 'No magic.', kind: 'world' }],
      ['documents:put', { ...document, text: 'It was night on the moon.' }],
      ['context:assemble', scene],
      ['constraints:create', { ...project, text: 5, kind: 'world' }],
      ['review:chunks', { mode: 'pr', base: 'main' }],
      ['review:plan', { mode: 'commit', commit: 'nowhere' }],
    ];
    const shell = await walk(() => shellDoor(repository.folder, join(folder, 'shell.db')), steps);
    const library = await walk(doors.library as Door, steps);
    expect(shell.map(withoutChance)).toEqual(library.map(withoutChance));
  });
});

/** Times and ids that nobody gave. */
function withoutChance(json: string): string {
  return JSON.stringify(JSON.parse(json), (key, value) => {
    if (/(?:At|Ms)$/.test(key) && typeof value === 'number') return 0;
    return key === 'receiptId' || key === 'runId' ? 'id' : value;
  });
}
