// context:assemble: sets the prompt, compares its prefix with the request before, remembers the history and stores the receipt.

import { setMaxListeners } from 'node:events';
import { setImmediate as breathe } from 'node:timers/promises';
import PQueue from 'p-queue';
import type { Warning } from '../../core/model/error.js';
import { GalleyError, isGalleyError } from '../../core/model/error.js';
import type { Receipt } from '../../core/model/receipt.js';
import { hashText } from '../../meters/content-hash.js';
import { keptReceipt } from '../../store/kept-receipt.js';
import type { Store } from '../../store/store.js';
import type { ReceiptDraft } from '../../store/tables/receipts.js';
import type { CheckedContextRequest, ContextOrder } from '../layers/context-request.js';
import { warningWords } from '../layers/warnings.js';
import { type ContextAssembleResult, cacheOutlook, layerOutcomes } from './context-result.js';
import type { ContextPorts } from './gather-context.js';
import { isWhole } from './press-layers.js';
import { type PromptHistory, prefixChange, readHistory, withAnchor } from './prompt-history.js';
import { type SetContext, setContext } from './set-context.js';

export interface AssemblePorts extends ContextPorts {
  readonly log: ContextLog;
  readonly queue?: AssemblyQueue;
}

/** What it stands on may be opened when its turn has come: whoever waits, or is turned away, reads nothing. */
export async function assembleContext(
  request: CheckedContextRequest,
  given: AssemblePorts | LaterPorts,
): Promise<ContextAssembleResult> {
  const around = 'around' in given ? given.around : <T>(work: () => Promise<T>) => work();
  return takingTurns(request, given, (signal) => around(() => assembled(signal)));

  async function assembled(signal: AbortSignal): Promise<ContextAssembleResult> {
    const ports = 'open' in given ? await given.open() : given;
    const set = await setContext(request, { ...ports, signal });
    await ports.giveWay?.();
    const [moved, receiptId] = await Promise.all([
      // Chapters are shown here and sent by a run: only what is sent becomes the history of the next.
      set.format === 'chapters'
        ? { previous: set.history, warnings: [] }
        : rememberSet(ports.store, request.projectId, set),
      storeContextReceipt(ports.store, request.projectId, set),
    ]);
    const result = resultOf(request, set, moved);
    logAssembly(ports.log, request.projectId, set.sealed.receipt);
    return receiptId === undefined
      ? { ...result, warnings: [...result.warnings, 'RECEIPT_UNAVAILABLE: 收据未能保存'] }
      : { ...result, receiptId };
  }
}

interface LaterPorts extends Pick<AssemblePorts, 'log' | 'queue' | 'signal'> {
  open(): Promise<AssemblePorts>;
  /** Everything that is read for it. */
  around<T>(work: () => Promise<T>): Promise<T>;
}

/** The queue and the security log around anything that sets a context. */
export async function takingTurns<T>(
  { projectId, documentId }: Pick<ContextOrder, 'projectId' | 'documentId'>,
  { log, queue = sharedQueue, signal }: Pick<AssemblePorts, 'log' | 'queue' | 'signal'>,
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

interface Moved {
  readonly previous: PromptHistory | undefined;
  readonly warnings: readonly Warning[];
}

export function resultOf(
  { model = '' }: Pick<ContextOrder, 'model'>,
  { sealed, prefix, total, apart, budget }: SetContext,
  { previous, warnings }: Moved,
): ContextAssembleResult {
  const { receipt, prompt } = sealed;
  const system = apart === '' ? sealed.system : apart;
  const change = previous === undefined ? undefined : prefixChange(previous.lines, prefix.lines);
  return {
    prompt,
    system,
    tokenCount: receipt.used.n,
    stablePrefixHash: prefix.hash,
    stablePrefixUnchanged: previous?.prefix === prefix.hash,
    layers: layerOutcomes(receipt),
    warnings: warningWords([...receipt.warnings, ...warnings]),
    budget: { total, version: budget.version },
    cache: cacheOutlook(receipt, { model, system }, hashText),
    ...(change === undefined ? {} : { prefixChange: change }),
    receipt,
  };
}

/** Reads and writes the history as one step, so that "the request before" is well defined among concurrent ones. */
export async function rememberSet(store: Store, project: string, set: SetContext): Promise<Moved> {
  // What was shown in part is not shown again as it was.
  const retrieved = set.layout.choices
    .filter((choice) => choice.wording.fragment.section === 'retrieved' && isWhole(choice))
    .map(({ wording }) => wording.fragment.id);
  let previous: PromptHistory | undefined;
  try {
    await store.lanes.update(project, set.historyName, (state): PromptHistory => {
      previous = readHistory(state);
      return {
        prefix: set.prefix.hash,
        lines: set.prefix.lines.map(([fragment, digest]) => [fragment, digest]),
        retrieved,
        anchors: withAnchor(previous?.anchors ?? [], set.scene.documentId, set.window?.anchor),
      };
    });
    return { previous, warnings: [] };
  } catch {
    const message = 'LANE_UNAVAILABLE: 本次请求未被记录，下次无法比较前缀';
    return { previous: set.history, warnings: [{ code: 'LANE_UNAVAILABLE', message }] };
  }
}

function storeContextReceipt(
  store: Store,
  project: string,
  { sealed: { receipt }, prefix }: SetContext,
): Promise<string | undefined> {
  const summary = {
    tokenCount: receipt.used.n,
    budget: receipt.budget.n,
    stablePrefixHash: prefix.hash,
    layers: layerOutcomes(receipt),
  };
  const value = keptReceipt(receipt);
  return storeReceipt(store, project, { operation: 'context:assemble', summary, value, id: receipt.id });
}

/** The same assembly twice has the same receipt; the second is listed under an id of its own. Undefined when it was not taken. */
export async function storeReceipt(
  store: Store,
  project: string,
  { id, ...draft }: ReceiptDraft & { readonly id: string },
): Promise<string | undefined> {
  try {
    const entry = await store.receipts.put(project, { ...draft, id }).catch((error: unknown) => {
      if (isGalleyError(error) && error.code === 'ALREADY_EXISTS') return store.receipts.put(project, draft);
      throw error;
    });
    return entry.id;
  } catch {
    return undefined;
  }
}

// How many assemblies run at once: four for a document and eight in all, since one processor does the work and a door lets in up to twice
// its four so that nobody waits for a flood of others. More wait their turn, document by document; when too many wait they are
// refused; those that run are never hurried.
interface QueueLimits {
  readonly perDocument: number;
  readonly waitingPerDocument: number;
  readonly atOnce: number;
  readonly waiting: number;
}

interface AssemblyQueue {
  run<T>(document: string, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

const usual: QueueLimits = { perDocument: 4, waitingPerDocument: 60, atOnce: 8, waiting: 2_000 };

export function createAssemblyQueue(limits: QueueLimits = usual): AssemblyQueue {
  const documents = new Map<string, PQueue>();
  const all = new PQueue({ concurrency: limits.atOnce });
  let waiting = 0;
  return {
    async run(document, signal, work) {
      const queue = documents.get(document) ?? new PQueue({ concurrency: limits.perDocument });
      documents.set(document, queue);
      if (queue.size >= limits.waitingPerDocument || waiting >= limits.waiting) throw busy(limits);
      waiting += 1;
      try {
        // A document holds at most its four places in the common line, so others get through.
        return await queue.add(() => all.add(work, { signal }), { signal });
      } finally {
        waiting -= 1;
        if (queue.size === 0 && queue.pending === 0) documents.delete(document);
      }
    },
  };
}

function busy(limits: QueueLimits): GalleyError {
  return new GalleyError(
    'CONTEXT_BACKPRESSURE',
    'Too many assemblies are waiting for this document; try again in a moment.',
    { details: { running: limits.perDocument, waiting: limits.waitingPerDocument } },
  );
}

const sharedQueue = createAssemblyQueue();

// What is written down about an assembly: digests and counts, never text.
interface ContextLogLine {
  readonly level: 'info' | 'warning' | 'security';
  readonly event: string;
  readonly details?: Readonly<Record<string, string | number | boolean>>;
}

type ContextLog = (line: ContextLogLine) => void;

const digestOf = (text: string): string => hashText(text).slice(0, 16);

function logAssembly(log: ContextLog, project: string, receipt: Receipt): void {
  const scope = { project: digestOf(project), receipt: receipt.id };
  const overLine = receipt.warnings.find(({ code }) => code === 'CONTEXT_RULES_OVERBUDGET');
  if (overLine !== undefined) {
    log({
      level: 'warning',
      event: overLine.code,
      details: { ...scope, ...numbersOf(overLine.details ?? {}) },
    });
    for (const { fragment, verdict, amount } of receipt.ledger) {
      if (verdict !== 'over-own-line') continue;
      const details = { ...scope, fragment: digestOf(fragment), tokens: amount ?? 0 };
      log({ level: 'warning', event: 'CONTEXT_RULE_LEFT_OUT', details });
    }
  }
  const codes = [...new Set(receipt.warnings.map(({ code }) => code))].join(' ');
  log({
    level: 'info',
    event: 'context.assembled',
    details: { ...scope, tokens: receipt.used.n, budget: receipt.budget.n, warnings: codes },
  });
}

function logScopeViolation(log: ContextLog, project: string, fragments: number): void {
  log({
    level: 'security',
    event: 'CONTEXT_SCOPE_VIOLATION',
    details: { project: digestOf(project), fragments },
  });
}

function numbersOf(details: Readonly<Record<string, unknown>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(details).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  );
}
