// Whatever goes wrong between us and a forge, at whichever request: the next run brings the pull request to where an undisturbed one
// would have brought it, and nothing stands there twice.
import { describe, expect, it } from 'vitest';
import { isGalleyError } from '../../src/core/model/error.js';
import type { Fault } from '../../src/testing/forge/open-forge.js';
import { sweepOver } from '../sweep-size.js';
import { pullGround } from './ground-for-test.js';
import { codeOf, openPullGround, type PullGround, threadWords } from './pull-ground.js';

const plain = codeOf(Array.from({ length: 60 }, (_, at) => `line ${at}`));
const faulty = (...words: string[]) =>
  words.reduce((text, word, at) => text.replace(`// line ${5 + at * 10}\n`, `// FAULT ${word}\n`), plain);

/** A pull request that was reviewed once, and pushed to: one finding is fixed, two are new. */
async function pushedTo(open = pullGround): Promise<{ ground: PullGround; number: number }> {
  const ground = await open({ timeoutMs: 3000 });
  const { forge } = ground;
  await forge.commit({ branch: 'main', files: { 'src/a.ts': plain } });
  await forge.commit({ branch: 'topic', from: 'main', files: { 'src/a.ts': faulty('one', 'two') } });
  const number = await forge.openPull({ head: 'topic' });
  await ground.review(number);
  await forge.commit({ branch: 'topic', files: { 'src/a.ts': faulty('four', 'two', 'five') } });
  return { ground, number };
}

/** What people see, without ids. */
function shown({ forge }: PullGround, number: number) {
  const { threads, comments } = forge.pull(number);
  return {
    threads: threads.map(({ path, line, isResolved }) => [path, line, isResolved]),
    words: threadWords(forge, number),
    summary: comments.map(({ body }) => body.replaceAll(/127\.0\.0\.1:\d+|[0-9a-f]{40,}|state \S+/g, '')),
    check: forge.checkRuns.at(-1)?.conclusion,
  };
}

const undisturbed = async () => {
  const { ground, number } = await pushedTo(openPullGround);
  const before = ground.forge.requests.length;
  await ground.review(number);
  const found = { wanted: shown(ground, number), requests: ground.forge.requests.length - before };
  await ground.close();
  return found;
};

const faults: Readonly<Record<string, Fault>> = {
  'a secondary limit': { kind: 'secondary-limit' },
  'a failure of the host': { kind: 'status', status: 502 },
  'a connection that is cut': { kind: 'cut' },
  'an answer that is lost': { kind: 'lost-answer' },
  'half an answer': { kind: 'malformed' },
  'no answer': { kind: 'hang' },
};

describe('a run', async () => {
  const { wanted, requests } = await undisturbed();
  const numbers = Array.from({ length: requests }, (_, at) => at + 1);
  const cases = Object.keys(faults).flatMap((name) => numbers.map((number) => ({ name, number })));

  it('needs few requests', () => {
    expect(requests).toBeLessThanOrEqual(16);
    expect(wanted).toMatchObject({ words: ['five', 'four', 'one', 'two'], check: 'success' });
    expect(wanted.threads.filter(([, , isResolved]) => isResolved)).toHaveLength(1);
  });

  it.each(sweepOver('one request of a posting fails', cases, 6))(
    'comes to the same state with $name at request $number',
    async ({ name, number: at }) => {
      const { ground, number } = await pushedTo();
      // A fetch that hangs is given up by git itself, after a minute.
      const fault = faults[name]!;
      ground.forge.fail(({ number: nth, kind }) =>
        nth === at && !(fault.kind === 'hang' && kind === 'git') ? fault : undefined,
      );
      const first = await ground.review(number).catch((error: unknown) => error);
      if (first instanceof Error) expect(isGalleyError(first) && first.code).toMatch(/^FORGE_|^GIT_FAILED$/);
      ground.forge.fail(undefined);
      await ground.review(number);
      expect(shown(ground, number)).toEqual(wanted);
    },
  );

  const kills = numbers.flatMap((number) =>
    (['cut', 'lost-answer'] as const).map((kind) => ({ kind, number })),
  );
  it.each(sweepOver('a posting is killed', kills, 3))(
    'that ends at request $number ($kind) is completed by the next one',
    async ({ kind, number: at }) => {
      const { ground, number } = await pushedTo();
      ground.forge.fail(({ number: nth }) => (nth < at ? undefined : { kind: nth === at ? kind : 'cut' }));
      await ground.review(number).catch(() => undefined);
      ground.forge.fail(undefined);
      await ground.review(number);
      expect(shown(ground, number)).toEqual(wanted);
    },
  );

  it('refused at every second request says so, and loses nothing', async () => {
    const { ground, number } = await pushedTo();
    ground.forge.fail(({ number: nth, method }) =>
      nth % 2 === 0 && method !== 'GET' ? { kind: 'status', status: 422 } : undefined,
    );
    await ground.review(number).catch((error: unknown) => {
      expect(isGalleyError(error) && error.code).toBe('FORGE_REFUSED');
    });
    ground.forge.fail(undefined);
    await ground.review(number, { everything: true });
    const { comments } = ground.forge.pull(number);
    const standing = [
      ...threadWords(ground.forge, number),
      ...comments.flatMap(({ body }) => body.match(/Fault \w+/g) ?? []),
    ];
    for (const word of ['two', 'four', 'five'])
      expect(standing.some((said) => said.includes(word))).toBe(true);
    expect(new Set(threadWords(ground.forge, number)).size).toBe(threadWords(ground.forge, number).length);
  });
});
