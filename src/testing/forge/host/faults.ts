// What goes wrong between a caller and a forge, and when.
import type { ForgeRequest } from './request.js';

export type Fault =
  /** Refused before anything is done. */
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly message?: string;
      readonly retryAfter?: number;
      readonly headers?: Readonly<Record<string, string>>;
      /** Instead of the host's own JSON, such as the page of a proxy. */
      readonly body?: string;
    }
  /** GitHub's secondary limit: 403, quota left, and no word of how long. */
  | { readonly kind: 'secondary-limit' }
  /** No answer ever; nothing is done. */
  | { readonly kind: 'hang' }
  /** The connection is gone; nothing is done. */
  | { readonly kind: 'cut' }
  /** Done, and then the connection is gone before a word of the answer. */
  | { readonly kind: 'lost-answer' }
  /** Done, and answered with half of the JSON. */
  | { readonly kind: 'malformed' };

/** By the number of the request since the faults were set (the first is 1), or decided by the request itself. */
export type Faults = Readonly<Record<number, Fault>> | ((request: ForgeRequest) => Fault | undefined);

export function everyNth(each: number, fault: Fault): Faults {
  return ({ number }) => (number % each === 0 ? fault : undefined);
}

export function faultOf(faults: Faults | undefined, request: ForgeRequest): Fault | undefined {
  return typeof faults === 'function' ? faults(request) : faults?.[request.number];
}

export const secondaryText =
  'You have exceeded a secondary rate limit and have been temporarily blocked from content creation. Please retry your request again later.';
