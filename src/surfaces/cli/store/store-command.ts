// galley store …: digests of what a store holds, a copy to another engine that is proven equal, and the newest schema. Addresses
// are never printed.
import { GalleyError } from '../../../core/model/error.js';
import { openRowsAt } from '../../../store/place/open-store.js';
import type { StoreRows } from '../../../store/store-rows.js';
import { migrations } from '../../../store/tables/migrations.js';
import { type ComparedProject, compareProject, copyProject } from '../../../store/transfer/copy-project.js';
import { digestsOf } from '../../../store/transfer/read-rows.js';
import { isThere, storePath } from '../../shared-store.js';
import { colours } from '../terminal/colours.js';
import { print, printJson, say } from '../terminal/talk.js';
import { word } from '../words/word.js';

interface StoreFlags {
  readonly store?: string;
  readonly project?: string;
  readonly json?: boolean;
}

const unequal = 3;

export async function checkStoreCommand({
  against,
  ...flags
}: StoreFlags & { against?: string }): Promise<void> {
  await withStore(existing(flags.store), async (from) => {
    const projects = await projectsOf(from, flags.project);
    if (against !== undefined) {
      await withStore(existing(against), async (to) => {
        const compared: ComparedProject[] = [];
        for (const project of projects) compared.push(await compareProject({ from, to }, project));
        tell(compared, flags);
        await tellLeft(from);
      });
      return;
    }
    const held: ComparedProject[] = [];
    for (const project of projects) {
      const tables = (await digestsOf(from, project)).map((each) => ({ ...each, isEqual: true }));
      held.push({ project, tables, isEqual: true });
    }
    tell(held, flags, 'held');
  });
}

export async function copyStoreCommand(
  flags: Pick<StoreFlags, 'project' | 'json'> & { readonly from?: string; readonly to: string },
): Promise<void> {
  const target = storePath(process.cwd(), flags.to);
  const source = existing(flags.from);
  if (source === target)
    throw new GalleyError('INVALID_ARGUMENT', '--to: must be another store than the one that is copied.', {
      details: { field: 'to' },
    });
  await withStore(source, (from) =>
    withStore(target, async (to) => {
      const copied: ComparedProject[] = [];
      for (const project of await projectsOf(from, flags.project)) {
        const progress = ({ table, rows }: { table: string; rows: number }) =>
          say(`${word('store.copying', { project: nameOf(project), table, rows })}\n`);
        copied.push(await copyProject({ from, to }, project, progress));
      }
      tell(copied, flags);
      await tellLeft(from);
    }),
  );
}

/** What belongs to a server is no part of a project: said, or a server on the copy would let everybody in unnoticed. */
async function tellLeft({ store }: StoreRows): Promise<void> {
  const tokens = (await store.tokens.list()).length;
  const projects = await store.projects.list();
  const jobs = await Promise.all(projects.map(({ id }) => store.jobs.list(id, { limit: 1 })));
  if (tokens > 0 || jobs.some(({ length }) => length > 0)) say(`${word('store.left', { tokens })}\n`);
}

export async function migrateStoreCommand({ store, json }: StoreFlags): Promise<void> {
  await withStore(storePath(process.cwd(), store), async () => {
    const version = migrations.at(-1)?.number ?? 0;
    if (json) return printJson({ version });
    print(`${word('store.migrated', { version })}\n`);
  });
}

/** Whoever asks for what a store holds makes none. */
function existing(named: string | undefined): string {
  const path = storePath(process.cwd(), named);
  if (isThere(path)) return path;
  throw new GalleyError('NOT_FOUND', 'There is no store at this place; name one with --store.', {
    details: { kind: 'store' },
  });
}

async function withStore(path: string, work: (rows: StoreRows) => Promise<void>): Promise<void> {
  const rows = await openRowsAt({ path, now: () => Date.now() });
  try {
    await work(rows);
  } finally {
    await rows.store.close();
  }
}

/** The one that is named, or all, and then what belongs to none. */
async function projectsOf({ store }: StoreRows, named: string | undefined): Promise<readonly string[]> {
  const ids = (await store.projects.list()).map(({ id }) => id);
  if (named === undefined) return [...ids, ''];
  if (ids.includes(named)) return [named];
  throw new GalleyError('NOT_FOUND', 'The store has no such project; galley store lists them.', {
    details: { kind: 'project' },
  });
}

function nameOf(project: string): string {
  return project === '' ? word('store.everyone') : project;
}

function tell(projects: readonly ComparedProject[], { json }: Pick<StoreFlags, 'json'>, kind?: 'held'): void {
  const isEqual = projects.every((each) => each.isEqual);
  if (!isEqual) process.exitCode = unequal;
  if (json) printJson({ isEqual, projects });
  else printProjects(projects, { kind, isEqual });
}

function printProjects(
  projects: readonly ComparedProject[],
  { kind, isEqual }: { kind: 'held' | undefined; isEqual: boolean },
): void {
  for (const { project, tables, isEqual: isSame } of projects) {
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    const mark = isSame ? colours.green('✓') : colours.red('✗');
    print(`${mark} ${nameOf(project)}  ${word('store.rows', { rows })}\n`);
    for (const table of tables) {
      if (table.isEqual && (kind === undefined || table.rows === 0)) continue;
      const line = `  ${table.table}  ${table.rows}  ${colours.dim(table.digest.slice(0, 12))}`;
      print(table.isEqual ? `${line}\n` : `${line}  ${colours.red(word('store.differs'))}\n`);
    }
  }
  if (kind === undefined) print(`${word(isEqual ? 'store.equal' : 'store.unequal')}\n`);
}
