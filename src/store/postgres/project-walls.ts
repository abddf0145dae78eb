// The second wall between projects: the database itself shows a transaction only the rows of the project it named, also to the
// owner of the tables. A query that forgets its project finds nothing.
import type { Session } from './connect.js';

/** Tables that are read across projects, each for a reason. Everything else with a column `project` is behind the wall. */
const spanning = [
  // A number that grows, and nothing else.
  'galley_changes',
  // Numbers of projects and of chunks; an index over terms cannot be used behind a wall. What is found is read from `chunks`.
  'chunk_terms',
  'chunk_lists',
  // Workers look for the next job of any project, and only its owner's call ever shows it.
  'jobs',
  'job_answers',
];

const unwalled = `select c.relname as name from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attname = 'project' and not a.attisdropped
  where c.relkind = 'r' and c.relnamespace = to_regnamespace(current_schema())
    and not c.relforcerowsecurity and c.relname <> all($1)`;

export async function raiseWalls(session: Session): Promise<void> {
  const [answer] = await session.send([{ text: unwalled, values: [spanning] }]);
  for (const { name } of answer?.rows ?? []) {
    await session.send([
      { text: `alter table "${name}" enable row level security` },
      { text: `alter table "${name}" force row level security` },
      {
        text: `create policy own_project on "${name}" using (project = current_setting('galley.project', true))`,
      },
    ]);
  }
}
