// The same task for several agents at once, each in a tree of its own. Whatever becomes of one of them is a row; the race goes on.
import { GalleyError, isGalleyError, toGalleyError } from '../../core/model/error.js';
import type { AgentEvent } from '../../models/contract/agent-event.js';
import { thisProcess } from '../process-owner.js';
import type { TurnAnswer } from '../run/run-turn.js';
import {
  discardRace,
  isRunning,
  keepPatch,
  makeTreesFolder,
  newRaceId,
  type RaceEntry,
  type RaceRecord,
  readRaces,
  worktreeOf,
  writeRecord,
} from './race-record.js';
import { runCommand } from './shell-command.js';
import {
  type AgentWork,
  addWorktree,
  commitOfTree,
  type RaceTree,
  raceTree,
  removeWorktree,
  workOf,
} from './worktree.js';

export interface RaceOrder {
  readonly folder: string;
  /** As the user names them, each once. */
  readonly agents: readonly string[];
  /** Commands that run in each tree: before the agent, and behind it. */
  readonly setup?: string | undefined;
  readonly check?: string | undefined;
  readonly checkTimeoutMs: number;
  readonly signal: AbortSignal;
  now(): number;
  onEvent?: ((event: AgentEvent) => void) | undefined;
  /** Lets one agent work in that folder. */
  work(agent: string, at: { readonly folder: string; onEvent(event: AgentEvent): void }): Promise<TurnAnswer>;
  /** How many findings a review has on what stands between two commits. */
  review?: ((base: string, head: string) => Promise<number>) | undefined;
}

export interface Race {
  readonly race: string;
  readonly entries: readonly RaceEntry[];
  /** Untracked files of the user's that no agent was given, as they are too large. */
  readonly left: readonly string[];
  /** Whose work was taken, in order. */
  readonly taken: readonly string[];
}

export const raceOf = ({ id, entries, left, taken }: RaceRecord): Race => ({
  race: id,
  entries,
  left,
  taken,
});

export async function runRace(order: RaceOrder): Promise<Race> {
  const tree = await raceTree(order.folder);
  await forgetEarlier(tree);
  const { commit: base, left } = await commitOfTree(tree);
  const blank: Omit<RaceEntry, 'agent'> = { ended: 'running', files: [], refusals: 0, ms: 0 };
  let record: RaceRecord = {
    ...{ id: newRaceId(), at: order.now(), owner: thisProcess(), base, prefix: tree.prefix },
    entries: order.agents.map((agent) => ({ agent, ...blank })),
    ...{ left, taken: [], trees: true },
  };
  let writing: Promise<unknown> = Promise.resolve();
  // A note is for whoever looks meanwhile; only the last one has to be there.
  const note = (at: number, change: Partial<RaceEntry>) => {
    const entries = record.entries.map((entry, index) => (index === at ? { ...entry, ...change } : entry));
    record = { ...record, entries };
    const now = record;
    writing = writing.then(() => writeRecord(tree, now)).catch(() => undefined);
    return writing;
  };
  await makeTreesFolder(record.id);
  await writeRecord(tree, record);
  const trees = await addWorktrees(tree, record, order.signal);
  const checks = oneAtATime();
  await Promise.all(
    order.agents.map(async (agent, at) => {
      const runner: Runner = { order, tree, base, id: record.id, at, agent, checks };
      const ended = trees[at] ?? (await runOne(runner, (change) => note(at, change)));
      await note(at, ended);
      if (ended.ended === 'cancelled') await removeWorktree(tree, worktreeOf(tree, record.id, at));
    }),
  );
  if (record.entries.every(({ ended, files }) => ended === 'cancelled' && files.length === 0)) {
    await discardRace(tree, record);
    throw new GalleyError('CANCELLED', 'The race was cancelled before any agent was done.');
  }
  await writeRecord(tree, record);
  return raceOf(record);
}

/** One after the other, since git locks what they share; how it ended for whoever has none. */
async function addWorktrees(
  tree: RaceTree,
  { id, base, entries }: RaceRecord,
  signal: AbortSignal,
): Promise<readonly (EntryEnd | undefined)[]> {
  const ends: (EntryEnd | undefined)[] = [];
  for (const [at] of entries.entries()) {
    if (signal.aborted) ends.push({ ended: 'cancelled' });
    else ends.push(await addWorktree(tree, worktreeOf(tree, id, at), base).then(() => undefined, failed));
  }
  return ends;
}

/** Records are small, but worktrees are not: of an earlier race only what nobody took yet stays. */
async function forgetEarlier(tree: RaceTree): Promise<void> {
  for (const race of await readRaces(tree))
    if (race.taken.length > 0 && !isRunning(race)) await discardRace(tree, race);
}

interface Runner {
  readonly order: RaceOrder;
  readonly tree: RaceTree;
  readonly base: string;
  readonly id: string;
  readonly at: number;
  readonly agent: string;
  /** Checks use the same ports and the same processors, so they wait for each other. */
  readonly checks: <T>(work: () => Promise<T>) => Promise<T>;
}

interface Place extends Runner {
  readonly folder: string;
}

async function runOne(
  runner: Runner,
  note: (change: Partial<RaceEntry>) => Promise<unknown>,
): Promise<EntryEnd> {
  const { order, tree, base, id, at, agent } = runner;
  const { signal } = order;
  const worktree = worktreeOf(tree, id, at);
  const place: Place = { ...runner, folder: `${worktree}/${tree.prefix}`.replace(/\/$/, '') };
  const began = order.now();
  let done: Partial<RaceEntry> = {};
  try {
    signal.throwIfAborted();
    if (order.setup !== undefined) {
      const setup = await commandIn(place, 'setup', order.setup);
      signal.throwIfAborted();
      if (!setup.passed) return { ended: 'failed', setup };
      done = { setup };
    }
    const onEvent = (event: AgentEvent) => order.onEvent?.({ ...event, agent });
    const answer = await order.work(agent, { folder: place.folder, onEvent });
    done = { ...done, ...deedsOf(answer), ms: Math.round(order.now() - began) };
    await note(done);
  } catch (error) {
    const ms = Math.round(order.now() - began);
    const isCancelled = signal.aborted || codeOf(error) === 'CANCELLED';
    done = { ...done, ...(isCancelled ? { ended: 'cancelled' } : failed(error)), ms };
  }
  try {
    const work = await workOf(worktree, { ...tree, base });
    await keepPatch(tree, id, at, work.patch);
    const left = work.left.length === 0 ? {} : { left: [...work.left] };
    const others = work.submodules.length === 0 ? {} : { submodules: [...work.submodules] };
    done = { ...done, files: [...work.files], ...left, ...others };
    const { ended = 'answered' } = done;
    const isDone = ended !== 'failed' && ended !== 'cancelled';
    return isDone ? await judged(place, { ...done, ended }, { work, note }) : { ...done, ended };
  } catch (error) {
    return { ...done, ...failed(error) };
  }
}

/** What a check and a review say of it. Cancelled meanwhile, it was not judged, and its work can be taken all the same. */
async function judged(
  place: Place,
  done: EntryEnd,
  { work, note }: { work: AgentWork; note(change: Partial<RaceEntry>): Promise<unknown> },
): Promise<EntryEnd> {
  const { signal, check: command, review } = place.order;
  let said = done;
  if (command !== undefined) {
    await note(done);
    const check = await place.checks(async () =>
      signal.aborted ? undefined : commandIn(place, 'check', command),
    );
    if (check === undefined || signal.aborted) return { ...said, ended: 'cancelled' };
    said = { ...said, check };
  }
  if (review === undefined || work.files.length === 0) return said;
  const found = await review(place.base, work.commit).then(
    (findings) => ({ findings }),
    (error) => ({ reviewCode: codeOf(error) }),
  );
  return signal.aborted ? { ...said, ended: 'cancelled' } : { ...said, ...found };
}

type EntryEnd = Partial<RaceEntry> & Pick<RaceEntry, 'ended'>;

const codeOf = (error: unknown) => (isGalleyError(error) ? error : toGalleyError(error)).code;
function failed(error: unknown): EntryEnd {
  const spent = isGalleyError(error) ? error.details?.dollars : undefined;
  return { ended: 'failed', code: codeOf(error), ...(typeof spent === 'number' ? { dollars: spent } : {}) };
}

async function commandIn(
  { order, agent, folder }: Place,
  tool: 'setup' | 'check',
  command: string,
): ReturnType<typeof runCommand> {
  const { signal, checkTimeoutMs: timeoutMs, onEvent } = order;
  onEvent?.({ kind: 'tool-started', id: tool, tool, agent });
  const ended = await runCommand(command, { folder, timeoutMs, signal });
  onEvent?.({ kind: 'tool-ended', id: tool, tool, outcome: ended.passed ? 'done' : 'failed', agent });
  return ended;
}

function deedsOf({ answer, refusals, usage, cost }: TurnAnswer): Partial<RaceEntry> {
  const dollars = cost?.dollars;
  return {
    ended: refusals.length > 0 ? 'refused' : 'answered',
    refusals: refusals.length,
    answer,
    ...(usage === undefined ? {} : { usage: usageOf(usage) }),
    ...(dollars === undefined ? {} : { dollars }),
  };
}

function usageOf({
  inputTokens,
  outputTokens,
  cachedInputTokens,
}: NonNullable<TurnAnswer['usage']>): NonNullable<RaceEntry['usage']> {
  return { inputTokens, outputTokens, ...(cachedInputTokens === undefined ? {} : { cachedInputTokens }) };
}

function oneAtATime(): Runner['checks'] {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work, work);
    last = next.catch(() => undefined);
    return next;
  };
}
