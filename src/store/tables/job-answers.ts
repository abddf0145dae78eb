// What a model answered inside a job, stored before it is used, so that the job run again does not ask for it again. That a call is
// about to be made is stored, too, by whoever holds the claim and by nobody else: so one who took the job over knows of a call that is
// still under way, and one who lost it makes no other.
import type { Kysely, Transaction } from 'kysely';
import { checkedInteger, checkedJson, checkedName } from './checked.js';
import type { Database, Schema } from './schema.js';

export interface JobAnswers {
  /** JSON, or undefined. */
  get(project: string, job: string, call: JobCall): Promise<unknown>;
  /**
   * Before a call is made: whose it is. A note that another claim is making it stands until its time is over, or `insteadOf` names it;
   * `by` is who makes it, as it is present in the store.
   */
  begin(
    project: string,
    held: HeldJob,
    call: JobCall,
    note: { readonly by: string; readonly lastsMs: number; readonly insteadOf?: string | undefined },
  ): Promise<BegunCall>;
  /** The call was not answered, and is not under way any more. */
  forgo(project: string, held: HeldJob, call: JobCall): Promise<void>;
  /** The first answer of a call stays; what is stored is answered. */
  put(project: string, job: string, call: JobCall, answer: unknown): Promise<unknown>;
  /** Answers how many there were. */
  clear(project: string, job: string): Promise<number>;
}

export interface JobCall {
  /** Of everything that was sent. */
  readonly digest: string;
  /** From 1: how often the same was sent in this job. */
  readonly nth: number;
}

/** A job and the claim by which it is held. */
interface HeldJob {
  readonly id: string;
  readonly claim: string;
}

export type BegunCall =
  | { readonly kind: 'answered'; readonly answer: unknown }
  | { readonly kind: 'yours' }
  /** The job is another's now. */
  | { readonly kind: 'lost' }
  | { readonly kind: 'under-way'; readonly by: string; readonly claim: string };

interface CallNote {
  readonly by: string;
  readonly claim: string;
  readonly until: number;
}

/** Beside the answer, under a name that no digest has; who knows no notes does not see them. */
const noteOf = ({ digest, nth }: JobCall): JobCall => ({ digest: `begun ${digest}`, nth });

export async function forgetAnswers(
  db: Transaction<Schema>,
  { project, id }: { readonly project: string; readonly id: string },
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('job_answers')
    .where('project', '=', project)
    .where('job', '=', id)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

export function jobAnswersIn(database: Database): JobAnswers {
  const stored = (db: Kysely<Schema>, project: string, job: string, { digest, nth }: JobCall) =>
    db
      .selectFrom('job_answers')
      .select('answer')
      .where('project', '=', project)
      .where('job', '=', job)
      .where('digest', '=', digest)
      .where('nth', '=', nth);
  return {
    async get(project, job, call) {
      const row = await database.read((db) => stored(db, project, job, call).executeTakeFirst());
      return row === undefined ? undefined : JSON.parse(row.answer);
    },
    async put(project, job, call, answer) {
      const row = {
        job: checkedName('job', job),
        digest: checkedName('digest', call.digest),
        nth: checkedInteger('nth', call.nth),
        answer: checkedJson('answer', answer),
      };
      return database.writeAside(project, async (db) => {
        await db
          .insertInto('job_answers')
          .values({ project, ...row, created_at: await database.time(db) })
          .onConflict((conflict) => conflict.columns(['project', 'job', 'digest', 'nth']).doNothing())
          .execute();
        return JSON.parse((await stored(db, project, job, call).executeTakeFirstOrThrow()).answer);
      });
    },
    async begin(project, { id, claim }, call, { by, lastsMs, insteadOf }) {
      const [job, { digest, nth }] = [checkedName('job', id), noteOf(call)];
      return database.writeAside(project, async (db) => {
        const known = await stored(db, project, id, call).executeTakeFirst();
        if (known !== undefined) return { kind: 'answered', answer: JSON.parse(known.answer) };
        // Written, not read: nobody else can take the claim before this is done.
        const { numUpdatedRows } = await db
          .updateTable('jobs')
          .where('project', '=', project)
          .where('id', '=', id)
          .where('claim', '=', claim)
          .set({ claim })
          .executeTakeFirstOrThrow();
        if (numUpdatedRows === 0n) return { kind: 'lost' };
        const now = await database.time(db);
        const before = await stored(db, project, id, { digest, nth }).executeTakeFirst();
        if (before !== undefined) {
          const other = JSON.parse(before.answer) as CallNote;
          if (other.claim !== claim && other.claim !== insteadOf && other.until > now)
            return { kind: 'under-way', by: other.by, claim: other.claim };
        }
        const note: CallNote = { by, claim, until: now + checkedInteger('lastsMs', lastsMs) };
        const answer = checkedJson('note', note);
        await db
          .insertInto('job_answers')
          .values({ project, job, digest, nth, answer, created_at: now })
          .onConflict((conflict) =>
            conflict.columns(['project', 'job', 'digest', 'nth']).doUpdateSet({ answer, created_at: now }),
          )
          .execute();
        return { kind: 'yours' };
      });
    },
    async forgo(project, { id, claim }, call) {
      const { digest, nth } = noteOf(call);
      await database.writeAside(project, async (db) => {
        const note = await stored(db, project, id, { digest, nth }).executeTakeFirst();
        if (note === undefined || (JSON.parse(note.answer) as CallNote).claim !== claim) return;
        await db
          .deleteFrom('job_answers')
          .where('project', '=', project)
          .where('job', '=', id)
          .where('digest', '=', digest)
          .where('nth', '=', nth)
          .execute();
      });
    },
    async clear(project, job) {
      return database.writeAside(project, (db) => forgetAnswers(db, { project, id: job }));
    },
  };
}
