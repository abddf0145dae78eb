// Models and their prices as this machine's environment has them, for doors; what finds them is loaded when it is asked for.
import type { Catalog } from '../models/catalog/catalog.js';
import type { ModelWorld } from '../models/find-model.js';
import type { Model } from '../models/model.js';

export function localModels(world: Omit<ModelWorld, 'environment'>): (name?: string) => Promise<Model> {
  return async (name) => {
    const { findModel } = await import('../models/find-model.js');
    return findModel(name, { ...world, environment: process.env });
  };
}

export async function localPrices(): Promise<Catalog> {
  const { loadCatalog } = await import('../models/catalog/catalog.js');
  return loadCatalog(process.env);
}
