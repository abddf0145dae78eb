import { onGround, refusal, type StoreGround, type TestTools } from './ground.js';

const digestOf = (digit: string) => digit.repeat(64);

export function accessContract(
  { describe, it, expect }: TestTools,
  newGround: () => Promise<StoreGround>,
): void {
  describe('tokens', () => {
    it('are found by digest, listed in the order they came, and known by their mark', () =>
      onGround(newGround, async ({ store, another }) => {
        const first = await store.tokens.create({ digest: digestOf('a'), value: { note: '编辑' } });
        await store.tokens.create({ digest: digestOf('b'), value: {} });
        expect(first).toMatchObject({ id: 'a'.repeat(12), state: 'valid', value: { note: '编辑' } });
        const other = await another();
        expect(await other.tokens.find(digestOf('a'))).toEqual(first);
        expect(await other.tokens.find(digestOf('c'))).toBeUndefined();
        expect((await other.tokens.list()).map(({ id }) => id[0])).toEqual(['a', 'b']);
        expect(await refusal(other.tokens.get('c'))).toBe('NOT_FOUND');
        expect(await refusal(store.tokens.create({ digest: digestOf('a'), value: {} }))).toBe(
          'ALREADY_EXISTS',
        );
        expect(await refusal(store.tokens.create({ digest: 'short', value: {} }))).toBe('INVALID_ARGUMENT');
      }));

    it('hold until they expire by the time of the store or are revoked, for every handle at once', () =>
      onGround(newGround, async ({ store, another }) => {
        const other = await another();
        const day = 86_400_000;
        const { id } = await store.tokens.create({ digest: digestOf('a'), value: 1, lastsMs: day });
        expect((await other.tokens.find(digestOf('a')))?.state).toBe('valid');
        const ended = await other.tokens.change(id, (_, time) => ({ expiresAt: time - day }));
        expect(ended.state).toBe('expired');
        expect((await store.tokens.find(digestOf('a')))?.state).toBe('expired');
        expect(await store.tokens.change(id, () => ({ expiresAt: null, value: 2 }))).toMatchObject({
          state: 'valid',
          value: 2,
        });
        const revoked = await other.tokens.revoke(id);
        expect((await store.tokens.find(digestOf('a')))?.state).toBe('revoked');
        expect((await store.tokens.revoke(id)).revokedAt).toBe(revoked.revokedAt);
        expect(await refusal(store.tokens.revoke('nobody'))).toBe('NOT_FOUND');
        expect(await refusal(store.tokens.change('nobody', () => ({})))).toBe('NOT_FOUND');
      }));
  });

  describe('spending', () => {
    it('adds up per owner and period, and gives back', () =>
      onGround(newGround, async ({ store, another }) => {
        await store.spending.add('token:a', '2026-11', { calls: 1, tokens: 500, microDollars: 70 });
        const { spent } = await (await another()).spending.add('token:a', '2026-11', { tokens: -200 });
        expect(spent).toEqual({ calls: 1, tokens: 300, microDollars: 70 });
        for (const [owner, period] of [
          ['token:a', 'all'],
          ['token:b', '2026-11'],
        ] as const)
          expect((await store.spending.get(owner, period)).spent).toEqual({
            calls: 0,
            tokens: 0,
            microDollars: 0,
          });
        expect(await refusal(store.spending.add('a', '2026-11', { calls: 0.5 }))).toBe('INVALID_ARGUMENT');
        expect(await refusal(store.spending.add('a', 'November', { calls: 1 }))).toBe('INVALID_ARGUMENT');
        expect(await refusal(store.spending.add('', 'all', { calls: 1 }))).toBe('INVALID_ARGUMENT');
      }));

    it('names the running month by the time of the store', () =>
      onGround(newGround, async ({ store }) => {
        const { period } = await store.spending.add('a', 'month', { calls: 1 });
        expect(/^\d{4}-\d{2}$/.test(period)).toBe(true);
        expect((await store.spending.get('a', period)).spent.calls).toBe(1);
        expect((await store.spending.get('a', 'month')).spent.calls).toBe(1);
      }));

    it('adds nothing when a ceiling would be passed, which binds only what is raised', () =>
      onGround(newGround, async ({ store }) => {
        const ceiling = { calls: 5, tokens: 100 };
        expect(await store.spending.add('a', 'all', { calls: 1, tokens: 101 }, ceiling)).toEqual({
          passed: 'tokens',
          period: 'all',
          spent: { calls: 0, tokens: 0, microDollars: 0 },
        });
        expect((await store.spending.add('a', 'all', { tokens: 100 }, ceiling)).passed).toBeUndefined();
        expect((await store.spending.add('a', 'all', { calls: 1, tokens: 1 }, ceiling)).passed).toBe(
          'tokens',
        );
        expect((await store.spending.add('a', 'all', { calls: 5 }, ceiling)).passed).toBeUndefined();
        expect((await store.spending.add('a', 'all', { calls: 1 }, ceiling)).passed).toBe('calls');
        // What was used beyond its estimate is counted, however much it is.
        await store.spending.add('a', 'all', { tokens: 50 });
        expect((await store.spending.add('a', 'all', { tokens: -10 }, ceiling)).spent.tokens).toBe(140);
        expect((await store.spending.add('a', 'all', { microDollars: 7 }, ceiling)).passed).toBeUndefined();
      }));

    it('never passes a ceiling however many spend at once', () =>
      onGround(newGround, async ({ store, another }) => {
        const handles = [store, await another(), await another()];
        const answers = await Promise.all(
          Array.from({ length: 60 }, (_, nth) =>
            handles[nth % 3]!.spending.add('a', 'all', { calls: 1, microDollars: 3 }, { microDollars: 100 }),
          ),
        );
        expect(answers.filter(({ passed }) => passed === undefined).length).toBe(33);
        expect((await store.spending.get('a', 'all')).spent).toEqual({
          calls: 33,
          tokens: 0,
          microDollars: 99,
        });
      }));
  });

  describe('paces', () => {
    it('lets so much through at once and then one after the other', () =>
      onGround(newGround, async ({ store }) => {
        // One call a minute, and time hardly moves: each waits a minute longer than the one before it.
        const limits = { callsPerMinute: 1, burstSeconds: 0 };
        const waits: number[] = [];
        for (let n = 0; n < 4; n += 1) waits.push((await store.paces.take('m', limits, { calls: 1 })).waitMs);
        expect(waits.map((wait) => Math.round(wait / 60_000))).toEqual([0, 1, 2, 3]);
        expect((await store.paces.take('other', limits, { calls: 1 })).waitMs).toBe(0);
        const wide = { callsPerMinute: 60, burstSeconds: 120 };
        for (let n = 0; n < 60; n += 1)
          expect((await store.paces.take('wide', wide, { calls: 1 })).waitMs).toBe(0);
      }));

    it('holds calls and tokens apart, gives back, and refuses who would wait too long', () =>
      onGround(newGround, async ({ store }) => {
        const limits = { callsPerMinute: 60_000, tokensPerMinute: 1000, burstSeconds: 0 };
        expect(await store.paces.take('m', limits, { calls: 1, tokens: 5000 })).toEqual({
          taken: true,
          waitMs: 0,
        });
        const { waitMs } = await store.paces.take(
          'm',
          { ...limits, maxWaitMs: 60_000 },
          { calls: 1, tokens: 10 },
        );
        expect(Math.round(waitMs / 60_000)).toBe(5);
        expect(await store.paces.take('m', limits, { tokens: -4500 })).toEqual({ taken: true, waitMs: 0 });
        const after = await store.paces.take('m', { ...limits, maxWaitMs: 60_000 }, { calls: 1, tokens: 10 });
        expect([after.taken, Math.round(after.waitMs / 10_000)]).toEqual([true, 3]);
        expect((await store.paces.take('m', { callsPerMinute: 60 }, { calls: 1 })).waitMs).toBe(0);
        expect(await refusal(store.paces.take('m', limits, { calls: 0.5 }))).toBe('INVALID_ARGUMENT');
      }));

    it('gives no place twice, whoever takes it', () =>
      onGround(newGround, async ({ store, another }) => {
        const handles = [store, await another()];
        const limits = { callsPerMinute: 1, burstSeconds: 0 };
        const answers = await Promise.all(
          Array.from({ length: 30 }, (_, nth) => handles[nth % 2]!.paces.take('m', limits, { calls: 1 })),
        );
        const minutes = answers.map(({ waitMs }) => Math.round(waitMs / 60_000)).toSorted((a, b) => a - b);
        expect(minutes).toEqual(Array.from({ length: 30 }, (_, at) => at));
      }));
  });
}
