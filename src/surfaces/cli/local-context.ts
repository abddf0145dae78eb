// What operations may reach for when the user's own shell is the door: everything is granted, the store opens on demand.

import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Grant, OperationContext } from '../../operations/operation.js';
import type { Store } from '../../store/store.js';
import { cancellation } from './cancellation.js';
import { shellLog } from './shell-log.js';

const everything: ReadonlySet<Grant> = new Set(['read', 'write', 'inspect', 'run']);

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
    grants: everything,
    log: shellLog,
    now: () => Date.now(),
    store: () => {
      opening ??= open(options.store ?? process.env.GALLEY_STORE ?? join(folder, '.galley', 'galley.db'));
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

async function open(path: string): Promise<Store> {
  const { openStore } = await import('../../store/sqlite/open-store.js');
  if (path !== ':memory:') await mkdir(dirname(path), { recursive: true }).catch(() => undefined);
  return openStore({ path, now: () => Date.now() });
}
