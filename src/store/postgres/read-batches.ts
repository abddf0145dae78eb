// Reads of one project that are asked for at the same moment go out together and see one snapshot: as many lists as an assembly
// needs at once cost one round trip. The query layer knows nothing of it.
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import { GalleyError } from '../../core/model/error.js';
import type { Schema } from '../tables/schema.js';
import { once } from './asked-once.js';
import type { Connections, Session, Statement } from './connect.js';
import { projectInScope } from './project-scope.js';
import { isLost, passes, toStoreRefusal } from './refusals.js';

const snapshot: Statement = { text: 'begin isolation level repeatable read read only' };
const ended: Statement = { text: 'commit' };

/** Rows of other projects are out of sight until the transaction ends. */
export function withinProject(project: string): Statement {
  return { text: `select set_config('galley.project', $1, true)`, values: [project] };
}

interface Waiting {
  readonly query: CompiledQuery;
  resolve(answer: QueryResult<unknown>): void;
  reject(error: unknown): void;
}

type Repeat = <T>(attempt: () => Promise<T>) => Promise<T>;

/** `repeat` decides how often a round trip is tried again. */
export function batchedReads(connections: Connections, repeat: Repeat): Kysely<Schema> {
  const waiting = new Map<string, Waiting[]>();

  const ask = (project: string, queries: readonly CompiledQuery[]) =>
    repeat(() =>
      connections.hold(async (session: Session) => {
        const statements = queries.map(statementOf);
        const answers = await session.send([snapshot, withinProject(project), ...statements, ended]);
        return answers.slice(2, -1).map(answerOf);
      }),
    );

  const flush = async (project: string): Promise<void> => {
    const batch = waiting.get(project) ?? [];
    waiting.delete(project);
    try {
      const answers = await ask(
        project,
        batch.map(({ query }) => query),
      );
      for (const [index, each] of batch.entries()) each.resolve(answers[index] as QueryResult<unknown>);
    } catch (error) {
      const isOfAll = batch.length === 1 || isLost(error) || passes(error);
      // One of them is to blame, and the others have a right to their answers, in the order they asked.
      for (const each of batch) {
        if (isOfAll) each.reject(toStoreRefusal(error));
        else
          await ask(project, [each.query]).then(
            ([answer]) => each.resolve(answer as QueryResult<unknown>),
            (own) => each.reject(toStoreRefusal(own)),
          );
      }
    }
  };

  return queryLayer((query) => {
    const project = projectInScope();
    return once(project, query, () => later(project, query));
  });

  function later(project: string, query: CompiledQuery): Promise<QueryResult<unknown>> {
    return new Promise((resolve, reject) => {
      const batch = waiting.get(project);
      if (batch !== undefined) batch.push({ query, resolve, reject });
      else {
        waiting.set(project, [{ query, resolve, reject }]);
        setImmediate(() => void flush(project));
      }
    });
  }
}

type Execute = (query: CompiledQuery) => Promise<QueryResult<unknown>>;

export function queryLayer(execute: Execute): Kysely<Schema> {
  const handle: DatabaseConnection = {
    executeQuery: <R>(query: CompiledQuery) => execute(query) as Promise<QueryResult<R>>,
    streamQuery() {
      throw new GalleyError('INTERNAL', 'The store does not stream.');
    },
  };
  const refuse = async () => {
    throw new GalleyError('INTERNAL', 'Transactions of the store are begun by the store.');
  };
  const driver: Driver = {
    async init() {},
    acquireConnection: async () => handle,
    async releaseConnection() {},
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
    async destroy() {},
  };
  const dialect: Dialect = {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => driver,
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
  return new Kysely<Schema>({ dialect });
}

export function statementOf({ sql, parameters }: CompiledQuery): Statement {
  return { text: sql, values: parameters };
}

export function answerOf({
  rows,
  rowCount,
  command,
}: {
  rows: unknown[];
  rowCount: number | null;
  command: string;
}): QueryResult<unknown> {
  return command === 'SELECT' ? { rows } : { rows, numAffectedRows: BigInt(rowCount ?? 0) };
}
