// What is written down of a race: who took part, how each ended, and their patches; beside the repository, in its git directory, so
// that the work of an agent can be taken later. The worktrees lie elsewhere: Claude Code changes nothing below a folder `.git`.
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import * as z from 'zod';
import { GalleyError } from '../../core/model/error.js';
import { isGone } from '../process-owner.js';
import { type RaceTree, removeWorktree } from './worktree.js';

const count = z.int().nonnegative();

const commandEnd = z.strictObject({
  passed: z.boolean(),
  exit: z.int().optional().describe('absent where it was ended'),
  timedOut: z.boolean(),
  tail: z.string().describe('the end of what it wrote'),
});

export const raceEntry = z.strictObject({
  agent: z.string().describe('as it was named, with its model where one was'),
  ended: z
    .enum(['running', 'answered', 'refused', 'failed', 'cancelled'])
    .describe(
      'refused: it answered, but was not let do something; cancelled: while it worked, or before its work was checked',
    ),
  code: z.string().optional().describe('why it failed, or why its work could not be read'),
  setup: commandEnd.optional().describe('of the command that makes its tree ready, where one was asked for'),
  check: commandEnd.optional().describe('absent where none was asked for, or the agent gave no answer'),
  files: z
    .array(
      z.strictObject({
        path: z.string().describe('seen from the top of the repository'),
        added: count,
        removed: count,
        binary: z.boolean(),
      }),
    )
    .describe('what it changed, new files too'),
  left: z.array(z.string()).optional().describe('new files of it that are too large to be kept and taken'),
  submodules: z
    .array(z.string())
    .optional()
    .describe('submodules it changed, which belong to other repositories and are not taken'),
  usage: z
    .strictObject({
      inputTokens: count,
      outputTokens: count,
      cachedInputTokens: count.optional(),
    })
    .optional()
    .describe('as its provider counts it'),
  dollars: z.number().optional().describe('as the CLI counts it, or by the prices known here'),
  refusals: count.describe('what it wanted to do and may not'),
  findings: count.optional().describe('of a review of its change, where one was asked for'),
  reviewCode: z.string().optional().describe('why the review that was asked for did not come about'),
  ms: count.describe('how long it worked, checks aside'),
  answer: z.string().optional().describe('what it said last'),
});

export type RaceEntry = z.output<typeof raceEntry>;

const raceRecord = z.strictObject({
  id: z.string(),
  at: z.number(),
  /** The process that runs it. */
  owner: z.string(),
  /** What every agent began with. */
  base: z.string(),
  prefix: z.string(),
  entries: z.array(raceEntry),
  /** Too large to be given to the agents. */
  left: z.array(z.string()).default([]),
  /** Whose work was taken, in order. */
  taken: z.array(z.string()),
  /** Whether the worktrees are still there. */
  trees: z.boolean(),
});

export type RaceRecord = z.output<typeof raceRecord>;

export const newRaceId = () => randomBytes(4).toString('hex');

const homeOf = ({ gitDirectory }: RaceTree) => join(gitDirectory, 'galley', 'race');
const recordFolder = (tree: RaceTree, id: string) => join(homeOf(tree), id);

/** Where the worktrees of a race stand: with what can be thrown away. */
function treesFolder(id: string, from: NodeJS.ProcessEnv = process.env): string {
  const cache = from.XDG_CACHE_HOME;
  const home = cache === undefined || cache === '' ? join(homedir(), '.cache') : cache;
  return join(home, 'galley', 'race', id);
}

/** Before anything is paid for: without it nobody could begin. */
export async function makeTreesFolder(id: string): Promise<void> {
  await mkdir(treesFolder(id), { recursive: true }).catch((cause) => {
    throw new GalleyError(
      'STORE_UNAVAILABLE',
      'The cache folder cannot be written to, and the worktrees of a race stand there; XDG_CACHE_HOME names another.',
      { cause },
    );
  });
}

/** Named like the repository, as agents and their tools may go by the name of the folder. */
export function worktreeOf({ topLevel }: RaceTree, id: string, entry: number): string {
  return join(treesFolder(id), String(entry + 1), basename(topLevel));
}

export async function writeRecord(tree: RaceTree, record: RaceRecord): Promise<void> {
  const folder = recordFolder(tree, record.id);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const next = join(folder, 'race.json.new');
  await writeFile(next, JSON.stringify(record), { mode: 0o600 });
  await rename(next, join(folder, 'race.json'));
}

const patchFile = (tree: RaceTree, id: string, entry: number) =>
  join(recordFolder(tree, id), `${entry + 1}.patch`);

export async function keepPatch(tree: RaceTree, id: string, entry: number, patch: Buffer): Promise<void> {
  await writeFile(patchFile(tree, id, entry), patch, { mode: 0o600 });
}

export async function readPatch(tree: RaceTree, id: string, entry: number): Promise<Buffer> {
  return readFile(patchFile(tree, id, entry)).catch((cause) => {
    throw new GalleyError('NOT_FOUND', 'What the agent did is no longer kept.', { cause });
  });
}

/** Oldest first. What another version wrote is passed over. */
export async function readRaces(tree: RaceTree): Promise<RaceRecord[]> {
  const names = await readdir(homeOf(tree)).catch(() => []);
  const read = await Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(homeOf(tree), name, 'race.json'), 'utf8').catch(() => '');
      return raceRecord.safeParse(parsed(text)).data;
    }),
  );
  return read.filter((race) => race !== undefined).sort((a, b) => a.at - b.at);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The one of that name, or the newest. */
export async function findRace(tree: RaceTree, id: string | undefined): Promise<RaceRecord> {
  const races = await readRaces(tree);
  const found = id === undefined ? races.at(-1) : races.find((race) => race.id === id);
  if (found !== undefined) return found;
  throw new GalleyError('NOT_FOUND', 'There is no such race in this repository; galley race starts one.');
}

/** Whether its process still works at it. */
export const isRunning = ({ entries, owner }: RaceRecord) =>
  entries.some(({ ended }) => ended === 'running') && !isGone(owner);

export async function removeTrees(tree: RaceTree, { id, entries }: RaceRecord): Promise<void> {
  for (const [at] of entries.entries()) await removeWorktree(tree, worktreeOf(tree, id, at));
  await rm(treesFolder(id), { recursive: true, force: true, maxRetries: 3 });
}

/** With worktrees, patches and all. */
export async function discardRace(tree: RaceTree, record: RaceRecord): Promise<void> {
  await removeTrees(tree, record);
  await rm(recordFolder(tree, record.id), { recursive: true, force: true, maxRetries: 3 });
}
