// Conversations of people and agents. What a room and a message are is the agents' desk's to say: here they are JSON. Messages are
// only ever added, numbered from 1 without a gap; whatever changes a room is one transaction.
import type { Kysely } from 'kysely';
import { alreadyExists, checkedJson, checkedLimit, checkedName, notFound } from './checked.js';
import type { Database, Schema } from './schema.js';

export interface StoredRoom {
  readonly id: string;
  /** JSON. */
  readonly value: unknown;
  /** How many messages it has; the last one has this number. */
  readonly messages: number;
  readonly createdAt: number;
  readonly changedAt: number;
}

export interface StoredMessage {
  readonly number: number;
  readonly id: string;
  readonly createdAt: number;
  /** JSON. */
  readonly value: unknown;
}

export interface RoomChange {
  /** In place of the room's value. */
  readonly value?: unknown;
  /** Added behind the last one, all or none; a taken id is ALREADY_EXISTS. */
  readonly messages?: readonly { readonly id?: string | undefined; readonly value: unknown }[];
}

export interface Rooms {
  /** A taken id is ALREADY_EXISTS. */
  create(project: string, id: string, value: unknown): Promise<StoredRoom>;
  get(project: string, id: string): Promise<StoredRoom>;
  /** In the order they came. */
  list(project: string): Promise<readonly StoredRoom[]>;
  /** In order; those after a number, all unless told. */
  messages(
    project: string,
    id: string,
    options?: { readonly after?: number; readonly limit?: number },
  ): Promise<readonly StoredMessage[]>;
  /** `decide` is synchronous, pure, and may be called again after a collision; what it throws changes nothing. */
  change(
    project: string,
    id: string,
    decide: (room: StoredRoom) => RoomChange,
  ): Promise<{ readonly room: StoredRoom; readonly added: readonly StoredMessage[] }>;
}

const columns = ['id', 'value', 'messages', 'created_at as createdAt', 'changed_at as changedAt'] as const;
const messageColumns = ['number', 'id', 'value', 'created_at as createdAt'] as const;

async function current(db: Kysely<Schema>, project: string, id: string): Promise<StoredRoom> {
  const row = await db
    .selectFrom('rooms')
    .select(columns)
    .where('project', '=', project)
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) throw notFound('room');
  return { ...row, value: JSON.parse(row.value) };
}

export function roomsIn(database: Database): Rooms {
  return {
    async create(project, id, value) {
      const at = database.now();
      const row = { id: checkedName('id', id), value: checkedJson('value', value), messages: 0 };
      return database.writeAside(project, async (db) => {
        const { numInsertedOrUpdatedRows } = await db
          .insertInto('rooms')
          .values({ project, ...row, created_at: at, changed_at: at })
          .onConflict((conflict) => conflict.columns(['project', 'id']).doNothing())
          .executeTakeFirstOrThrow();
        if (numInsertedOrUpdatedRows === 0n) throw alreadyExists('room', 'id');
        return current(db, project, id);
      });
    },
    get: (project, id) => database.read((db) => current(db, project, id)),
    async list(project) {
      const rows = await database.read((db) =>
        db.selectFrom('rooms').select(columns).where('project', '=', project).orderBy('sequence').execute(),
      );
      return rows.map((row) => ({ ...row, value: JSON.parse(row.value) }));
    },
    async messages(project, id, { after = 0, limit } = {}) {
      const rows = await database.read((db) => {
        const query = db
          .selectFrom('room_messages')
          .select(messageColumns)
          .where('project', '=', project)
          .where('room', '=', id)
          .where('number', '>', after)
          .orderBy('number');
        return (limit === undefined ? query : query.limit(checkedLimit(limit))).execute();
      });
      return rows.map((row) => ({ ...row, value: JSON.parse(row.value) }));
    },
    async change(project, id, decide) {
      const at = database.now();
      return database.writeAside(project, async (db) => {
        const room = await current(db, project, id);
        const { value, messages = [] } = decide(room);
        const added: StoredMessage[] = [];
        for (const message of messages) {
          const row = {
            number: room.messages + added.length + 1,
            id: checkedName('id', message.id ?? database.newId()),
            value: checkedJson('value', message.value),
          };
          const { numInsertedOrUpdatedRows } = await db
            .insertInto('room_messages')
            .values({ project, room: id, ...row, created_at: at })
            .onConflict((conflict) => conflict.columns(['project', 'room', 'id']).doNothing())
            .executeTakeFirstOrThrow();
          if (numInsertedOrUpdatedRows === 0n) throw alreadyExists('message', 'id');
          added.push({ ...row, createdAt: at, value: JSON.parse(row.value) });
        }
        await db
          .updateTable('rooms')
          .set({
            messages: room.messages + added.length,
            changed_at: at,
            ...(value === undefined ? {} : { value: checkedJson('value', value) }),
          })
          .where('project', '=', project)
          .where('id', '=', id)
          .execute();
        return { room: await current(db, project, id), added };
      });
    },
  };
}
