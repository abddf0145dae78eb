// Which SQLite bindings does this runtime offer? Best first.
import { GalleyError } from '../../core/model/error.js';
import type { SqliteDriver } from './connection.js';
import { loadLibsqlDriver } from './libsql-driver.js';
import { loadNodeDriver } from './node-driver.js';

export async function availableDrivers(): Promise<readonly SqliteDriver[]> {
  const drivers = [loadNodeDriver(), await loadLibsqlDriver()];
  return drivers.filter((driver) => driver !== undefined);
}

export async function bestDriver(): Promise<SqliteDriver> {
  const driver = loadNodeDriver() ?? (await loadLibsqlDriver());
  if (driver !== undefined) return driver;
  throw new GalleyError(
    'STORE_UNAVAILABLE',
    'No SQLite is available; use Node 22.13 or later, or install the package libsql.',
  );
}
