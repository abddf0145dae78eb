// The store: can it be opened, is its schema one we know, may it be written? It is looked at and never brought up to date here.
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isGalleyError, toGalleyError } from '../../../core/model/error.js';
import { isDatabaseAddress } from '../../../store/check-store-path.js';
import { bestDriver } from '../../../store/sqlite/drivers.js';
import { admitVersion } from '../../../store/sqlite/migrate.js';
import { locationOf, openFile } from '../../../store/sqlite/open-file.js';
import { migrations } from '../../../store/tables/migrations.js';
import type { DoctorFinding, Patient } from './finding.js';

const another = 'export GALLEY_STORE=~/galley.db';

const anotherDatabase = 'export GALLEY_STORE=postgres://user:password@host:5432/database';

export async function checkStore({ store }: Patient): Promise<DoctorFinding> {
  return isDatabaseAddress(store) ? checkDatabase(store) : checkFile(store);
}

async function checkDatabase(url: string): Promise<DoctorFinding> {
  try {
    const { examineDatabase } = await import('../../../store/postgres/examine.js');
    const seen = await examineDatabase(url, { clock: () => performance.now() });
    const facts = [
      `PostgreSQL ${seen.server}`,
      ...(seen.version === 0 ? ['empty'] : [`schema ${seen.version}`]),
      seen.encoding,
      `${seen.roundTripMs.toFixed(1)} ms`,
    ].join(', ');
    const shown = { id: 'store', found: facts } as const;
    if (!seen.hasExtension) return { ...shown, status: 'fail', problem: 'no-extension', wanted: 'btree_gin' };
    if (seen.isReadOnly) return { ...shown, status: 'warn', problem: 'read-only', repair: anotherDatabase };
    if (seen.passesWalls) return { ...shown, status: 'warn', problem: 'no-walls' };
    const isBehind = seen.version < (migrations.at(-1)?.number ?? 0);
    return { ...shown, status: 'ok', ...(isBehind ? { problem: 'behind' } : {}) };
  } catch (error) {
    return broken(error, anotherDatabase);
  }
}

async function checkFile(store: string): Promise<DoctorFinding> {
  const location = locationOf(store);
  const size = await stat(location).then(
    (entry) => entry.size,
    () => 0,
  );
  if (size === 0) {
    return (await isWritable(await nearestFolder(location)))
      ? { id: 'store', status: 'ok', problem: 'not-yet' }
      : { id: 'store', status: 'warn', problem: 'unwritable', repair: another };
  }
  try {
    const { facts, behind } = await look(location);
    if (!(await isWritable(location)))
      return { id: 'store', status: 'warn', problem: 'read-only', found: facts, repair: another };
    return { id: 'store', status: 'ok', found: facts, ...(behind ? { problem: 'behind' } : {}) };
  } catch (error) {
    return broken(error, another);
  }
}

function broken(error: unknown, place: string): DoctorFinding {
  const { code, message } = toGalleyError(error, 'STORE_UNAVAILABLE');
  const isBusy = isGalleyError(error) && code === 'STORE_BUSY';
  const repair = code === 'STORE_TOO_NEW' ? 'npm install -g galley@latest' : place;
  return { id: 'store', status: isBusy ? 'warn' : 'fail', problem: 'broken', found: message, repair };
}

async function look(location: string): Promise<{ facts: string; behind: boolean }> {
  const driver = await bestDriver();
  const connection = await openFile(driver, location, (opened) => admitVersion(opened, migrations));
  try {
    const ask = (sql: string) => String(Object.values(connection.all(sql, [])[0] ?? {})[0]);
    const version = Number(ask('pragma user_version'));
    const newest = migrations.at(-1)?.number ?? 0;
    const sound = ask('pragma quick_check(1)');
    const facts = `schema ${version}, ${ask('pragma journal_mode')}, ${sound}, ${driver.name}`;
    return { facts, behind: version < newest };
  } finally {
    connection.close();
  }
}

async function isWritable(path: string): Promise<boolean> {
  return access(path, constants.W_OK).then(
    () => true,
    () => false,
  );
}

/** The folder the store would be made in, or the first one above that is there. */
async function nearestFolder(path: string): Promise<string> {
  const folder = dirname(path);
  const isThere = await stat(folder).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
  return isThere || folder === path ? folder : nearestFolder(folder);
}
