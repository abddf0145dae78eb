import { describe, expect, it } from 'vitest';
import { hasPostgres, howToGetPostgres, privateServer } from '../../../test/postgres/private-server.js';
import { storeContract } from '../../testing/store-contract.js';
import { openStore } from './open-store.js';

describe.skipIf(hasPostgres)('PostgreSQL', () => {
  it.skip(howToGetPostgres, () => {});
});

if (hasPostgres) {
  storeContract({ describe, it, expect }, 'PostgreSQL', async () => {
    const server = await privateServer();
    const url = await server.newDatabase();
    return {
      open: (options) => openStore({ url, ...options }),
      remove: async () => {},
    };
  });
}
