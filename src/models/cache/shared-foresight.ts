// One foresight for each model of this process: what one call sent, the next may find in the provider's cache.
import { LRUCache } from 'lru-cache';
import { countTokens } from '../count-tokens.js';
import type { Model } from '../model.js';
import { createForesight, type Foresight } from './foresight.js';

const known = new LRUCache<string, Foresight>({ max: 32 });

export function sharedForesight(model: Model): Foresight {
  const name = `${model.family}:${model.id}`;
  const found = known.get(name) ?? createForesight(model, { count: countTokens });
  known.set(name, found);
  return found;
}
