// The rows of one project, table by table, in an order that every engine shares, and their digests: two stores that hold the same
// rows have the same digests.
import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { StoreRows } from '../store-rows.js';
import type { Schema } from '../tables/schema.js';
import { type TableRows, tableRows } from '../tables/table-rows.js';

export type Row = Readonly<Record<string, string | number | null>>;

export interface OwnedTable extends TableRows {
  readonly name: keyof Schema;
}

export const ownedTables: readonly OwnedTable[] = Object.entries(tableRows).flatMap(([name, rows]) =>
  rows === undefined ? [] : [{ name: name as keyof Schema, ...rows }],
);

/** The tables of a project, or what belongs to no project. */
export function tablesOf(project: string): readonly OwnedTable[] {
  return ownedTables.filter(({ owner }) => project !== '' || owner === 'owner');
}

export interface TableDigest {
  readonly table: keyof Schema | 'projects';
  readonly rows: number;
  /** SHA-256, in hex. */
  readonly digest: string;
}

/** Says in the target that a copy is under way; no row of the project. */
export const copyMark = 'galley:copy-under-way';

const usualAtOnce = 200;

/** Batches in order, each without the numbers that the store gave; `skip` leaves the first ones out. */
export async function* readRows(
  { read }: Pick<StoreRows, 'read'>,
  project: string,
  { table, skip = 0 }: { table: OwnedTable; skip?: number },
): AsyncGenerator<readonly Row[]> {
  const { order, counter, atOnce = usualAtOnce } = table;
  let last: Row | undefined;
  for (let offset = skip; ; offset = 0) {
    const rows = await read(project, (db) => batchOf(db, table, { project, last, offset, atOnce }));
    last = rows.at(-1);
    if (last === undefined) return;
    yield rows
      .filter(({ key }) => table.name !== 'settings' || key !== copyMark)
      .map((row) => without(row, counter));
    if (rows.length < atOnce || order.length === 0) return;
  }
}

async function batchOf(
  db: Kysely<Schema>,
  { name, owner, order }: OwnedTable,
  {
    project,
    last,
    offset,
    atOnce,
  }: { project: string; last: Row | undefined; offset: number; atOnce: number },
): Promise<readonly Row[]> {
  const columns = sql.join(order.map((column) => sql.ref(column)));
  const place = sql.join(order.map((column) => sql`${last?.[column]}`));
  const behind = last === undefined ? sql`` : sql`and (${columns}) > (${place})`;
  const { rows } = await sql<Row>`select * from ${sql.table(name)}
    where ${sql.ref(owner)} = ${project} ${behind} order by ${columns} limit ${atOnce} offset ${offset}`.execute(
    db,
  );
  return rows;
}

function without(row: Row, counter: string | undefined): Row {
  if (counter === undefined) return row;
  const { [counter]: _, ...rest } = row;
  return rest;
}

export async function countRows(
  { read }: Pick<StoreRows, 'read'>,
  project: string,
  { name, owner }: OwnedTable,
): Promise<number> {
  const { rows } = await read(project, (db) =>
    sql<{
      count: number;
    }>`select count(*) as count from ${sql.table(name)} where ${sql.ref(owner)} = ${project}`.execute(db),
  );
  return Number(rows[0]?.count ?? 0);
}

export async function digestsOf(
  rows: StoreRows,
  project: string,
  onTable: (digest: TableDigest) => void = () => {},
): Promise<readonly TableDigest[]> {
  const digests: TableDigest[] = [];
  const add = (digest: TableDigest) => {
    digests.push(digest);
    onTable(digest);
  };
  if (project !== '') {
    const { settings, folder = null } = await rows.store.projects.get(project);
    add({ table: 'projects', rows: 1, digest: hash([JSON.stringify([project, settings, folder])]) });
  }
  for (const table of tablesOf(project)) {
    const all = createHash('sha256');
    let count = 0;
    for await (const batch of readRows(rows, project, { table })) {
      for (const row of batch) all.update(`${canonical(row)}\n`);
      count += batch.length;
    }
    add({ table: table.name, rows: count, digest: all.digest('hex') });
  }
  return digests;
}

/** By column; engines list columns in the order they were made. */
function canonical(row: Row): string {
  return JSON.stringify(
    Object.keys(row)
      .sort()
      .map((column) => [column, row[column]]),
  );
}

function hash(words: readonly string[]): string {
  return createHash('sha256').update(words.join('\n')).digest('hex');
}
