// What do we want? Needs declared by the recipe's desk and needs added by planners, fused; a planner that fails costs a warning.
import { byCodePoint } from '../model/code-point-order.js';
import { GalleyError } from '../model/error.js';
import type { Deadline } from '../model/ports.js';
import type { Scope } from '../model/scope.js';
import type { Need, Plan, Planner } from '../model/source.js';
import type { Warning } from '../model/warning.js';

export interface PlanRequest {
  readonly scope: Scope;
  readonly declared: readonly Need[];
  readonly planners: readonly Planner[];
  readonly signal: AbortSignal;
}

const plannerLimitMs = 30_000;

export async function plan(
  request: PlanRequest,
  deadline: Deadline,
): Promise<Plan & { warnings: Warning[] }> {
  const warnings: Warning[] = [];
  const asked = await Promise.all(
    request.planners.map(async (planner) => {
      try {
        return await deadline(plannerLimitMs, request.signal, async (signal) =>
          planner.plan(request.scope, signal),
        );
      } catch {
        if (request.signal.aborted)
          throw new GalleyError('CANCELLED', 'The assembly was cancelled while planning.');
        const message = `Planner "${planner.id}" gave no answer; its wishes are left out.`;
        warnings.push({ code: 'PLANNER_UNAVAILABLE', message, details: { planner: planner.id } });
        return [];
      }
    }),
  );
  return { needs: fuse([...request.declared, ...asked.flat()]), warnings };
}

/** The first to ask is named; asking twice for the same thing is asking once. */
function fuse(needs: readonly Need[]): Need[] {
  const byKey = new Map<string, Need>();
  for (const need of needs) {
    const key = needKey(need);
    if (!byKey.has(key)) byKey.set(key, need);
  }
  return [...byKey.values()];
}

function needKey(need: Need): string {
  const fields = Object.entries(need.query).sort(([left], [right]) => byCodePoint(left, right));
  return JSON.stringify([need.source, fields]);
}
