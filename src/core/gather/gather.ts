// What is there? Every source is asked at once, each within its own time limit; an outage is a warning, never the end.
import { GalleyError, isGalleyError, type Warning } from '../model/error.js';
import type { Fragment, Need, Scope, Source } from '../model/fragment.js';
import type { Deadline } from '../model/press.js';

export interface Gathered {
  readonly candidates: readonly Fragment[];
  readonly warnings: readonly Warning[];
}

export interface GatherRequest {
  readonly needs: readonly Need[];
  readonly scope: Scope;
  readonly sources: readonly Source[];
  readonly signal: AbortSignal;
}

export async function gather(request: GatherRequest, deadline: Deadline): Promise<Gathered> {
  const outages = new Map<string, Warning>();
  const byId = new Map(request.sources.map((source) => [source.id, source]));
  const answers = await Promise.all(
    request.needs.map(async (need) => {
      const source = byId.get(need.source);
      if (source === undefined) {
        outages.set(need.source, unknownSource(need.source));
        return [];
      }
      try {
        return await deadline(source.timeLimitMs, request.signal, (signal) =>
          source.gather(need, request.scope, signal),
        );
      } catch (error) {
        if (request.signal.aborted)
          throw new GalleyError('CANCELLED', 'The assembly was cancelled while gathering.');
        // A source that found foreign text must stop everything, not just itself.
        if (isGalleyError(error) && error.code === 'CONTEXT_SCOPE_VIOLATION') throw error;
        outages.set(source.id, source.outage);
        return [];
      }
    }),
  );
  const warnings = request.needs
    .map((need) => outages.get(need.source))
    .filter((found) => found !== undefined);
  return { candidates: answers.flat(), warnings: [...new Set(warnings)] };
}

function unknownSource(id: string): Warning {
  return { code: 'SOURCE_UNKNOWN', message: `No source is called "${id}".`, details: { source: id } };
}
