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

/** The same calls, each within the project that it names in its first place, or in another. */
export function scopedCalls<Group extends object>(group: Group, place = 0): Group {
  const calls = Object.entries(group as Calls).map(([name, call]) => [
    name,
    (...given: unknown[]) => {
      const project = given[place];
      return inProject(typeof project === 'string' ? project : '', () => call(...(given as never[])));
    },
  ]);
  return Object.fromEntries(calls) as Group;
}
