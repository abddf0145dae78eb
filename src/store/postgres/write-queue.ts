// Writes: one transaction each, those of a project one after the other in all processes, those of other projects beside them.
// A write that met another one, or lost its connection before the end, runs again; one that lost it at the end says so.
import type { Transaction } from 'kysely';
import { checkedName } from '../tables/checked.js';
import type { Schema } from '../tables/schema.js';
import { askAgain } from './asked-once.js';
import type { Connections, Session, Statement } from './connect.js';
import { inProject, projectInScope } from './project-scope.js';
import { answerOf, queryLayer, statementOf, withinProject } from './read-batches.js';
import { isLost, toStoreRefusal, unsureWrite } from './refusals.js';

interface WriteOptions {
  readonly connections: Connections;
  /** How long a write waits for the others of its project. */
  readonly patienceMs: number;
  /** Writes at once; the rest of the connections stays with readers. */
  readonly atOnce: number;
  repeat<T>(attempt: () => Promise<T>): Promise<T>;
}

export interface WriteQueue {
  /** `last` goes out with the commit. */
  write<T>(
    project: string | undefined,
    change: (db: Transaction<Schema>) => Promise<T>,
    last?: (project: string) => Statement,
  ): Promise<T>;
}

/** Our own corner of the keys for locks. */
const lockClass = 0x47414c59;

const addProject = `insert into projects (id, settings, folder) values ($1, '{}', null) on conflict (id) do nothing`;

export function writeQueue({ connections, patienceMs, atOnce, repeat }: WriteOptions): WriteQueue {
  /** Projects never leave, so one that was seen once is there. */
  const known = new Set<string>();
  const lines = new Map<string, Promise<unknown>>();
  const places = limited(atOnce);

  const transact = <T>(
    { project, own }: { project: string | undefined; own: string },
    change: (db: Transaction<Schema>) => Promise<T>,
    last: Statement | undefined,
  ): Promise<T> =>
    connections.hold(async (session) => {
      const opening = [
        { text: 'begin' },
        { text: `select set_config('lock_timeout', $1, true)`, values: [`${patienceMs}ms`] },
        withinProject(own),
        { text: 'select pg_advisory_xact_lock($1, hashtext($2))', values: [lockClass, own] },
        ...(project === undefined || known.has(project) ? [] : [{ text: addProject, values: [project] }]),
      ];
      const outcome = await changed(session, opening, change);
      await ended(session, last);
      askAgain();
      if (project !== undefined) known.add(project);
      return outcome;
    });

  return {
    async write(project, change, last) {
      if (project !== undefined) checkedName('projectId', project);
      const own = project ?? projectInScope();
      const line = lines.get(own) ?? Promise.resolve();
      const turn = line.then(() =>
        places(() =>
          inProject(own, () => repeat(() => transact({ project, own }, change, last?.(own)))).catch(
            (error) => {
              throw toStoreRefusal(error);
            },
          ),
        ),
      );
      const done = turn
        .catch(() => {})
        .then(() => {
          if (lines.get(own) === done) lines.delete(own);
        });
      lines.set(own, done);
      return turn;
    },
  };
}

/** The opening goes out with the first statement of the change. */
async function changed<T>(
  session: Session,
  opening: readonly Statement[],
  change: (db: Transaction<Schema>) => Promise<T>,
): Promise<T> {
  let before = opening;
  const db = queryLayer(async (query) => {
    const statements = [...before, statementOf(query)];
    before = [];
    const answers = await session.send(statements);
    return answerOf(answers.at(-1) as Parameters<typeof answerOf>[0]);
  });
  try {
    const outcome = await change(db as Transaction<Schema>);
    if (before.length > 0) await session.send(before);
    return outcome;
  } catch (error) {
    if (!isLost(error)) await session.send([{ text: 'rollback' }]);
    throw error;
  }
}

async function ended(session: Session, last: Statement | undefined): Promise<void> {
  const commit = { text: 'commit' };
  try {
    const answers = await session.send(last === undefined ? [commit] : [last, commit]);
    if (answers.at(-1)?.command !== 'COMMIT') throw unsureWrite();
  } catch (error) {
    throw isLost(error) ? unsureWrite() : error;
  }
}

/** So many at a time, in the order they came. */
function limited(atOnce: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
