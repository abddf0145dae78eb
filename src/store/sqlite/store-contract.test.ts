import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { storeContract } from '../../testing/store-contract.js';
import { availableDrivers } from './drivers.js';
import { openStore } from './open-store.js';

const drivers = await availableDrivers();

for (const driver of drivers) {
  storeContract({ describe, it, expect }, `sqlite file over ${driver.name}`, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'galley-store-'));
    return {
      open: (options) => openStore({ path: join(folder, 'galley.db'), driver, ...options }),
      remove: () => rm(folder, { recursive: true }),
    };
  });
}

describe.skipIf(drivers.some(({ name }) => name === 'node:sqlite'))('node:sqlite', () => {
  it.skip('runs the same suite under Node 22.13 or later: npx vitest run src/store', () => {});
});

describe('drivers', () => {
  it('offers at least one', () => {
    expect(drivers.length).toBeGreaterThan(0);
  });
});
