// The store: can it be opened, is its schema one we know, may it be written? It is looked at and never brought up to date here.
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isGalleyError, toGalleyError } from '../../../core/model/error.js';
import { bestDriver } from '../../../store/sqlite/drivers.js';
import { admitVersion } from '../../../store/sqlite/migrate.js';
import { locationOf, openFile } from '../../../store/sqlite/open-file.js';
import { migrations } from '../../../store/tables/migrations.js';
import type { DoctorFinding, Patient } from './finding.js';

const another = 'export GALLEY_STORE=~/galley.db';

export async function checkStore({ store }: Patient): Promise<DoctorFinding> {
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
    const { code, message } = toGalleyError(error, 'STORE_UNAVAILABLE');
    const busy = isGalleyError(error) && code === 'STORE_BUSY';
    const repair = code === 'STORE_TOO_NEW' ? 'npm install -g galley@latest' : another;
    return { id: 'store', status: busy ? 'warn' : 'fail', problem: 'broken', found: message, repair };
  }
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
