// May calls be sent here? Asked by load balancers every few seconds, without a token: one look at the store at a time, and its
// outcome holds for a moment, so that nobody can keep the store busy by asking.
import type { Store } from '../../../store/store.js';

const holdsMs = 1000;
const patienceMs = 2000;

export type Readiness = 'ready' | 'closing' | 'store-unavailable';

interface ReadinessPorts {
  store(): Promise<Store>;
  now(): number;
  isClosing(): boolean;
}

export function createReadiness({ store, now, isClosing }: ReadinessPorts): () => Promise<Readiness> {
  let seen: { readonly at: number; readonly outcome: Promise<boolean> } | undefined;
  return async () => {
    if (isClosing()) return 'closing';
    if (seen === undefined || now() - seen.at >= holdsMs) seen = { at: now(), outcome: answers(store) };
    return (await seen.outcome) ? 'ready' : 'store-unavailable';
  };
}

async function answers(store: () => Promise<Store>): Promise<boolean> {
  const look = async () => {
    const open = await store();
    await Promise.all([open.projects.get('readiness'), open.checkWritable()]);
    return true;
  };
  return (await soonOrNothing(look)) ?? false;
}

/** What the store says; undefined when it refuses or takes too long for whoever only looks in. */
export async function soonOrNothing<Seen>(look: () => Promise<Seen>): Promise<Seen | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), patienceMs);
  });
  try {
    return await Promise.race([look().catch(() => undefined), late]);
  } finally {
    clearTimeout(timer);
  }
}
