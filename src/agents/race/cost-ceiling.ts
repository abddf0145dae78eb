// An agent that stops when it has spent what it may. What it spends is known while it works only where its CLI tells; where it does not,
// or nobody knows the price, that is said.
import { GalleyError } from '../../core/model/error.js';
import { type Catalog, costOf } from '../../models/catalog/catalog.js';
import type { AgentEvent } from '../../models/contract/agent-event.js';
import type { Usage } from '../../models/contract/model.js';

interface CeilingOptions {
  readonly dollars: number;
  /** Where the session names none. */
  readonly model: string | undefined;
  readonly catalog: Catalog | undefined;
  readonly signal: AbortSignal;
  /** Whether the CLI tells what it used before it ends. */
  readonly tells: boolean;
  onEvent(event: AgentEvent): void;
}

interface Ceiled {
  readonly signal: AbortSignal;
  onEvent(event: AgentEvent): void;
}

export async function underCeiling<T>(
  { dollars: ceiling, catalog, signal, tells, onEvent, ...options }: CeilingOptions,
  work: (ceiled: Ceiled) => Promise<T>,
): Promise<T> {
  const purse = new AbortController();
  let { model } = options;
  let spent = 0;
  let before: Usage = { inputTokens: 0, outputTokens: 0 };
  let isSaid = false;
  const sayUnknown = () => {
    if (!isSaid) onEvent({ kind: 'warning', ...costUnknown });
    isSaid = true;
  };
  const spend = (event: AgentEvent) => {
    if (event.kind === 'session') model = event.model ?? model;
    if (event.kind === 'cost') spent = event.dollars;
    if (event.kind === 'usage') {
      const cost = model === undefined ? undefined : costOf(between(before, event), model, catalog);
      before = event;
      if (cost === undefined) sayUnknown();
      else spent += cost.dollars;
    }
    if (spent < ceiling || purse.signal.aborted) return;
    onEvent({ kind: 'warning', about: 'cost-ceiling', message: stoppedAt(spent, ceiling) });
    purse.abort();
  };
  if (!tells) sayUnknown();
  try {
    return await work({
      signal: AbortSignal.any([signal, purse.signal]),
      onEvent: (event) => {
        onEvent(event);
        if (tells) spend(event);
      },
    });
  } catch (error) {
    if (!purse.signal.aborted || signal.aborted) throw error;
    throw new GalleyError('COST_CEILING_REACHED', stoppedAt(spent, ceiling), {
      details: { dollars: spent, ceiling },
      cause: error,
    });
  }
}

/** Each event tells all that was used so far; a price may depend on how long one request is. */
function between(before: Usage, now: Usage): Usage {
  const grown = (field: 'cachedInputTokens' | 'cacheWriteTokens') =>
    Math.max(0, (now[field] ?? 0) - (before[field] ?? 0));
  return {
    inputTokens: Math.max(0, now.inputTokens - before.inputTokens),
    outputTokens: Math.max(0, now.outputTokens - before.outputTokens),
    cachedInputTokens: grown('cachedInputTokens'),
    cacheWriteTokens: grown('cacheWriteTokens'),
  };
}

const stoppedAt = (spent: number, ceiling: number) =>
  `stopped at its ceiling: $${spent.toFixed(4)} spent of $${ceiling.toFixed(2)}; what it did so far is kept`;

const costUnknown = {
  about: 'cost-unknown',
  message: 'what it costs is not known while it works, so the ceiling cannot stop it',
};
