import { describe, expect, it } from 'vitest';
import { GalleyError } from '../model/error.js';
import type { Fragment } from '../model/fragment.js';
import type { Recipe } from '../model/recipe.js';
import { admit } from './admit.js';

const recipe: Recipe = {
  id: 'test',
  version: 1,
  overflow: 'concede',
  layers: [{ id: 'a', keep: 'highest-rank', yieldOrder: 1, most: 3 }],
  sections: [
    { id: 'first', channel: 'prompt' },
    { id: 'second', channel: 'prompt' },
  ],
};
const scope = { project: 'p' };
const fragment = (id: string, change: object = {}): Fragment => ({
  id,
  source: 'here',
  scope,
  layer: 'a',
  section: 'first',
  rank: 1,
  position: 0,
  levels: [{ name: 'whole', body: `SECRET ${id}` }],
  ...change,
});

describe('the check of what sources hand over', () => {
  it('refuses everything when one fragment belongs to another project, and never quotes it', () => {
    const foreign = fragment('x', { scope: { project: 'q' }, source: 'elsewhere' });
    let refusal: unknown;
    try {
      admit([fragment('a'), foreign], recipe, scope);
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toBeInstanceOf(GalleyError);
    expect(refusal).toMatchObject({
      code: 'CONTEXT_SCOPE_VIOLATION',
      details: { sources: ['elsewhere'], fragments: 1 },
    });
    expect(JSON.stringify(refusal)).not.toContain('SECRET');
  });

  it('lets a malformed fragment cost only itself, with a named warning', () => {
    const cases: [object, RegExp][] = [
      [{ rank: Number.NaN }, /rank/],
      [{ position: Number.POSITIVE_INFINITY }, /position/],
      [{ levels: [] }, /level/],
      [{ layer: 'nowhere' }, /layer "nowhere"/],
      [{ section: 'nowhere' }, /section "nowhere"/],
      [{ ref: { path: '/etc/passwd' } }, /ref/],
      [{ ref: { path: '../up.md' } }, /ref/],
      [{ ref: { path: 'C:\\x.md' } }, /ref/],
    ];
    for (const [change, reason] of cases) {
      const { fragments, rejections, warnings } = admit(
        [fragment('good'), fragment('bad', change)],
        recipe,
        scope,
      );
      expect(fragments.map(({ id }) => id)).toEqual(['good']);
      expect(rejections).toMatchObject([
        { id: 'bad', verdict: 'invalid', reason: expect.stringMatching(reason) },
      ]);
      expect(warnings).toMatchObject([{ code: 'CONTEXT_LAYER_INVALID' }]);
    }
  });

  it('counts a fragment that arrives twice once, and refuses two different ones of the same id', () => {
    const { fragments, rejections } = admit([fragment('a'), fragment('a')], recipe, scope);
    expect(fragments).toHaveLength(1);
    expect(rejections).toMatchObject([{ id: 'a', verdict: 'duplicate' }]);
    const clash = () => admit([fragment('a'), fragment('a', { rank: 2 })], recipe, scope);
    expect(clash).toThrowError(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
  });

  it('keeps the highest ranks when a layer has too many, and says so', () => {
    const many = [5, 1, 4, 2, 3].map((rank) => fragment(`r${rank}`, { rank }));
    const { fragments, rejections, warnings } = admit(many, recipe, scope);
    expect(fragments.map(({ id }) => id)).toEqual(['r3', 'r4', 'r5']);
    expect(rejections.map(({ id, verdict }) => [id, verdict])).toEqual([
      ['r1', 'over-limit'],
      ['r2', 'over-limit'],
    ]);
    expect(warnings).toMatchObject([
      { code: 'CONTEXT_LIMIT_EXCEEDED', details: { layer: 'a', most: 3, left: 2 } },
    ]);
  });

  it('orders by section, then position, then id in code points', () => {
    const mixed = [
      fragment('b', { section: 'second', position: 0 }),
      fragment('\u{10000}', { position: 1 }),
      fragment('\uffff', { position: 1 }),
    ];
    expect(admit(mixed, recipe, scope).fragments.map(({ id }) => id)).toEqual(['\uffff', '\u{10000}', 'b']);
  });
});
