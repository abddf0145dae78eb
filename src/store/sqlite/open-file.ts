// Opens one connection to a store file: its folder made, the journal set, and a file that cannot be written still readable.
import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { GalleyError, isGalleyError } from '../../core/model/error.js';
import type { SqliteConnection, SqliteDriver } from './connection.js';

const inMemory = ':memory:';

// Short: the binding's own wait holds up the event loop; the long wait is ours.
const bindingWaitMs = 15;

/** A name the binding cannot take for an address on the network. */
export function locationOf(path: string): string {
  return path === inMemory ? path : resolve(path);
}

export async function makeFolder(location: string): Promise<void> {
  if (location === inMemory) return;
  try {
    await mkdir(dirname(location), { recursive: true });
  } catch (error) {
    throw new GalleyError(
      'STORE_UNAVAILABLE',
      'The folder of the store cannot be made; name another place.',
      {
        cause: error,
      },
    );
  }
}

function prepare(connection: SqliteConnection): SqliteConnection {
  try {
    connection.exec(`pragma busy_timeout = ${bindingWaitMs}`);
    connection.exec('pragma foreign_keys = on');
    connection.all('pragma journal_mode = wal', []);
    // In this journal a killed process loses nothing that was acknowledged; only a power cut may cost the last moments.
    connection.exec('pragma synchronous = normal');
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

async function hasContent(path: string): Promise<boolean> {
  const size = await stat(path).then(
    (entry) => entry.size,
    () => 0,
  );
  return size > 0;
}

export async function openFile(driver: SqliteDriver, location: string): Promise<SqliteConnection> {
  try {
    return prepare(driver.connect(location));
  } catch (error) {
    if (!isGalleyError(error) || error.code !== 'STORE_UNAVAILABLE' || location === inMemory) throw error;
    // Without write access the journal's index cannot be made; with nothing in the journal the file alone is the truth.
    if (!(await hasContent(location)) || (await hasContent(`${location}-wal`))) throw error;
    const connection = driver.connect(`${pathToFileURL(location).href}?immutable=1`);
    try {
      connection.all('select count(*) from sqlite_schema', []);
      return connection;
    } catch {
      connection.close();
      throw error;
    }
  }
}
