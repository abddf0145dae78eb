// Whatever people say, agents answer or fail to, and summaries replace, in whatever order two handles on one store do it: every
// message has one place, is shown or stands in one summary, and comes back when that is taken back.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { putSummary, stretchOf, takeBackSummary } from '../../src/agents/rooms/compact-room.js';
import { newRoom, type RoomMessage, readRoom } from '../../src/agents/rooms/room.js';
import { isKeptWhole, isSaid, turnOf, viewOf } from '../../src/agents/rooms/room-view.js';
import { claimMs, type RoomDoor, readMessages, sayIn, takeTurn } from '../../src/agents/rooms/run-room.js';
import { GalleyError, isGalleyError } from '../../src/core/model/error.js';
import { openStore } from '../../src/store/sqlite/open-store.js';
import type { Store } from '../../src/store/store.js';
import { sweepSize } from '../sweep-size.js';

const agents = ['max', 'lin'].map(
  (name) => ({ name, agentType: 'plain', permission: 'read', trim: 'hops' }) as const,
);
let folder = '';
let stores: Store[] = [];
let time = 1;
let rooms = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'galley-room-laws-'));
  const path = join(folder, 'rooms.db');
  stores = [await openStore({ path, now: () => time }), await openStore({ path, now: () => time })];
});
afterAll(async () => {
  for (const store of stores) await store.close();
  await rm(folder, { recursive: true, force: true });
});

const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('say' as const), pinned: fc.boolean(), isRule: fc.boolean() }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('turn' as const),
      agent: fc.constantFrom('max', 'lin'),
      end: fc.constantFrom('answer' as const, 'answer' as const, 'fail' as const, 'die' as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('compact' as const),
      first: fc.constantFrom(0, 0, 1, 3),
      length: fc.nat(14),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('expand' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('wait' as const) }) },
);
const plan = fc.array(fc.tuple(fc.constantFrom(0, 1), step), { minLength: 5, maxLength: 40, size: 'max' });

/** So many steps are under way together. */
const atOnce = 4;

const { signal } = new AbortController();
const untimed = () => () => undefined;
const isExpected = (error: unknown) =>
  isGalleyError(error) &&
  ['INVALID_ARGUMENT', 'CONTEXT_BACKPRESSURE', 'CHANGED_MEANWHILE', 'MODEL_UNAVAILABLE'].includes(error.code);

describe('a room', () => {
  it('loses nothing, says nothing twice, and shows every message once or in one summary', async () => {
    const reached = { answers: 0, notices: 0, replaced: 0, nested: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(plan, async (steps) => {
        rooms += 1;
        const room = `r${rooms}`;
        await stores[0]?.rooms.create('p', room, newRoom(agents, undefined));
        const doors = stores.map(
          (store): RoomDoor => ({ rooms: store.rooms, project: 'p', room, now: () => time }),
        );
        const acknowledged = new Map<number, string>();
        const saw = new Map<string, number>();
        const take = async ([at, step]: (typeof steps)[number], nth: number) => {
          const door = doors[at] as RoomDoor;
          const words = `${nth}`;
          if (step.kind === 'say') {
            const role = step.isRule ? ('system' as const) : ('user' as const);
            const value = { role, from: 'kailai', content: words, ...(step.pinned ? { pinned: true } : {}) };
            acknowledged.set((await sayIn(door, value)).number, words);
          } else if (step.kind === 'turn') {
            const turn = { agent: step.agent, signal, every: untimed };
            const { message } = await takeTurn(door, turn, async ({ messages }) => {
              if (step.end === 'fail') throw new GalleyError('MODEL_UNAVAILABLE', 'Down.');
              // Its process is gone: nobody renews the claim, and the answer comes when the room is another's.
              if (step.end === 'die') time += claimMs + 1;
              for (let pause = 0; pause < 3; pause += 1) await readMessages(door);
              saw.set(words, messages.length);
              return { text: words, receipt: 'none' };
            });
            acknowledged.set(message.number, words);
          } else if (step.kind === 'compact') {
            const found = readRoom(await door.rooms.get('p', room));
            const wanted = { first: step.first + 1, last: step.first + 1 + step.length, keep: 0 };
            const range = stretchOf(found, await readMessages(door), wanted);
            await putSummary(door, { ...range, by: 'kailai', text: words });
          } else if (step.kind === 'expand') await takeBackSummary(door, undefined);
          else time += claimMs + 1;
        };
        const outcomes: PromiseSettledResult<void>[] = [];
        for (let at = 0; at < steps.length; at += atOnce) {
          const some = steps.slice(at, at + atOnce).map((step, nth) => take(step, at + nth));
          outcomes.push(...(await Promise.allSettled(some)));
        }
        for (const done of outcomes) {
          if (done.status === 'fulfilled') continue;
          if (!isExpected(done.reason)) throw done.reason;
          reached.refused += 1;
        }

        const door = doors[0] as RoomDoor;
        const messages = await readMessages(door);
        expect(messages.map(({ number }) => number)).toEqual(messages.map((_, at) => at + 1));
        for (const [number, words] of acknowledged) expect(messages[number - 1]?.content).toBe(words);
        const said = messages.filter(isSaid);
        expect(new Set(said.map(({ content }) => content)).size).toBe(said.length);
        expect(said.length).toBe(acknowledged.size);
        let before = 0;
        for (const { number, role, content } of said) {
          if (role !== 'assistant') continue;
          expect(saw.get(String(content))).toBeGreaterThanOrEqual(before);
          before = number;
        }
        reached.answers += said.filter(({ role }) => role === 'assistant').length;
        reached.notices += messages.filter(({ role }) => role === 'notice').length;

        const found = readRoom(await door.rooms.get('p', room));
        expect(found.messages).toBe(messages.length);
        const { shown, replacedBy } = viewOf(found, messages);
        const own = shown.filter(isSaid).map(({ number }) => number);
        expect([...own, ...replacedBy.keys()].sort((a, b) => a - b)).toEqual(
          said.map(({ number }) => number),
        );
        expect(own).toEqual([...own].sort((a, b) => a - b));
        for (const kept of said.filter(isKeptWhole)) expect(own).toContain(kept.number);
        const standing = new Set(shown.filter(({ role }) => role === 'summary').map(({ number }) => number));
        for (const [number, summary] of replacedBy) {
          expect(standing.has(summary)).toBe(true);
          const { range } = messages[summary - 1] as RoomMessage;
          expect(range && range.first <= number && number <= range.last).toBe(true);
        }
        reached.replaced += replacedBy.size;
        reached.nested += found.compactions.length - standing.size;
        const [agent] = found.agents;
        if (agent !== undefined)
          expect(turnOf(found, messages, agent).rejections).toHaveLength(replacedBy.size);

        for (const _ of found.compactions) await takeBackSummary(door, undefined);
        const whole = viewOf(readRoom(await door.rooms.get('p', room)), await readMessages(door));
        expect(whole.shown.map(({ number }) => number)).toEqual(said.map(({ number }) => number));
      }),
      { numRuns: sweepSize('interleavings in a room', { everyRun: 40, nightly: 3000 }) },
    );
    for (const [name, times] of Object.entries(reached)) expect([name, times > 3]).toEqual([name, true]);
  });
});
