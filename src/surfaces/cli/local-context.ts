// What operations may reach for when the user's own shell is the door: everything is granted, the store opens on demand.
import type { OperationContext } from '../../operations/operation.js';
import type { Store } from '../../store/store.js';
import { everyGrant } from '../engine.js';
import { localStorePath, openLocalStore } from '../open-local-store.js';
import { cancellation } from './cancellation.js';
import { shellLog } from './shell-log.js';

export interface LocalContext extends OperationContext {
  close(): Promise<void>;
}

export function localContext(options: { store?: string } = {}): LocalContext {
  const folder = process.cwd();
  let opening: Promise<Store> | undefined;
  return {
    signal: cancellation(),
    folder,
    debug: process.env.GALLEY_DEBUG === '1',
    grants: everyGrant,
    log: shellLog,
    now: () => Date.now(),
    store: () => {
      opening ??= openLocalStore(options.store ?? localStorePath(folder));
      return opening;
    },
    model: async (name) => {
      const { findModel } = await import('../../models/find-model.js');
      return findModel(name, { folder, environment: process.env });
    },
    close: async () => {
      const store = await opening?.catch(() => undefined);
      await store?.close();
    },
  };
}
