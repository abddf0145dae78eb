// context:assemble: sets the prompt, compares its prefix with the request before, remembers the lane and stores the receipt.
import { setMaxListeners } from 'node:events';
import { setImmediate as breathe } from 'node:timers/promises';
import { isGalleyError } from '../../core/model/error.js';
import { partText } from '../../core/model/prompt.js';
import type { Warning } from '../../core/model/warning.js';
import { hashText } from '../../meters/content-hash.js';
import type { Store } from '../../store/store.js';
import { type AssemblyQueue, createAssemblyQueue } from './assembly-queue.js';
import { cacheOutlook } from './cache-outlook.js';
import { type ContextLog, logAssembly, logScopeViolation } from './context-log.js';
import type { CheckedContextRequest } from './context-request.js';
import type { ContextAssembleResult, ContextReceipt } from './context-result.js';
import { overLineWarning, trimWarnings, warningWords } from './context-warnings.js';
import { wholeIds } from './kept-fragments.js';
import { type LaneState, readLane, withAnchor } from './lane.js';
import { layerOutcomes } from './layer-outcomes.js';
import { type ContextPorts, type SetContext, setContext } from './set-context.js';
import { prefixChange, type StablePrefix, stablePrefix } from './stable-prefix.js';

export interface AssemblePorts extends ContextPorts {
  readonly log: ContextLog;
  readonly queue?: AssemblyQueue;
}

const sharedQueue = createAssemblyQueue();

export async function assembleContext(
  request: CheckedContextRequest,
  ports: AssemblePorts,
): Promise<ContextAssembleResult> {
  return takingTurns(request, ports, async (signal) => {
    const set = await setContext(request, { ...ports, signal });
    const prefix = stablePrefix(set.prompt, set.receipt, hashText);
    const lane = await moveLane(ports.store, set, { project: request.projectId, prefix });
    const result = resultOf(request, set, { prefix, previous: lane.previous, warnings: lane.warnings });
    const stored = await storeReceipt(ports.store, request.projectId, result);
    logAssembly(ports.log, request.projectId, result.receipt);
    return stored;
  });
}

/** The queue and the security log around anything that sets a context. */
export async function takingTurns<T>(
  { projectId, documentId }: CheckedContextRequest,
  { log, queue = sharedQueue, signal }: AssemblePorts,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  // A signal of its own: many assemblies may share the caller's, and each listens many times.
  const own = AbortSignal.any([signal]);
  setMaxListeners(0, own);
  try {
    return await queue.run(JSON.stringify([projectId, documentId]), own, async () => {
      // Everything below may run without a pause; others get theirs first.
      await breathe();
      return work(own);
    });
  } catch (error) {
    if (isGalleyError(error) && error.code === 'CONTEXT_SCOPE_VIOLATION') {
      logScopeViolation(log, projectId, Number(error.details?.fragments ?? 0));
    }
    throw error;
  }
}

export function resultOf(
  { model = '' }: CheckedContextRequest,
  set: SetContext,
  {
    prefix,
    previous,
    warnings,
  }: { prefix: StablePrefix; previous: LaneState | undefined; warnings: readonly Warning[] },
): ContextAssembleResult {
  const overLine = overLineWarning(set.receipt, set.profile.layers.rules.share);
  const all = [
    ...set.warnings,
    ...set.receipt.warnings,
    ...(overLine === undefined ? [] : [overLine]),
    ...trimWarnings(set.receipt),
    ...warnings,
  ];
  const receipt: ContextReceipt = {
    ...set.receipt,
    warnings: all,
    lane: set.laneRecord,
    stablePrefixHash: prefix.hash,
  };
  const change = previous === undefined ? undefined : prefixChange(previous.lines, prefix.lines);
  return {
    prompt: partText(set.prompt.pages[0], 'prompt'),
    tokenCount: set.receipt.used.n,
    stablePrefixHash: prefix.hash,
    stablePrefixUnchanged: previous?.prefix === prefix.hash,
    layers: layerOutcomes(set.receipt),
    warnings: warningWords(all),
    budget: { total: set.total, version: set.version },
    cache: cacheOutlook(set.receipt, { model, system: set.system }, hashText),
    ...(change === undefined ? {} : { prefixChange: change }),
    receipt,
  };
}

/** Reads and writes the lane as one step, so that "the request before" is well defined among concurrent ones. */
async function moveLane(
  store: Store,
  set: SetContext,
  { project, prefix }: { project: string; prefix: StablePrefix },
): Promise<{ previous: LaneState | undefined; warnings: Warning[] }> {
  // What was shown in part is not shown again as it was.
  const whole = wholeIds(set.receipt);
  const spans = set.prompt.pages[0]?.parts.flatMap((part) => part.spans) ?? [];
  const passages = new Set(set.fragments.filter(({ layer }) => layer === 'retrieved').map(({ id }) => id));
  const retrieved = spans.map(({ fragment }) => fragment).filter((id) => passages.has(id) && whole.has(id));
  let previous: LaneState | undefined;
  try {
    await store.lanes.update(project, set.laneName, (state): LaneState => {
      previous = readLane(state);
      return {
        prefix: prefix.hash,
        lines: prefix.lines.map(([fragment, digest]) => [fragment, digest]),
        retrieved,
        anchors: withAnchor(previous?.anchors ?? [], set.scene.documentId, set.window?.anchor),
      };
    });
    return { previous, warnings: [] };
  } catch {
    const message = 'LANE_UNAVAILABLE: 本次请求未被记录，下次无法比较前缀';
    return { previous: set.lane, warnings: [{ code: 'LANE_UNAVAILABLE', message }] };
  }
}

async function storeReceipt(
  store: Store,
  project: string,
  result: ContextAssembleResult,
): Promise<ContextAssembleResult> {
  const { receipt, tokenCount, stablePrefixHash, layers } = result;
  const draft = {
    operation: 'context:assemble',
    summary: { tokenCount, budget: receipt.budget.n, stablePrefixHash, layers },
    value: withoutSpans(receipt),
  };
  try {
    const entry = await store.receipts
      .put(project, { ...draft, id: receipt.id })
      // The same assembly twice has the same receipt; the second is listed under an id of its own.
      .catch((error: unknown) => {
        if (isGalleyError(error) && error.code === 'ALREADY_EXISTS')
          return store.receipts.put(project, draft);
        throw error;
      });
    return { ...result, receiptId: entry.id };
  } catch {
    return { ...result, warnings: [...result.warnings, 'RECEIPT_UNAVAILABLE: 收据未能保存'] };
  }
}

/** Spans point into a text that is not kept. */
function withoutSpans(receipt: ContextReceipt): ContextReceipt {
  const pages = receipt.pages.map(({ amount, parts }) => ({
    amount,
    parts: parts.map((part) => ({ ...part, spans: [] })),
  }));
  return { ...receipt, pages };
}
