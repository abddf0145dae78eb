// Moves a project from one store to another, whichever engines they are, in batches that are each there or not. A copy that was
// cut off goes on where it stopped; when all is there, both sides are read again and must have the same digests.
import type { Kysely } from 'kysely';
import { GalleyError } from '../../core/model/error.js';
import type { StoreRows } from '../store-rows.js';
import {
  copyMark,
  countRows,
  digestsOf,
  type OwnedTable,
  type Row,
  readRows,
  type TableDigest,
  tablesOf,
} from './read-rows.js';

export interface CopyProgress {
  readonly project: string;
  readonly table: string;
  /** So far, those of an earlier run included. */
  readonly rows: number;
}

export interface ComparedTable extends TableDigest {
  readonly isEqual: boolean;
}

export interface ComparedProject {
  /** Empty: what belongs to no project. */
  readonly project: string;
  readonly tables: readonly ComparedTable[];
  readonly isEqual: boolean;
}

interface Ends {
  readonly from: StoreRows;
  readonly to: StoreRows;
}

export async function copyProject(
  { from, to }: Ends,
  project: string,
  onProgress: (progress: CopyProgress) => void = () => {},
): Promise<ComparedProject> {
  const isResumed = await begin(to, project);
  for (const table of tablesOf(project)) {
    let rows = isResumed ? await countCopied(to, project, table) : 0;
    for await (const batch of readRows(from, project, { table, skip: rows })) {
      if (batch.length > 0) await insert(to, project, { table, batch });
      rows += batch.length;
      onProgress({ project, table: table.name, rows });
    }
  }
  await end({ from, to }, project);
  return compareProject({ from, to }, project);
}

/** Where nothing was before, or only what an earlier run of this brought. */
async function begin(to: StoreRows, project: string): Promise<boolean> {
  // Skills of everyone are few, and replaced one by one.
  if (project === '') return false;
  if ((await to.store.settings.get(project, copyMark)) !== undefined) return true;
  for (const table of tablesOf(project)) {
    if ((await countRows(to, project, table)) > 0)
      throw new GalleyError(
        'ALREADY_EXISTS',
        'The project is in the store it is copied to already; name another store, or an empty one.',
        { details: { kind: 'project', table: table.name } },
      );
  }
  await to.store.settings.put(project, copyMark, 'under way');
  return false;
}

async function countCopied(to: StoreRows, project: string, table: OwnedTable): Promise<number> {
  const count = await countRows(to, project, table);
  return table.name === 'settings' ? count - 1 : count;
}

async function insert(
  to: StoreRows,
  project: string,
  { table, batch }: { table: OwnedTable; batch: readonly Row[] },
): Promise<void> {
  await to.write(project === '' ? undefined : project, async (db) => {
    const rows = db as unknown as Kysely<Record<string, Row>>;
    const query = rows.insertInto(table.name).values([...batch]);
    if (project !== '') return query.execute();
    const ids = batch.map(({ id }) => id as string);
    await rows.deleteFrom(table.name).where('owner', '=', '').where('id', 'in', ids).execute();
    return query.execute();
  });
}

async function end({ from, to }: Ends, project: string): Promise<void> {
  if (project === '') return;
  const { settings, folder } = await from.store.projects.get(project);
  await to.store.projects.put(project, { settings, ...(folder === undefined ? {} : { folder }) });
  await to.store.settings.delete(project, copyMark);
}

/** Each table of the first, held against the second. */
export async function compareProject({ from, to }: Ends, project: string): Promise<ComparedProject> {
  const [here, there] = await Promise.all([digestsOf(from, project), digestsOf(to, project)]);
  const tables = here.map((each, index) => ({ ...each, isEqual: each.digest === there[index]?.digest }));
  return { project, tables, isEqual: tables.every(({ isEqual }) => isEqual) };
}
