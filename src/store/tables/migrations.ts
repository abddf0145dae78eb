// How the schema came to be, one numbered step after the other. A step that has shipped never changes.
import { type CreateTableBuilder, sql, type Transaction } from 'kysely';
import type { Schema } from './schema.js';

/** What a step cannot say in words all engines share. */
export interface EngineWords {
  /** The type of an integer key that counts up by itself and is never used twice. */
  readonly counter: 'integer' | 'bigserial';
  createSearch(db: Transaction<Schema>): Promise<void>;
  /** Where common terms are kept apart from the others. */
  listTerms(db: Transaction<Schema>): Promise<void>;
}

export interface Migration {
  readonly number: number;
  up(db: Transaction<Schema>, words: EngineWords): Promise<void>;
}

type Table = CreateTableBuilder<string, string>;

const ownedBy = (table: Table): Table =>
  table.addColumn('project', 'text', (column) => column.notNull().references('projects.id'));

const counted = (table: Table, words: EngineWords, name: string): Table =>
  table.addColumn(name, words.counter, (column) =>
    words.counter === 'integer' ? column.primaryKey().autoIncrement() : column.primaryKey(),
  );

const texts = (table: Table, ...names: string[]): Table =>
  names.reduce((built: Table, name) => built.addColumn(name, 'text', (column) => column.notNull()), table);

const optionalTexts = (table: Table, ...names: string[]): Table =>
  names.reduce((built: Table, name) => built.addColumn(name, 'text'), table);

const numbers = (table: Table, ...names: string[]): Table =>
  names.reduce((built: Table, name) => built.addColumn(name, 'bigint', (column) => column.notNull()), table);

async function material(db: Transaction<Schema>, words: EngineWords): Promise<void> {
  const create = (name: string): Table => db.schema.createTable(name);
  await optionalTexts(
    texts(
      counted(create('projects'), words, 'number').addColumn('id', 'text', (column) =>
        column.notNull().unique(),
      ),
      'settings',
    ),
    'folder',
  ).execute();
  await numbers(texts(ownedBy(create('settings')), 'key', 'text'), 'updated_at')
    .addPrimaryKeyConstraint('settings_key', ['project', 'key'])
    .execute();
  await numbers(
    texts(ownedBy(create('documents')), 'id', 'title', 'text', 'content_hash'),
    'version',
    'updated_at',
  )
    .addColumn('position', sql`double precision`, (column) => column.notNull())
    .addPrimaryKeyConstraint('documents_key', ['project', 'id'])
    .execute();
  await numbers(
    texts(ownedBy(counted(create('constraints'), words, 'sequence')), 'id', 'kind', 'origin', 'text'),
    'priority',
    'pinned',
    'version',
  )
    .addUniqueConstraint('constraints_key', ['project', 'id'])
    .execute();
  const entity = [
    'id',
    'name',
    'aliases',
    'kind',
    'description',
    'inclusion',
    'facts',
    'secrets',
    'relations',
  ];
  await numbers(texts(ownedBy(create('entities')), ...entity), 'never_trimmed', 'version', 'updated_at')
    .addPrimaryKeyConstraint('entities_key', ['project', 'id'])
    .addUniqueConstraint('entities_name', ['project', 'name'])
    .execute();
  await numbers(
    texts(ownedBy(counted(create('memories'), words, 'sequence')), 'id', 'kind', 'text', 'origin'),
    'confirmed',
    'created_at',
  )
    .addColumn('confidence', sql`double precision`, (column) => column.notNull())
    .addUniqueConstraint('memories_key', ['project', 'id'])
    .execute();
}

async function running(db: Transaction<Schema>, words: EngineWords): Promise<void> {
  const create = (name: string): Table => db.schema.createTable(name);
  const sequenced = (name: string): Table =>
    ownedBy(counted(create(name), words, 'sequence')).addUniqueConstraint(`${name}_key`, ['project', 'id']);
  await numbers(
    optionalTexts(texts(sequenced('summaries'), 'id', 'text'), 'run', 'skill', 'document'),
    'created_at',
  ).execute();
  await numbers(
    optionalTexts(
      texts(sequenced('runs'), 'id', 'operation', 'status', 'metadata'),
      'skill',
      'document',
      'model',
    ),
    'started_at',
  )
    .addColumn('ended_at', 'bigint')
    .execute();
  await numbers(texts(sequenced('receipts'), 'id', 'operation', 'summary', 'value'), 'created_at').execute();
  await numbers(
    texts(create('skills'), 'owner', 'id', 'name', 'description', 'source', 'context_rules'),
    'updated_at',
  )
    .addPrimaryKeyConstraint('skills_key', ['owner', 'id'])
    .execute();
  await numbers(texts(ownedBy(create('budgets')), 'value'), 'version')
    .addPrimaryKeyConstraint('budgets_key', ['project'])
    .execute();
  await texts(ownedBy(create('lanes')), 'lane', 'state')
    .addPrimaryKeyConstraint('lanes_key', ['project', 'lane'])
    .execute();
  for (const table of ['summaries', 'runs', 'receipts']) {
    await db.schema.createIndex(`${table}_newest`).on(table).columns(['project', 'sequence']).execute();
  }
}

async function retrieval(db: Transaction<Schema>, words: EngineWords): Promise<void> {
  const create = (name: string): Table => db.schema.createTable(name);
  await numbers(texts(ownedBy(create('indexed_documents')), 'document', 'content_hash'), 'chunks', 'terms')
    .addPrimaryKeyConstraint('indexed_documents_key', ['project', 'document'])
    .execute();
  await numbers(
    texts(ownedBy(counted(create('chunks'), words, 'number')), 'id', 'document', 'text', 'content_hash'),
    'ordinal',
    'first',
    'past',
  )
    .addUniqueConstraint('chunks_place', ['project', 'document', 'ordinal'])
    .execute();
  await words.createSearch(db);
}

/** Everything a list of documents says, beside their texts: nobody walks over a text to read what lies behind it. */
async function listing(db: Transaction<Schema>): Promise<void> {
  const columns = ['project', 'position', 'id', 'title', 'content_hash', 'version', 'updated_at'];
  await db.schema.createIndex('documents_listing').on('documents').columns(columns).execute();
}

async function vectors(db: Transaction<Schema>): Promise<void> {
  await texts(ownedBy(db.schema.createTable('vectors')), 'model', 'content_hash', 'vector')
    .addPrimaryKeyConstraint('vectors_key', ['project', 'model', 'content_hash'])
    .execute();
  await db.schema.createIndex('chunks_content').on('chunks').columns(['project', 'content_hash']).execute();
}

async function drafts(db: Transaction<Schema>, words: EngineWords): Promise<void> {
  const create = (name: string): Table => db.schema.createTable(name);
  await texts(ownedBy(counted(create('drafts'), words, 'sequence')), 'id', 'value')
    .addUniqueConstraint('drafts_key', ['project', 'id'])
    .execute();
  await texts(ownedBy(create('snapshots')), 'content_hash', 'text')
    .addPrimaryKeyConstraint('snapshots_key', ['project', 'content_hash'])
    .execute();
  await texts(ownedBy(counted(create('steps'), words, 'sequence')), 'value').execute();
  await db.schema.createIndex('steps_of').on('steps').columns(['project', 'sequence']).execute();
}

async function rooms(db: Transaction<Schema>, words: EngineWords): Promise<void> {
  const create = (name: string): Table => db.schema.createTable(name);
  await numbers(
    texts(ownedBy(counted(create('rooms'), words, 'sequence')), 'id', 'value'),
    'messages',
    'created_at',
    'changed_at',
  )
    .addUniqueConstraint('rooms_key', ['project', 'id'])
    .execute();
  await numbers(texts(ownedBy(create('room_messages')), 'room', 'id', 'value'), 'number', 'created_at')
    .addPrimaryKeyConstraint('room_messages_key', ['project', 'room', 'number'])
    .addUniqueConstraint('room_messages_id', ['project', 'room', 'id'])
    .execute();
}

/** Of the server and the models, not of a project: none of these tables has one. */
async function access(db: Transaction<Schema>): Promise<void> {
  const create = (name: string): Table => db.schema.createTable(name);
  await numbers(texts(create('tokens'), 'id', 'digest', 'value'), 'created_at')
    .addColumn('expires_at', 'bigint')
    .addColumn('revoked_at', 'bigint')
    .addPrimaryKeyConstraint('tokens_key', ['id'])
    .addUniqueConstraint('tokens_digest', ['digest'])
    .execute();
  await numbers(texts(create('spending'), 'owner', 'period'), 'calls', 'tokens', 'micro_dollars')
    .addPrimaryKeyConstraint('spending_key', ['owner', 'period'])
    .execute();
  await numbers(texts(create('paces'), 'name'), 'calls_at', 'tokens_at')
    .addPrimaryKeyConstraint('paces_key', ['name'])
    .execute();
}

async function jobs(db: Transaction<Schema>, words: EngineWords): Promise<void> {
  const create = (name: string): Table => db.schema.createTable(name);
  const told = ['key', 'lane', 'progress', 'answer', 'refusal', 'trace', 'claim'];
  const table = numbers(
    optionalTexts(
      texts(
        ownedBy(counted(create('jobs'), words, 'sequence')),
        'id',
        'operation',
        'request',
        'owner',
        'status',
      ),
      ...told,
    ),
    ...['priority', 'attempts', 'max_attempts', 'cancel_asked', 'due_at', 'lease_until', 'created_at'],
  );
  await ['ceiling', 'started_at', 'ended_at']
    .reduce((built: Table, name) => built.addColumn(name, 'bigint'), table)
    .addUniqueConstraint('jobs_id', ['project', 'id'])
    .addUniqueConstraint('jobs_key', ['project', 'key'])
    .execute();
  await db.schema.createIndex('jobs_next').on('jobs').columns(['status', 'priority', 'sequence']).execute();
  await db.schema.createIndex('jobs_lane').on('jobs').columns(['project', 'lane', 'sequence']).execute();
  // Whatever two claims believe of each other, no two jobs of a lane run at the same time.
  await db.schema
    .createIndex('jobs_one_of_a_lane')
    .unique()
    .on('jobs')
    .columns(['project', 'lane'])
    .where(sql.ref('status'), '=', sql.lit('running'))
    .execute();
  await numbers(texts(ownedBy(create('job_answers')), 'job', 'digest', 'answer'), 'nth', 'created_at')
    .addPrimaryKeyConstraint('job_answers_key', ['project', 'job', 'digest', 'nth'])
    .execute();
}

export const migrations: readonly Migration[] = [
  { number: 1, up: material },
  { number: 2, up: running },
  { number: 3, up: retrieval },
  { number: 4, up: listing },
  { number: 5, up: vectors },
  { number: 6, up: drafts },
  { number: 7, up: rooms },
  { number: 8, up: access },
  { number: 9, up: jobs },
  { number: 10, up: (db, words) => words.listTerms(db) },
];
