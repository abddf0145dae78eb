// Who owns the rows. A project comes into being with its first write; reading an unknown one finds nothing.
import { isAbsolute, win32 } from 'node:path';
import { GalleyError } from '../../core/model/error.js';
import { checkedJson, checkedText } from './checked.js';
import type { Database, ProjectTable } from './schema.js';

export interface Project {
  readonly id: string;
  /** Relative to where the store is; never absolute. */
  readonly folder?: string;
  /** JSON. */
  readonly settings: Readonly<Record<string, unknown>>;
}

export interface Projects {
  /** An unknown project answers with empty settings. */
  get(project: string): Promise<Project>;
  /** Fields that are left out keep their value. */
  put(
    project: string,
    fields: { folder?: string; settings?: Readonly<Record<string, unknown>> },
  ): Promise<Project>;
  /** By id. */
  list(): Promise<readonly Project[]>;
}

function checkedFolder(folder: string): string {
  if (isAbsolute(folder) || win32.isAbsolute(folder)) {
    throw new GalleyError(
      'INVALID_ARGUMENT',
      'folder must be relative; leave the machine part of the path away.',
      {
        details: { field: 'folder' },
      },
    );
  }
  return checkedText('folder', folder);
}

function toProject(row: Pick<ProjectTable, 'id' | 'folder' | 'settings'>): Project {
  const project = { id: row.id, settings: JSON.parse(row.settings) };
  return row.folder === null ? project : { ...project, folder: row.folder };
}

const columns = ['id', 'folder', 'settings'] as const;

export function projectsIn(database: Database): Projects {
  return {
    async get(project) {
      const row = await database.read((db) =>
        db.selectFrom('projects').select(columns).where('id', '=', project).executeTakeFirst(),
      );
      return row === undefined ? { id: project, settings: {} } : toProject(row);
    },
    async put(project, { folder, settings }) {
      const change = {
        ...(folder === undefined ? {} : { folder: checkedFolder(folder) }),
        ...(settings === undefined ? {} : { settings: checkedJson('settings', settings) }),
      };
      const row = await database.write(project, async (db) => {
        if (Object.keys(change).length > 0) {
          await db.updateTable('projects').set(change).where('id', '=', project).execute();
        }
        return db.selectFrom('projects').select(columns).where('id', '=', project).executeTakeFirstOrThrow();
      });
      return toProject(row);
    },
    async list() {
      const rows = await database.read((db) =>
        db.selectFrom('projects').select(columns).orderBy('id').execute(),
      );
      return rows.map(toProject);
    },
  };
}
