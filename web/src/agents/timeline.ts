// The requests of a session as columns to one scale, with the compactions at the place in time where they happened.
import type { AnswerOf } from '../../../src/operations/table.js';

export type Inspection = AnswerOf<'agents:inspect'>;
export type Request = Inspection['requests']['newest'][number];
export type Break = Inspection['cacheBreaks'][number];
export type Compaction = Inspection['compactions'][number];

export interface Column {
  readonly request: Request;
  readonly cached: number;
  readonly uncached: number;
  readonly broken?: Break;
  /** That happened since the request before, oldest first. */
  readonly compactions: readonly Compaction[];
}

export interface Timeline {
  readonly columns: readonly Column[];
  /** Tokens of the largest request. */
  readonly largest: number;
}

export function timelineOf({
  requests,
  cacheBreaks,
  compactions,
}: Pick<Inspection, 'requests' | 'cacheBreaks' | 'compactions'>): Timeline {
  const brokenAt = new Map(cacheBreaks.map((broken) => [broken.request, broken]));
  const waiting = compactions.filter(({ at }) => at !== undefined);
  const columns = requests.newest.map((request, index): Column => {
    const cached = Math.min(request.cachedInputTokens ?? 0, request.inputTokens);
    const happened: Compaction[] = [];
    while (waiting[0]?.at !== undefined && request.at !== undefined && waiting[0].at <= request.at)
      happened.push(waiting.shift() as Compaction);
    const broken = brokenAt.get(request.number);
    return {
      ...{ request, cached, uncached: request.inputTokens - cached },
      ...(broken === undefined ? {} : { broken }),
      // What happened before the first that is listed has no place on this line, unless it is the first of all.
      compactions: index === 0 && request.number > 1 ? [] : happened,
    };
  });
  return { columns, largest: Math.max(1, ...columns.map(({ request }) => request.inputTokens)) };
}

export const percentOf = (part: number, whole: number): string => {
  const share = whole === 0 ? 0 : (part / whole) * 100;
  return share.toFixed(share < 10 && share > 0 ? 1 : 0);
};

export const dollarsOf = (dollars: number): string =>
  dollars >= 0.1 ? dollars.toFixed(2) : dollars.toFixed(4);
