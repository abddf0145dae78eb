// Which files changed: asked as soon as the address says of which change, while the view that shows it is still on its way.

import { call } from '../shell/call.js';
import type { Place } from '../shell/router.js';
import { changeOf, usualChanges } from './change.js';
import type { Changes, ReviewedChange } from './desk.js';

interface Ahead {
  readonly change: string;
  readonly askedAt: number;
  readonly answer: Promise<Changes>;
}

let ahead: Ahead | undefined;
let isAsked = false;

/** Whoever comes later than this asks for himself. */
const freshMs = 10_000;

/** Once; where the address says nothing yet, again when it does. */
export function askAhead({ path, query }: Place): void {
  const isOfChange = path === 'review' || (path === 'sent' && !query.has('document'));
  const change = isOfChange ? (changeOf(query) ?? usualChanges[0]) : undefined;
  if (change === undefined || isAsked) return;
  isAsked = true;
  const own = {
    ...{ change: JSON.stringify(change), askedAt: performance.now() },
    answer: call('review:changes', change),
  };
  ahead = own;
  own.answer.catch(() => {
    if (ahead === own) ahead = undefined;
  });
}

/** Each time anew, but for what was asked ahead of the first. */
export function readChanges(change: ReviewedChange, signal?: AbortSignal): Promise<Changes> {
  const asked = ahead;
  ahead = undefined;
  const isSame = asked?.change === JSON.stringify(change) && performance.now() - asked.askedAt < freshMs;
  return asked !== undefined && isSame
    ? asked.answer
    : call('review:changes', change, signal === undefined ? {} : { signal });
}
