// Writes: one transaction each, those of a project one after the other in all processes, those of other projects beside them.
// A write that met another one, or lost its connection before the end, runs again; one that lost it at the end says so.
import type { Compilable, QueryResult, Transaction } from 'kysely';
import { checkedName } from '../tables/checked.js';
import type { Schema } from '../tables/schema.js';
import { askAgain } from './asked-once.js';
import type { Connections, Session, Statement } from './connect.js';
import { inProject, projectInScope } from './project-scope.js';
import { answerOf, queryLayer, statementOf, withinProject } from './read-batches.js';
import { isLost, isOfValue, toStoreRefusal, unsureWrite } from './refusals.js';

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
  /** Those of a project that wait at the same moment go out together, in one transaction. */
  writeAtOnce(project: string, statements: readonly Compilable[]): Promise<readonly QueryResult<unknown>[]>;
}

interface Parcel {
  readonly statements: readonly Statement[];
  resolve(answers: readonly QueryResult<unknown>[]): void;
  reject(error: unknown): void;
}

/** Our own corner of the keys for locks. */
const lockClass = 0x47414c59;

const addProject = `insert into projects (id, settings, folder) values ($1, '{}', null) on conflict (id) do nothing`;

export function writeQueue({ connections, patienceMs, atOnce, repeat }: WriteOptions): WriteQueue {
  /** Projects never leave, so one that was seen once is there. */
  const known = new Set<string>();
  const lines = new Map<string, Promise<unknown>>();
  const places = limited(atOnce);

  /** Waiting for their turn in the line of their project. */
  const parcels = new Map<string, Parcel[]>();

  const transact = <T>(
    { project, own }: { project: string | undefined; own: string },
    work: (session: Session) => Promise<T>,
    last?: Statement,
  ): Promise<T> =>
    connections.hold(async (session) => {
      const opening = [
        { text: 'begin' },
        { text: `select set_config('lock_timeout', $1, true)`, values: [`${patienceMs}ms`] },
        withinProject(own),
        { text: 'select pg_advisory_xact_lock($1, hashtext($2))', values: [lockClass, own] },
        ...(project === undefined || known.has(project) ? [] : [{ text: addProject, values: [project] }]),
      ];
      const outcome = await opened(session, opening, work);
      await ended(session, last);
      if (project !== undefined) known.add(project);
      return outcome;
    });

  const inLine = <T>(own: string, work: () => Promise<T>): Promise<T> => {
    const line = lines.get(own) ?? Promise.resolve();
    const turn = line.then(() => places(work));
    const done = turn
      .catch(() => {})
      .then(() => {
        if (lines.get(own) === done) lines.delete(own);
      });
    lines.set(own, done);
    return turn;
  };

  const deliver = async (project: string): Promise<void> => {
    const group = parcels.get(project) ?? [];
    parcels.delete(project);
    const send = (some: readonly Parcel[]) =>
      repeat(() =>
        transact({ project, own: project }, (session) =>
          session.send(some.flatMap((each) => each.statements)),
        ),
      );
    try {
      share(group, await send(group));
    } catch (error) {
      const isOfAll = group.length === 1 || !isOfValue(error);
      // Nothing was written yet, and one that is to blame must not take the others with it.
      for (const each of group) {
        if (isOfAll) each.reject(toStoreRefusal(error));
        else
          await send([each]).then(
            (answers) => share([each], answers),
            (own) => each.reject(toStoreRefusal(own)),
          );
      }
    }
  };

  return {
    async write(project, change, last) {
      if (project !== undefined) checkedName('projectId', project);
      const own = project ?? projectInScope();
      const outcome = await inLine(own, () =>
        inProject(own, () =>
          repeat(() =>
            transact({ project, own }, (session) => change(queriesOver(session)), last?.(own)),
          ).catch((error) => {
            throw toStoreRefusal(error);
          }),
        ),
      );
      askAgain();
      return outcome;
    },
    async writeAtOnce(project, given) {
      checkedName('projectId', project);
      const statements = given.map((each) => statementOf(each.compile()));
      const answers = await new Promise<readonly QueryResult<unknown>[]>((resolve, reject) => {
        const parcel = { statements, resolve, reject };
        const waiting = parcels.get(project);
        if (waiting !== undefined) waiting.push(parcel);
        else {
          parcels.set(project, [parcel]);
          setImmediate(() => void inLine(project, () => deliver(project)));
        }
      });
      askAgain();
      return answers;
    },
  };
}

function share(group: readonly Parcel[], answers: Awaited<ReturnType<Session['send']>>): void {
  let from = 0;
  for (const { statements, resolve } of group) {
    resolve(answers.slice(from, from + statements.length).map(answerOf));
    from += statements.length;
  }
}

function queriesOver(session: Session): Transaction<Schema> {
  const db = queryLayer(async (query) => {
    const [answer] = await session.send([statementOf(query)]);
    return answerOf(answer as Parameters<typeof answerOf>[0]);
  });
  return db as Transaction<Schema>;
}

/** The opening goes out with the first statements of the work. */
async function opened<T>(
  session: Session,
  opening: readonly Statement[],
  work: (session: Session) => Promise<T>,
): Promise<T> {
  let before = opening;
  const send: Session['send'] = async (statements) => {
    const all = [...before, ...statements];
    before = [];
    return (await session.send(all)).slice(all.length - statements.length);
  };
  try {
    const outcome = await work({ send });
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
