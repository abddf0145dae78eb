// Opens one connection to a store file: its folder made, the journal set, and a file that cannot be written still readable.
import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { GalleyError, isGalleyError } from '../../core/model/error.js';
import { checkStorePath, isDatabaseAddress } from '../check-store-path.js';
import type { SqliteConnection, SqliteDriver } from './connection.js';

const inMemory = ':memory:';

// Short: the binding's own wait holds up the event loop; the long wait is ours.
const bindingWaitMs = 15;

/** A name the binding cannot take for an address on the network. */
export function locationOf(path: string): string {
  checkStorePath(path);
  if (isDatabaseAddress(path)) throw new GalleyError('INTERNAL', 'A database is no file.');
  return path === inMemory ? path : resolve(path);
}

/** One try a level: the runtime's own recursive call never comes back from some virtual file systems. */
async function makeFolders(folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const parent = dirname(folder);
    if (code === 'ENOENT' && parent !== folder) {
      await makeFolders(parent);
      await mkdir(folder).catch(ignoreExisting);
    } else ignoreExisting(error);
  }
}

function ignoreExisting(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
}

export async function makeFolder(location: string): Promise<void> {
  if (location === inMemory) return;
  const folder = dirname(location);
  try {
    if (!(await isFolder(folder))) await makeFolders(folder);
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

type Admit = (connection: SqliteConnection) => void;

function prepare(connection: SqliteConnection, admit: Admit): SqliteConnection {
  try {
    connection.exec(`pragma busy_timeout = ${bindingWaitMs}`);
    admit(connection);
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

/** Some bindings keep the journal open until their statements are collected; what it holds is moved over before. */
function checkpointOnClose(connection: SqliteConnection): SqliteConnection {
  return {
    ...connection,
    close() {
      try {
        connection.all('pragma wal_checkpoint(truncate)', []);
      } catch {
        // Another process is at work or the file cannot be written: the journal stays and is read next time.
      }
      connection.close();
    },
  };
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
}

async function hasContent(path: string): Promise<boolean> {
  const size = await stat(path).then(
    (entry) => entry.size,
    () => 0,
  );
  return size > 0;
}

/** `admit` sees the file before anything is written to it. */
export async function openFile(
  driver: SqliteDriver,
  location: string,
  admit: Admit,
): Promise<SqliteConnection> {
  try {
    return checkpointOnClose(prepare(driver.connect(location), admit));
  } catch (error) {
    if (!isGalleyError(error) || error.code !== 'STORE_UNAVAILABLE' || location === inMemory) throw error;
    // Without write access the journal's index cannot be made; with nothing in the journal the file alone is the truth.
    if (!(await hasContent(location)) || (await hasContent(`${location}-wal`))) throw error;
    const connection = driver.connect(`${pathToFileURL(location).href}?immutable=1`);
    try {
      admit(connection);
      return connection;
    } catch (refusal) {
      connection.close();
      throw refusal;
    }
  }
}
