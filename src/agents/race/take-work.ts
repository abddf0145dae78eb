// Takes what one agent of a race did into the work tree: all of it or nothing, beside what somebody changed meanwhile or not at all. It
// is a turn like any other, so it can be undone.
import { GalleyError } from '../../core/model/error.js';
import { keepTurn } from '../undo/undo-turn.js';
import { mergedPatch } from './merge-work.js';
import { findRace, isRunning, readPatch, removeTrees, writeRecord } from './race-record.js';
import { applyPatch, commitOfTree, pathsBetween, raceTree, wouldApply } from './worktree.js';

export interface TakeOrder {
  readonly folder: string;
  readonly agent: string;
  /** The newest, when left out. */
  readonly race?: string | undefined;
  now(): number;
}

export interface TakenWork {
  readonly race: string;
  readonly agent: string;
  readonly files: readonly string[];
  /** Of these, what somebody had changed since the race began, in other lines. */
  readonly merged: readonly string[];
  /** To undo it by; absent where the folder could not be kept. */
  readonly turn?: string;
}

export async function takeWork({ folder, agent, race: id, now }: TakeOrder): Promise<TakenWork> {
  const tree = await raceTree(folder);
  const record = await findRace(tree, id);
  const at = record.entries.findIndex((entry) => entry.agent === agent);
  const entry = record.entries[at];
  if (entry === undefined) {
    const known = record.entries.map((each) => each.agent).join(', ');
    throw new GalleyError('NOT_FOUND', `agent: it took no part in this race; ${known} did.`, {
      details: { field: 'agent' },
    });
  }
  if (isRunning(record))
    throw new GalleyError('CONTEXT_BACKPRESSURE', 'The race is still running; take when it is done.');
  if (entry.files.length === 0)
    throw new GalleyError('NOT_FOUND', 'This agent changed no file, so there is nothing to take.');
  const patch = await readPatch(tree, record.id, at);
  const files = entry.files.map(({ path }) => path);
  const { commit } = await commitOfTree(tree);
  const since = await pathsBetween(tree.topLevel, record.base, commit);
  const merged = files.filter((path) => since.has(path));
  const mergedWithOwn = async () => {
    const together = await mergedPatch(tree, { base: record.base, commit, patch });
    if (together?.length === 0 || (await wouldApply(tree.topLevel, patch, 'reverse')))
      throw new GalleyError('ALREADY_EXISTS', 'What this agent did is in the work tree already.');
    if (together === undefined || !(await wouldApply(tree.topLevel, together))) throw refusal(merged);
    return together;
  };
  const fitting = (await wouldApply(tree.topLevel, patch)) ? patch : await mergedWithOwn();
  // Where it cannot be kept, git still has what was committed.
  const place = record.prefix === tree.prefix ? folder : tree.topLevel;
  const kept = await keepTurn(place, { by: `take ${agent}`, now }).catch(() => undefined);
  try {
    await applyPatch(tree.topLevel, fitting);
  } finally {
    await kept?.end().catch(() => undefined);
  }
  await removeTrees(tree, record);
  await writeRecord(tree, { ...record, taken: [...record.taken, agent], trees: false });
  return { race: record.id, agent, files, merged, ...(kept === undefined ? {} : { turn: kept.id }) };
}

function refusal(paths: readonly string[]): GalleyError {
  const named = paths.length === 0 ? '' : ` (${paths.slice(0, 5).join(', ')})`;
  return new GalleyError(
    'CHANGED_MEANWHILE',
    `The same lines or files changed here since the race began${named}; nothing was touched. Put your change aside and take again.`,
    { details: { paths: paths.slice(0, 20) } },
  );
}
