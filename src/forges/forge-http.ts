// One call to a forge. What surely had no effect is tried again after a while; what may have had one is not: the caller reads the
// state anew and sees. Of an answer only names, codes and counts are told.
import { setTimeout as wait } from 'node:timers/promises';
import type * as z from 'zod';
import { type ErrorCode, GalleyError, toGalleyError } from '../core/model/error.js';

export interface ForgeCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the address of the API. */
  readonly path: string;
  readonly body?: unknown;
  /** A question in the form of a POST. */
  readonly onlyReads?: boolean;
  /** Answers that are no failure here. */
  readonly accept?: readonly number[];
  /** GraphQL says 200 to everything: the status it means, where that is another one. */
  readonly meant?: (body: unknown) => number | undefined;
  /** What the token must be allowed to do, in the host's own words; named when it is not. */
  readonly needs: string;
}

export interface ForgeAnswer {
  readonly status: number;
  /** Undefined where it is no JSON. */
  readonly body: unknown;
  readonly text: string;
  readonly header: (name: string) => string | undefined;
}

export type ForgeFetch = (url: string, init: RequestInit) => Promise<Response>;

export interface ForgeHttpOptions {
  /** As people call the host. */
  readonly title: string;
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The variable the token came from, or should come from. */
  readonly tokenVariable: string;
  readonly signal?: AbortSignal | undefined;
  readonly fetch?: ForgeFetch | undefined;
  readonly sleep?: ((ms: number, signal?: AbortSignal) => Promise<unknown>) | undefined;
  /** Milliseconds, for hosts that say until when to wait. */
  readonly now?: (() => number) | undefined;
  /** For all waiting of one run together; then the next step is said instead. */
  readonly patienceMs?: number | undefined;
  readonly timeoutMs?: number | undefined;
}

export interface ForgeHttp {
  call(call: ForgeCall): Promise<ForgeAnswer>;
  read<Schema extends z.ZodType>(call: ForgeCall, schema: Schema): Promise<z.output<Schema>>;
  /** All pages of a list, up to a number of items. */
  list<Schema extends z.ZodType>(
    path: string,
    schema: Schema,
    options: ListOptions,
  ): Promise<z.output<Schema>[]>;
}

export interface ListOptions {
  readonly needs: string;
  readonly most?: number;
}

const attempts = 4;
const pageSize = 100;
const largestAnswer = 64 * 1024 * 1024;

export function forgeHttp(options: ForgeHttpOptions): ForgeHttp {
  const { title, baseUrl, signal, timeoutMs = 60_000, patienceMs = 600_000 } = options;
  const { fetch: send = fetch, sleep = rest, now = Date.now } = options;
  let waited = 0;

  const once = async (call: ForgeCall): Promise<ForgeAnswer> => {
    const limit = AbortSignal.timeout(timeoutMs);
    const response = await send(`${baseUrl}${call.path}`, {
      method: call.method,
      // Followed, a redirect would carry the token to another host.
      redirect: 'manual',
      headers: {
        accept: 'application/json',
        'user-agent': 'galley',
        ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
    });
    const text = await response.text();
    if (text.length > largestAnswer) throw failure('malformed', call, response.status);
    const body = text === '' ? undefined : parsed(text);
    return {
      status: (response.ok ? call.meant?.(body) : undefined) ?? response.status,
      body,
      text,
      header: (name) => response.headers.get(name) ?? undefined,
    };
  };

  const failure = (reason: FailureReason, call: ForgeCall, status = 0) => {
    const { code, says } = failures[reason];
    return new GalleyError(code, `${title} ${says({ ...call, tokenVariable: options.tokenVariable })}.`, {
      details: { forge: title, reason, status, method: call.method },
    });
  };

  const pause = async (ms: number, call: ForgeCall, reason: FailureReason, status: number) => {
    if (waited + ms > patienceMs) throw failure(reason, call, status);
    waited += ms;
    await sleep(ms, signal);
  };

  const call = async (asked: ForgeCall): Promise<ForgeAnswer> => {
    const mayRepeat = asked.method !== 'POST' || asked.onlyReads === true;
    for (let attempt = 1; ; attempt += 1) {
      let answer: ForgeAnswer;
      try {
        answer = await once(asked);
      } catch (error) {
        if (signal?.aborted) throw toGalleyError(signal.reason, 'CANCELLED');
        if (error instanceof GalleyError) throw error;
        if (!mayRepeat || attempt >= attempts) throw failure('unreachable', asked);
        await pause(1000 * 2 ** (attempt - 1), asked, 'unreachable', 0);
        continue;
      }
      const { status } = answer;
      if ((status >= 200 && status < 300) || asked.accept?.includes(status)) return answer;
      const slow = slowDownMs(answer, attempt, now());
      if (slow !== undefined) {
        await pause(slow, asked, 'slow-down', status);
        continue;
      }
      if (status >= 500 && mayRepeat && attempt < attempts) {
        await pause(1000 * 2 ** (attempt - 1), asked, 'unavailable', status);
        continue;
      }
      throw failure(reasonOf(status), asked, status);
    }
  };

  const read: ForgeHttp['read'] = async (asked, schema) => {
    const { body, status } = await call(asked);
    const result = schema.safeParse(body);
    if (!result.success) throw failure('malformed', asked, status);
    return result.data;
  };

  return {
    call,
    read,
    async list(path, schema, { needs, most = 10_000 }) {
      const items: unknown[] = [];
      const joint = path.includes('?') ? '&' : '?';
      for (let page = 1; items.length < most; page += 1) {
        const asked: ForgeCall = {
          method: 'GET',
          // GitHub and GitLab call it per_page, Gitea limit; each ignores the other.
          path: `${path}${joint}per_page=${pageSize}&limit=${pageSize}&page=${page}`,
          needs,
        };
        const { body, status, header } = await call(asked);
        const rows = schema.array().safeParse(body);
        if (!rows.success) throw failure('malformed', asked, status);
        items.push(...rows.data);
        // A page may hold fewer than were asked for and still not be the last; some hosts say so by the total only, and give
        // lists that have no pages whole.
        const total = Number(header('x-total-count') ?? Number.NaN);
        const hasMore = Number.isFinite(total)
          ? items.length < total
          : /rel="?next"?/.test(header('link') ?? '') || rows.data.length === pageSize;
        if (!hasMore || rows.data.length === 0) break;
      }
      return items.slice(0, most) as never;
    },
  };
}

function rest(ms: number, signal?: AbortSignal): Promise<unknown> {
  return wait(ms, undefined, signal === undefined ? {} : { signal });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** How long the host wants to be left alone; undefined where it refused for another reason. */
function slowDownMs({ status, body, header }: ForgeAnswer, attempt: number, now: number): number | undefined {
  if (status !== 403 && status !== 429) return undefined;
  const after = Number(header('retry-after') ?? Number.NaN);
  if (Number.isFinite(after)) return Math.max(1, after) * 1000;
  const reset = Number(header('x-ratelimit-reset') ?? Number.NaN);
  if (header('x-ratelimit-remaining') === '0' && Number.isFinite(reset))
    return Math.max(1000, reset * 1000 - now);
  // GitHub's secondary limit comes without a time, and with quota left.
  const message = (body as { message?: unknown } | undefined)?.message;
  const isSecondary = typeof message === 'string' && /secondary rate limit|abuse detection/i.test(message);
  return status === 429 || isSecondary ? 60_000 * 2 ** (attempt - 1) : undefined;
}

interface Told extends ForgeCall {
  readonly tokenVariable: string;
}

interface Meaning {
  readonly code: ErrorCode;
  says(call: Told): string;
}

type FailureReason = keyof typeof failures;

const failures = {
  token: {
    code: 'FORGE_NOT_CONFIGURED',
    says: ({ tokenVariable }) => `refused the token; set ${tokenVariable} to a valid one`,
  },
  rights: {
    code: 'FORBIDDEN',
    says: ({ needs, tokenVariable }) =>
      `does not let the token of ${tokenVariable} do this; it needs ${needs}`,
  },
  missing: {
    code: 'NOT_FOUND',
    says: ({ needs }) => `knows no such pull request, or the token may not see it; it needs ${needs}`,
  },
  moved: {
    code: 'NOT_FOUND',
    says: () => 'has this repository under another name now; give the address of the pull request there',
  },
  refused: { code: 'FORGE_REFUSED', says: () => 'refused what was sent; nothing of it was posted' },
  'slow-down': {
    code: 'FORGE_UNAVAILABLE',
    says: () => 'asks to slow down; run the same command again later, it goes on where it stopped',
  },
  unavailable: {
    code: 'FORGE_UNAVAILABLE',
    says: () => 'failed on its side; run the same command again, nothing is posted twice',
  },
  unreachable: {
    code: 'FORGE_UNAVAILABLE',
    says: () =>
      'could not be reached; check its address and the network and run the same command again, nothing is posted twice',
  },
  malformed: {
    code: 'FORGE_UNAVAILABLE',
    says: () => 'answered in a form that is not its API; check the address',
  },
} satisfies Record<string, Meaning>;

function reasonOf(status: number): FailureReason {
  if (status === 401) return 'token';
  if (status === 403) return 'rights';
  if (status === 404 || status === 410) return 'missing';
  if (status >= 300 && status < 400) return 'moved';
  return status >= 500 ? 'unavailable' : 'refused';
}

/** Whether a write may have had its effect although no answer came. */
export function isUncertain(error: unknown): boolean {
  if (!(error instanceof GalleyError) || error.code !== 'FORGE_UNAVAILABLE') return false;
  return error.details?.reason === 'unavailable' || error.details?.reason === 'unreachable';
}
