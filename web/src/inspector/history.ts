// What was sent from here, as one history: runs with what they cost, and receipts of prompts that no run was made of.
import type { AnswerOf } from '../../../src/operations/table.js';
import { call } from '../shell/call.js';

type Run = AnswerOf<'runs:list'>['runs'][number];
type Receipt = AnswerOf<'receipts:list'>['receipts'][number];

export interface Entry extends Partial<Omit<Run, 'id' | 'operation' | 'startedAt' | 'receipts'>> {
  readonly id: string;
  readonly operation: string;
  readonly startedAt: number;
  /** To look at; absent where none is kept. */
  readonly receipt?: string;
  /** As it was weighed. */
  readonly tokens?: number;
}

export interface HistoryQuery {
  readonly projectId: string;
  /** Milliseconds since 1970. */
  readonly since?: number;
  readonly until?: number;
}

/** Newest first. */
export async function readHistory({ projectId, since, until }: HistoryQuery): Promise<readonly Entry[]> {
  const isDay = since !== undefined && until !== undefined;
  const [{ runs }, { receipts }] = await Promise.all([
    call('runs:list', { projectId, ...(isDay ? { since, until, limit: 1000 } : { limit: 200 }) }),
    call('receipts:list', { projectId, limit: 200 }),
  ]);
  const isThen = ({ createdAt }: Receipt) => !isDay || (createdAt >= since && createdAt < until);
  return entriesOf(runs, { receipts, isThen });
}

interface KeptReceipts {
  readonly receipts: readonly Receipt[];
  /** Whether one that no run was made of is told. */
  isThen(receipt: Receipt): boolean;
}

/** Each sending once: a run with its receipt, and receipts that belong to none. */
export function entriesOf(runs: readonly Run[], { receipts, isThen }: KeptReceipts): readonly Entry[] {
  const known = new Map(receipts.map((receipt) => [receipt.id, receipt]));
  const taken = new Set(runs.flatMap((run) => run.receipts));
  const others = receipts.filter(({ id }) => !taken.has(id));
  // A run that failed could not tell what it had sent.
  const sentIn = new Map(others.map((receipt) => [receipt, runs.find((run) => isSentIn(receipt, run))]));
  const all = runs.map((run) =>
    ofRun(run, { known, sent: others.filter((receipt) => sentIn.get(receipt) === run) }),
  );
  const alone = others.filter((receipt) => sentIn.get(receipt) === undefined && isThen(receipt));
  return [...all, ...alone.map(ofReceipt)].sort((a, b) => b.startedAt - a.startedAt);
}

function isSentIn({ operation, createdAt }: Receipt, run: Run): boolean {
  const { startedAt, endedAt = Number.POSITIVE_INFINITY } = run;
  return operation === run.operation && startedAt <= createdAt && createdAt <= endedAt;
}

function ofRun(
  { receipts, ...run }: Run,
  { known, sent }: { readonly known: ReadonlyMap<string, Receipt>; readonly sent: readonly Receipt[] },
): Entry {
  const receipt = receipts.find((id) => known.has(id)) ?? sent[0]?.id;
  return { ...run, ...(receipt === undefined ? {} : { receipt }), ...tokensOf(known.get(receipt ?? '')) };
}

function ofReceipt(receipt: Receipt): Entry {
  const { id, operation, createdAt, summary } = receipt;
  const model = typeof summary.model === 'string' ? { model: summary.model } : {};
  return { id, operation, startedAt: createdAt, receipt: id, ...model, ...tokensOf(receipt) };
}

/** Each kind of receipt calls it something else. */
function tokensOf(receipt: Receipt | undefined): { tokens?: number } {
  const { tokenCount, tokens, used } = receipt?.summary ?? {};
  const found = [tokenCount, tokens, used].find((each) => typeof each === 'number');
  return found === undefined ? {} : { tokens: found as number };
}

/** The tokens a model was sent, by its own count where it has one. */
export const inputOf = ({ reported, foreseen, tokens }: Entry): number | undefined =>
  reported?.inputTokens ?? (foreseen?.inputTokens || undefined) ?? tokens;

export const didFail = ({ status, failures = [] }: Entry): boolean =>
  failures.length > 0 || (status !== undefined && status !== 'succeeded' && status !== 'running');

/** As the reader's calendar has it, year first. */
export function dayOf(moment: number): string {
  const date = new Date(moment);
  const two = (n: number) => String(n).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** From its midnight to the next. */
export function boundsOf(day: string): { readonly since: number; readonly until: number } | undefined {
  const [year, month, date] = day.split('-').map(Number);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || year === undefined || month === undefined || date === undefined)
    return undefined;
  return {
    since: new Date(year, month - 1, date).getTime(),
    until: new Date(year, month - 1, date + 1).getTime(),
  };
}

export interface Totals {
  readonly runs: number;
  readonly calls: number;
  readonly input: number;
  readonly output: number;
  readonly foreseenCached: number;
  readonly reportedCached: number;
  readonly dollars: number;
  readonly failed: number;
}

export function totalsOf(entries: readonly Entry[]): Totals {
  const sum = (of: (entry: Entry) => number | undefined) =>
    entries.reduce((all, entry) => all + (of(entry) ?? 0), 0);
  return {
    runs: entries.length,
    calls: sum(({ calls }) => calls),
    input: sum(inputOf),
    output: sum(({ reported }) => reported?.outputTokens),
    foreseenCached: sum(({ foreseen }) => foreseen?.cachedInputTokens),
    reportedCached: sum(({ reported }) => reported?.cachedInputTokens),
    dollars: sum(({ dollars }) => dollars),
    failed: entries.filter(didFail).length,
  };
}

export function money(dollars: number): string {
  if (dollars === 0) return '$0';
  return `$${dollars < 0.01 ? dollars.toPrecision(2) : dollars.toFixed(dollars < 1 ? 3 : 2)}`;
}
