// A press for plain ranked chunks: the simplest recipe there is.
import { typeset } from '../../src/core/assemble.js';
import type { Fragment } from '../../src/core/model/fragment.js';
import type { Meter } from '../../src/core/model/meter.js';
import type { Assembly, PressSetup } from '../../src/core/model/press.js';
import type { Recipe } from '../../src/core/model/recipe.js';
import { hashText } from '../../src/meters/content-hash.js';
import type { Piece } from './prompt-tsx.js';

const recipe: Recipe = {
  id: 'chunks',
  version: 1,
  overflow: 'concede',
  layers: [{ id: 'chunks', keep: 'highest-rank', yieldOrder: 1, refill: true }],
  sections: [{ id: 'chunks', channel: 'prompt' }],
};

export function chunkPress(meter: Meter, refill = true): PressSetup<string> {
  const layers = recipe.layers.map((layer) => ({ ...layer, refill }));
  return {
    recipe: { ...recipe, layers },
    dialect: {
      id: 'chunks',
      version: 1,
      apart: '\n\n',
      section: () => ({ heading: '', between: '\n' }),
      word: (body) => body,
    },
    meter,
    hash: hashText,
  };
}

const scope = { project: 'bench' };

export function chunkFragments(pieces: readonly Piece[]): Fragment<string>[] {
  return pieces.map(({ text, priority }, index) => ({
    id: `chunk:${String(index).padStart(6, '0')}`,
    source: 'bench',
    scope,
    layer: 'chunks',
    section: 'chunks',
    rank: priority,
    position: index,
    levels: [{ name: 'whole', body: text }],
  }));
}

export function setChunks(
  press: PressSetup<string>,
  fragments: readonly Fragment<string>[],
  options: { tokens: number; ledger?: 'full' | 'kept' },
): Assembly {
  const budget = { limit: { unit: press.meter.unit, n: options.tokens } };
  return typeset(press, { scope, budget, ledger: options.ledger ?? 'full' }, fragments);
}
