// One piece of work asks many things, some of them twice. Inside it an answer stands until the work writes something, so that its
// lists agree, and what is asked for ahead is there when it is needed.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { CompiledQuery, QueryResult } from 'kysely';

type Answers = Map<string, Promise<QueryResult<unknown>>>;

const work = new AsyncLocalStorage<Answers>();

export function askedOnce<T>(
  inside: () => Promise<T>,
  ahead: () => readonly Promise<unknown>[] = () => [],
): Promise<T> {
  return work.run(new Map(), () => {
    // Whoever needs an answer meets its refusal as well.
    for (const answer of ahead()) answer.catch(() => {});
    return inside();
  });
}

/** The answer that is known or under way, else `ask`. */
export function once(
  project: string,
  { sql, parameters }: CompiledQuery,
  ask: () => Promise<QueryResult<unknown>>,
): Promise<QueryResult<unknown>> {
  const answers = work.getStore();
  if (answers === undefined) return ask();
  const question = JSON.stringify([project, sql, parameters]);
  const known = answers.get(question);
  if (known !== undefined) return known;
  const answer = ask();
  answers.set(question, answer);
  answer.catch(() => answers.delete(question));
  return answer;
}

/** Something was written: whatever was read before may have changed. */
export function askAgain(): void {
  work.getStore()?.clear();
}
