// Which project does a call speak of? Tables name it in every query; here it is known beside them, from the call itself, so that
// the database can hold a query to it. Whoever names none sees no row that belongs to a project.
import { AsyncLocalStorage } from 'node:async_hooks';

const scope = new AsyncLocalStorage<string>();

export function projectInScope(): string {
  return scope.getStore() ?? '';
}

export function inProject<T>(project: string, work: () => T): T {
  return scope.run(project, work);
}

type Calls = Readonly<Record<string, (...given: never[]) => unknown>>;

/** The same calls, each within the project it names first. */
export function scopedCalls<Group extends object>(group: Group): Group {
  const calls = Object.entries(group as Calls).map(([name, call]) => [
    name,
    (...given: never[]) => inProject(typeof given[0] === 'string' ? given[0] : '', () => call(...given)),
  ]);
  return Object.fromEntries(calls) as Group;
}
