// Models as this machine's environment has them, for doors; what finds them is loaded when one is asked for.
import type { ModelWorld } from '../models/find-model.js';
import type { Model } from '../models/model.js';

export function localModels(world: Omit<ModelWorld, 'environment'>): (name?: string) => Promise<Model> {
  return async (name) => {
    const { findModel } = await import('../models/find-model.js');
    return findModel(name, { ...world, environment: process.env });
  };
}
