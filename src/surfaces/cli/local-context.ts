// What operations may reach for when the user's own shell is the door: everything is granted, the store opens on demand.
import type { OperationContext } from '../../operations/operation.js';
import { everyGrant } from '../engine.js';
import { localEmbeddings } from '../local-embeddings.js';
import { localAnswers, localModels, localPrices } from '../local-models.js';
import { sharedStore } from '../shared-store.js';
import { cancellation } from './cancellation.js';
import { shellLog } from './shell-log.js';

export interface LocalContext extends OperationContext {
  close(): Promise<void>;
}

export function localContext(options: { store?: string } = {}): LocalContext {
  const folder = process.cwd();
  const { store, close } = sharedStore(folder, { path: options.store });
  return {
    signal: cancellation(),
    folder,
    debug: process.env.GALLEY_DEBUG === '1',
    grants: everyGrant,
    log: shellLog,
    now: () => Date.now(),
    store,
    model: localModels({ folder }),
    prices: localPrices,
    answers: localAnswers(folder),
    embeddings: localEmbeddings(),
    close,
  };
}
