import type { ClaimedJob } from '../../store/tables/job-claims.js';
import type { JobDraft } from '../../store/tables/job-rows.js';
import { onGround, refusal, type StoreGround, type TestTools } from './ground.js';

export function jobsContract(
  { describe, it, expect }: TestTools,
  newGround: () => Promise<StoreGround>,
): void {
  const draft = (fields: Partial<JobDraft> = {}): JobDraft => ({
    operation: 'review:run',
    request: { base: '主干' },
    owner: { grants: ['run'] },
    ...fields,
  });
  const long = 1_000_000;
  const ids = (jobs: readonly { readonly id: string }[]) => jobs.map(({ id }) => id);

  describe('jobs', () => {
    it('adds the same key once, whoever adds it', () =>
      onGround(newGround, async ({ store, another }) => {
        const other = await another();
        const added = await Promise.all(
          Array.from({ length: 10 }, (_, nth) =>
            (nth % 2 === 0 ? store : other).jobs.add('p', draft({ key: 'k', request: { nth } })),
          ),
        );
        expect(new Set(ids(added)).size).toBe(1);
        expect((await other.jobs.list('p')).length).toBe(1);
        await store.jobs.add('p', draft());
        await store.jobs.add('p', draft());
        await store.jobs.add('q', draft({ key: 'k' }));
        expect((await other.jobs.list('p')).length).toBe(3);
        expect(await refusal(store.jobs.get('q', added[0]!.id))).toBe('NOT_FOUND');
        expect(await store.jobs.get('p', added[0]!.id)).toMatchObject({ status: 'queued', key: 'k' });
      }));

    it('gives every job to one claim, the most urgent first', () =>
      onGround(newGround, async ({ store, another }) => {
        const handles = [store, await another(), await another()];
        const plain = await store.jobs.add('p', draft());
        const urgent = await store.jobs.add('q', draft({ priority: 5 }));
        expect(ids(await store.jobs.waiting(9))).toEqual([urgent.id, plain.id]);
        for (let nth = 0; nth < 28; nth += 1) await store.jobs.add('p', draft());
        expect(ids(await store.jobs.claim({ limit: 1 }, long))).toEqual([urgent.id]);
        const claimed: ClaimedJob[] = [];
        const claimAll = async (handle: typeof store): Promise<void> => {
          for (let got = -1; got !== 0; ) {
            const batch = await handle.jobs.claim({ limit: 4 }, long);
            got = batch.length;
            claimed.push(...batch);
          }
        };
        await Promise.all(handles.map(claimAll));
        expect(claimed.length).toBe(29);
        expect(new Set(ids(claimed)).size).toBe(29);
        expect(await store.jobs.waiting(9)).toEqual([]);
      }));

    it('counts what waits, runs and failed in every project', () =>
      onGround(newGround, async ({ store }) => {
        expect(await store.jobs.census()).toEqual({ queued: 0, running: 0, failed: 0, longestWaitMs: 0 });
        await store.jobs.add('p', draft());
        await store.jobs.add('q', draft());
        await store.jobs.add('q', draft({ priority: 2 }));
        await store.jobs.add('r', draft({ priority: 1 }));
        const [first, second] = await store.jobs.claim({ limit: 2 }, long);
        await store.jobs.settle(first!, { status: 'failed', refusal: { code: 'INTERNAL' } });
        expect(await store.jobs.census()).toMatchObject({ queued: 2, running: 1, failed: 1 });
        await store.jobs.settle(second!, { status: 'queued', afterMs: long });
        expect(await store.jobs.census()).toMatchObject({ queued: 3, running: 0, failed: 1 });
      }));

    it('claims by name only what may run', () =>
      onGround(newGround, async ({ store }) => {
        const job = await store.jobs.add('p', draft());
        const names = [{ project: 'q', id: job.id }, job, job, { project: 'p', id: 'nowhere' }];
        const [claimed, ...more] = await store.jobs.claim({ names }, long);
        expect(more).toEqual([]);
        expect(claimed).toMatchObject({
          id: job.id,
          status: 'running',
          attempts: 1,
          request: { base: '主干' },
        });
      }));

    it('runs the jobs of a lane one after the other, in the order they came', () =>
      onGround(newGround, async ({ store, another }) => {
        const other = await another();
        const lane = 'document:c1';
        const first = await store.jobs.add('p', draft({ lane }));
        const second = await store.jobs.add('p', draft({ lane, priority: 9 }));
        const elsewhere = await store.jobs.add('q', draft({ lane }));
        const claimed = [
          ...(await store.jobs.claim({ limit: 9 }, long)),
          ...(await other.jobs.claim({ names: [second] }, long)),
        ];
        expect(ids(claimed)).toEqual([first.id, elsewhere.id]);
        const retry = { status: 'queued', afterMs: long } as const;
        expect(await store.jobs.settle(claimed[0]!, retry)).toBe(true);
        expect(await other.jobs.claim({ limit: 9 }, long)).toEqual([]);
        await store.jobs.cancel('p', first.id);
        expect(ids(await other.jobs.claim({ limit: 9 }, long))).toEqual([second.id]);
      }));

    it('takes a claim away when its lease ends, and lets the old holder change nothing', () =>
      onGround(newGround, async ({ store, another }) => {
        const other = await another();
        const { id } = await store.jobs.add('p', draft());
        const [lost] = await store.jobs.claim({ limit: 1 }, 0);
        const [held] = await other.jobs.claim({ limit: 1 }, long);
        expect([lost?.id, held?.id, held?.attempts]).toEqual([id, id, 2]);
        expect(await store.jobs.renew(lost!, long, { done: 1 })).toBeUndefined();
        expect(await store.jobs.settle(lost!, { status: 'succeeded', answer: 'old' })).toBe(false);
        expect(await other.jobs.renew(held!, long, { done: 2 })).toEqual({ cancelAsked: false });
        expect(await other.jobs.settle(held!, { status: 'succeeded', answer: '新' })).toBe(true);
        expect(await store.jobs.get('p', id)).toMatchObject({
          ...{ status: 'succeeded', answer: '新', progress: { done: 2 } },
        });
        expect(await other.jobs.settle(held!, { status: 'cancelled' })).toBe(false);
      }));

    it('counts attempts, but not those that were given back', () =>
      onGround(newGround, async ({ store }) => {
        const { id } = await store.jobs.add('p', draft({ maxAttempts: 2 }));
        const claim = async () => (await store.jobs.claim({ limit: 1 }, long))[0]!;
        await store.jobs.settle(await claim(), { status: 'queued', afterMs: 0, isGivenBack: true });
        const refused = { code: 'MODEL_UNAVAILABLE' };
        await store.jobs.settle(await claim(), { status: 'queued', afterMs: 0, refusal: refused });
        expect(await store.jobs.get('p', id)).toMatchObject({ attempts: 1, refusal: refused });
        await store.jobs.settle(await claim(), { status: 'failed', refusal: { code: 'MODEL_REFUSED' } });
        expect((await store.jobs.list('p', { status: 'failed' }))[0]).toMatchObject({ id, attempts: 2 });
        const again = await store.jobs.repeat('p', id);
        expect([again.status, again.attempts, again.refusal]).toEqual(['queued', 0, undefined]);
        await store.jobs.settle(await claim(), { status: 'succeeded', answer: 1 });
        expect((await store.jobs.repeat('p', id)).status).toBe('succeeded');
      }));

    it('cancels what waits at once, and asks what runs to end', () =>
      onGround(newGround, async ({ store, another }) => {
        const other = await another();
        const [waits, runs] = [await store.jobs.add('p', draft()), await store.jobs.add('p', draft())];
        const [claim] = await store.jobs.claim({ names: [runs] }, long);
        expect((await other.jobs.cancel('p', waits.id)).status).toBe('cancelled');
        expect(await other.jobs.cancel('p', runs.id)).toMatchObject({ status: 'running', cancelAsked: true });
        expect(await store.jobs.renew(claim!, long)).toEqual({ cancelAsked: true });
        expect(await store.jobs.settle(claim!, { status: 'cancelled' })).toBe(true);
        expect((await store.jobs.cancel('p', runs.id)).status).toBe('cancelled');
        expect(await store.jobs.claim({ limit: 9 }, long)).toEqual([]);
        expect((await store.jobs.repeat('p', waits.id)).cancelAsked).toBe(false);
      }));

    it('lets a call be made by one claim at a time, and by none that was lost', () =>
      onGround(newGround, async ({ store, another }) => {
        const other = await another();
        const { id } = await store.jobs.add('p', draft());
        const call = { digest: 'abc', nth: 1 };
        const by = await store.presence.enter();
        const note = { by, lastsMs: long };
        const [lost] = await store.jobs.claim({ limit: 1 }, 0);
        const begin = (claim: ClaimedJob, more: object = {}, handle = store) =>
          handle.jobAnswers.begin('p', claim, call, { ...note, ...more });
        expect(await begin(lost!)).toEqual({ kind: 'yours' });
        expect(await begin(lost!)).toEqual({ kind: 'yours' });
        const [held] = await other.jobs.claim({ limit: 1 }, long);
        expect(await begin(lost!)).toEqual({ kind: 'lost' });
        expect(await begin(held!, {}, other)).toEqual({ kind: 'under-way', by, claim: lost!.claim });
        // Only its own note is taken back.
        await other.jobAnswers.forgo('p', held!, call);
        expect(await begin(held!, { insteadOf: 'another' }, other)).toMatchObject({ kind: 'under-way' });
        expect(await begin(held!, { insteadOf: lost!.claim }, other)).toEqual({ kind: 'yours' });
        await other.jobAnswers.forgo('p', held!, call);
        expect(await begin(held!, {}, other)).toEqual({ kind: 'yours' });
        await store.jobAnswers.put('p', id, call, { text: '雨' });
        expect(await begin(held!, {}, other)).toEqual({ kind: 'answered', answer: { text: '雨' } });
        expect(await begin(lost!)).toEqual({ kind: 'answered', answer: { text: '雨' } });
      }));

    it('forgets a note of a call when its time is over', () =>
      onGround(newGround, async ({ store }) => {
        await store.jobs.add('p', draft());
        const call = { digest: 'abc', nth: 1 };
        const note = { by: await store.presence.enter(), lastsMs: 0 };
        const [lost] = await store.jobs.claim({ limit: 1 }, 0);
        await store.jobAnswers.begin('p', lost!, call, note);
        const [held] = await store.jobs.claim({ limit: 1 }, long);
        expect(await store.jobAnswers.begin('p', held!, call, note)).toEqual({ kind: 'yours' });
      }));

    it('knows who is present', () =>
      onGround(newGround, async ({ store, another }) => {
        const other = await another();
        const name = await store.presence.enter();
        expect(await store.presence.enter()).toBe(name);
        expect([await store.presence.has(name), await other.presence.has(name)]).toEqual([true, true]);
      }));

    it('remembers the first answer of every call until the job succeeds or is forgotten', () =>
      onGround(newGround, async ({ store, another }) => {
        const other = await another();
        const { id } = await store.jobs.add('p', draft());
        const call = { digest: 'abc', nth: 1 };
        expect(await store.jobAnswers.get('p', id, call)).toBeUndefined();
        expect(await store.jobAnswers.put('p', id, call, { text: '雨\0' })).toEqual({ text: '雨\0' });
        expect(await other.jobAnswers.put('p', id, call, { text: 'later' })).toEqual({ text: '雨\0' });
        expect(await other.jobAnswers.get('p', id, { ...call, nth: 2 })).toBeUndefined();
        expect(await other.jobAnswers.get('q', id, call)).toBeUndefined();
        const [claim] = await store.jobs.claim({ limit: 1 }, long);
        await store.jobs.settle(claim!, { status: 'failed', refusal: {} });
        expect(await other.jobAnswers.get('p', id, call)).toEqual({ text: '雨\0' });
        expect(await store.jobs.forget(long)).toBe(0);
        await store.jobs.repeat('p', id);
        expect(await store.jobs.forget(-long)).toBe(0);
        const [last] = await store.jobs.claim({ limit: 1 }, long);
        await store.jobs.settle(last!, { status: 'succeeded', answer: 1 });
        expect(await other.jobAnswers.get('p', id, call)).toBeUndefined();
        expect(await store.jobs.forget(-long)).toBe(1);
        expect(await refusal(store.jobs.get('p', id))).toBe('NOT_FOUND');
      }));
  });
}
