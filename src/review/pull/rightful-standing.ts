// What stands on a pull request, with the words of those who may push: whoever else says that a finding is intended is read by people,
// and dismisses nothing. The host is asked once for each person.
import { isGalleyError } from '../../core/model/error.js';
import type { Forge, PullState } from '../../forges/forge.js';
import { objectorsOn, type PullStanding, readStanding } from './pull-standing.js';

const asked = new WeakMap<object, Map<string, Promise<boolean>>>();

/** A host may tell this only to whoever administers the repository: `unless` is what holds then. */
export function mayPush(
  forge: Pick<Forge, 'mayWrite'>,
  login: string,
  unless: boolean | undefined,
): Promise<boolean> {
  const known = asked.get(forge) ?? new Map<string, Promise<boolean>>();
  asked.set(forge, known);
  const answer = known.get(login) ?? forge.mayWrite(login);
  known.set(login, answer);
  return answer.catch((error: unknown) => {
    if (unless !== undefined && isGalleyError(error) && error.code === 'FORBIDDEN') return unless;
    throw error;
  });
}

export async function rightfulStanding(
  forge: Pick<Forge, 'mayWrite'>,
  state: PullState,
  key: string,
): Promise<PullStanding> {
  const rightful = new Set<string>();
  for (const login of objectorsOn(state, key)) if (await mayPush(forge, login, true)) rightful.add(login);
  return readStanding(state, key, (login) => rightful.has(login));
}
