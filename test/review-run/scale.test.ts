// Very many pages, eight at a time, a fifth of the calls failing: nothing is lost, nothing is asked twice, little is held.
import { getEventListeners } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GalleyError } from '../../src/core/model/error.js';
import { sweepSize } from '../sweep-size.js';
import {
  answerWith,
  type CountingModel,
  countingModel,
  findingOn,
  manyPages,
  onePerPage,
  pathOf,
  type ReviewGround,
  reviewGround,
} from './review-ground.js';

const pages = sweepSize('pages of a large review', { everyRun: 60, nightly: 200 });
const fifth = pages / 5;
const others = pages - fifth;
let ground: ReviewGround;
beforeAll(() => {
  ground = reviewGround(manyPages(pages), (repository) => repository.write('CLAUDE.md', 'Count well.\n'));
});
afterAll(() => ground.repository.dispose());

/** Every fifth file fails until it was asked for often enough. */
function flakyModel(failing: (path: string) => boolean): CountingModel {
  return countingModel(async (request) => {
    await new Promise((resolve) => setImmediate(resolve));
    const path = pathOf(request);
    if (failing(path)) throw new GalleyError('MODEL_UNAVAILABLE', 'The model is away.');
    return answerWith(findingOn(path));
  });
}
const isFifth = (path: string) => Number(/\d+/.exec(path)?.[0]) % 5 === 0;
const wish = { ...onePerPage, concurrency: 8, most: 10_000 };

describe('a review of very many pages', () => {
  it('accounts for every page, finishes, and goes on without asking twice', async () => {
    const first = flakyModel(isFifth);
    const { signal } = new AbortController();
    const partial = await ground.run(first, wish, { signal });
    // A listener left behind would hold its page.
    expect(getEventListeners(signal, 'abort').length).toBeLessThan(8);
    expect(partial.pages).toHaveLength(pages);
    const count = (status: string) => partial.pages.filter((page) => page.status === status).length;
    expect([count('reviewed'), count('failed')]).toEqual([others, fifth]);
    expect(partial.complete).toBe(false);
    expect(partial.findings).toHaveLength(others);
    expect(partial.missing.map(({ code }) => code)).toEqual(Array(fifth).fill('MODEL_UNAVAILABLE'));
    expect(partial.coverage).toContain(`Partial: ${others} files (+${others * 24} -0) on ${others} pages`);
    expect(partial.coverage).toContain(
      `${fifth} on a page that failed (MODEL_UNAVAILABLE) (+${fifth * 24} -0)`,
    );
    expect(first.calls()).toBe(pages);
    expect(first.mostAtOnce()).toBe(8);
    expect(partial.runs).toHaveLength(pages);

    const second = flakyModel(() => false);
    const whole = await ground.run(second, wish);
    expect(second.calls()).toBe(fifth);
    expect(whole.estimate).toMatchObject({ pages, calls: fifth });
    expect(whole).toMatchObject({ complete: true, missing: [] });
    expect(whole.findings).toHaveLength(pages);

    const third = flakyModel(() => true);
    const again = await ground.run(third, wish);
    expect(third.calls()).toBe(0);
    expect(again.report).toBe(whole.report);

    const fresh = flakyModel(() => false);
    await ground.run(fresh, { ...wish, fresh: true });
    expect(fresh.calls()).toBe(pages);
  });

  it('waits with the others until the first page is being answered', async () => {
    const started: string[] = [];
    let spoken = false;
    const early: string[] = [];
    const model = countingModel(async (request, { onText }) => {
      const path = pathOf(request);
      started.push(path);
      if (started.length > 1 && !spoken) early.push(path);
      if (started.length === 1) {
        for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
        spoken = true;
        onText?.('{');
        for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      }
      return answerWith();
    }, 'test/warm');
    await ground.run(model, wish);
    expect(early).toEqual([]);
    expect(model.calls()).toBe(pages);
    expect(model.mostAtOnce()).toBe(8);
  });

  it('lets a second page go ahead when the first one fails in silence, and then all of them', async () => {
    let answered = false;
    const early: number[] = [];
    const model = countingModel(async (_, { onText }, call) => {
      if (call > 2 && !answered) early.push(call);
      for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      if (call === 1) throw new GalleyError('MODEL_UNAVAILABLE', 'The model is away.');
      answered = true;
      onText?.('{');
      // Held until all that may be under way at once are, however long a busy machine takes to set them.
      for (let turn = 0; call > 2 && model.mostAtOnce() < 8 && turn < 100_000; turn += 1)
        await new Promise((resolve) => setImmediate(resolve));
      return answerWith();
    }, 'test/cold');
    const result = await ground.run(model, wish);
    expect(early).toEqual([]);
    expect(result.missing).toHaveLength(1);
    expect(model.mostAtOnce()).toBe(8);
  });

  it('keeps what is finished when it is cancelled half-way', async () => {
    const controller = new AbortController();
    const half = Math.floor(pages / 2);
    const model = countingModel(async (request, { signal }, call) => {
      await new Promise((resolve) => setImmediate(resolve));
      if (call === half) controller.abort();
      if (signal.aborted) throw new GalleyError('CANCELLED', 'The run was cancelled.');
      return answerWith(findingOn(pathOf(request)));
    }, 'test/cancelled');
    const refusal = await ground.run(model, wish, { signal: controller.signal }).catch((error) => error);
    expect(refusal).toMatchObject({ code: 'CANCELLED', details: { pages } });
    const { finished } = refusal.details;
    expect(finished).toBeGreaterThanOrEqual(half - 10);
    expect(finished).toBeLessThan(half);
    const after = countingModel(async () => answerWith(), 'test/cancelled');
    await ground.run(after, wish);
    expect(after.calls()).toBe(pages - finished);
  });

  it('gives up on a model that fails every time, long before the last page', async () => {
    const model = countingModel(async () => {
      throw new GalleyError('MODEL_UNAVAILABLE', 'The model is away.');
    }, 'test/away');
    await expect(ground.run(model, wish)).rejects.toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      details: { pages, failed: pages },
    });
    expect(model.calls()).toBeLessThan(20);
  });

  it('stops at the ceiling and reports what was reviewed until then', async () => {
    const model = countingModel(async (request, _, call) => {
      if (call > 30) throw new GalleyError('COST_CEILING_REACHED', 'Enough.');
      return answerWith(findingOn(pathOf(request)));
    }, 'test/ceiling');
    const result = await ground.run(model, { ...wish, concurrency: 1 });
    expect(result.complete).toBe(false);
    expect(result.findings).toHaveLength(30);
    expect(model.calls()).toBe(31);
    expect(result.missing.filter(({ status }) => status === 'not-asked')).toHaveLength(pages - 31);
  });
});
