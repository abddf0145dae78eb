import { describe, expect, it } from 'vitest';
import { GalleyError } from '../model/error.js';
import type { Fragment, Need, Source } from '../model/fragment.js';
import type { Deadline } from '../model/press.js';
import { gather } from './gather.js';

const scope = { project: 'p' };
const need = (source: string): Need => ({ source, query: {}, askedBy: 'test' });
const direct: Deadline = (_limit, signal, work) => work(signal);
const fragment: Fragment = {
  id: 'f',
  source: 'good',
  scope,
  layer: 'a',
  section: 's',
  rank: 1,
  position: 1,
  levels: [{ name: 'whole', body: 'x' }],
};
const source = (id: string, answer: () => Promise<readonly Fragment[]>): Source => ({
  id,
  timeLimitMs: 10,
  outage: { code: `${id.toUpperCase()}_UNAVAILABLE`, message: `${id} is away` },
  gather: answer,
});
const good = source('good', async () => [fragment]);
const run = (sources: Source[], needs: Need[], options: { deadline?: Deadline; signal?: AbortSignal } = {}) =>
  gather(
    { needs, scope, sources, signal: options.signal ?? new AbortController().signal },
    options.deadline ?? direct,
  );

describe('asking the sources', () => {
  it('goes on without a source that fails, with the warning that source declares', async () => {
    const broken = source('broken', async () => {
      throw new TypeError('SECRET');
    });
    const gathered = await run([good, broken], [need('broken'), need('good')]);
    expect(gathered.candidates).toEqual([fragment]);
    expect(gathered.warnings).toEqual([{ code: 'BROKEN_UNAVAILABLE', message: 'broken is away' }]);
  });

  it('goes on without a source that runs out of time', async () => {
    const deadline: Deadline = (limit, signal, work) =>
      Promise.race([
        work(signal),
        new Promise<never>((_, reject) =>
          setTimeout(() => reject(new GalleyError('TIMEOUT', 'late')), limit),
        ),
      ]);
    const hanging = source('hanging', () => new Promise(() => {}));
    const gathered = await run([hanging, good], [need('hanging'), need('good')], { deadline });
    expect(gathered.warnings.map(({ code }) => code)).toEqual(['HANGING_UNAVAILABLE']);
    expect(gathered.candidates).toHaveLength(1);
  });

  it('warns once for a source that fails twice, and names a source nobody knows', async () => {
    const broken = source('broken', async () => Promise.reject(new Error('no')));
    const gathered = await run(
      [broken],
      [need('broken'), { ...need('broken'), query: { n: 1 } }, need('ghost')],
    );
    expect(gathered.warnings.map(({ code }) => code)).toEqual(['BROKEN_UNAVAILABLE', 'SOURCE_UNKNOWN']);
  });

  it('stops everything when a source meets foreign text', async () => {
    const hostile = source('hostile', async () => {
      throw new GalleyError('CONTEXT_SCOPE_VIOLATION', 'foreign');
    });
    await expect(run([hostile, good], [need('hostile'), need('good')])).rejects.toMatchObject({
      code: 'CONTEXT_SCOPE_VIOLATION',
    });
  });

  it('tells a cancelled assembly from a failing source', async () => {
    const controller = new AbortController();
    const cancelled = source('cancelled', async () => {
      controller.abort();
      throw new Error('stopped');
    });
    await expect(run([cancelled], [need('cancelled')], { signal: controller.signal })).rejects.toMatchObject({
      code: 'CANCELLED',
    });
  });
});
