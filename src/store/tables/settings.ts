// Named texts of a project: style guide, outline, preferences.
import { checkedName, checkedText, removeOne } from './checked.js';
import type { Database } from './schema.js';

interface Setting {
  readonly key: string;
  readonly text: string;
  readonly updatedAt: number;
}

export interface Settings {
  get(project: string, key: string): Promise<string | undefined>;
  put(project: string, key: string, text: string): Promise<Setting>;
  /** By key. */
  list(project: string): Promise<readonly Setting[]>;
  delete(project: string, key: string): Promise<void>;
}

export function settingsIn(database: Database): Settings {
  return {
    async get(project, key) {
      const row = await database.read((db) =>
        db
          .selectFrom('settings')
          .select('text')
          .where('project', '=', project)
          .where('key', '=', key)
          .executeTakeFirst(),
      );
      return row?.text;
    },
    async put(project, key, text) {
      const values = {
        key: checkedName('key', key),
        text: checkedText('text', text),
        updated_at: database.now(),
      };
      await database.write(project, (db) =>
        db
          .insertInto('settings')
          .values({ project, ...values })
          .onConflict((conflict) =>
            conflict
              .columns(['project', 'key'])
              .doUpdateSet({ text: values.text, updated_at: values.updated_at }),
          )
          .execute(),
      );
      return { key, text, updatedAt: values.updated_at };
    },
    async list(project) {
      const rows = await database.remember('settings', project, (db) =>
        db
          .selectFrom('settings')
          .select(['key', 'text', 'updated_at as updatedAt'])
          .where('project', '=', project)
          .orderBy('key')
          .execute(),
      );
      return rows;
    },
    async delete(project, key) {
      await database.write(undefined, (db) =>
        removeOne(db, { table: 'settings', kind: 'setting' }, { project, key }),
      );
    },
  };
}
