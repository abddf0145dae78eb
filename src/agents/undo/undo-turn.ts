// Takes back what a turn did to its folder. A file is touched only if it is still exactly what the turn left; what somebody changed
// since stays as it is and is named. The state before the undo is kept like that before a turn, so an undo can be undone.
import { createHash, randomBytes } from 'node:crypto';
import {
  chmod,
  lstat,
  mkdir,
  readFile,
  readlink,
  rename,
  rm,
  rmdir,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { GalleyError } from '../../core/model/error.js';
import { bringIndexBack, gitStateOf, type IndexUndo, planIndex } from './git-index.js';
import { type KeptChange, type KeptFile, type KeptFolder, openKeptFolder, placeOf } from './kept-folder.js';
import { type LoggedTurn, loggedTurns, logStep, newTurnId } from './turn-log.js';

export interface KeptTurn {
  readonly id: string;
  /** Files that could not be kept and cannot be brought back. */
  readonly skipped: number;
  /** With the paths the agent named, when it names all it changes. */
  end(named?: readonly string[]): Promise<void>;
}

interface KeepOrder {
  readonly by: string;
  /** The turn that is being undone. */
  readonly of?: string;
  now(): number;
  readonly signal?: AbortSignal | undefined;
  /** The folder is read for the first time, which takes its time. */
  onFirst?(): void;
}

/** Keeps the folder as it is before a turn. */
export async function keepTurn(
  folder: string,
  { by, of, now, signal, onFirst }: KeepOrder,
): Promise<KeptTurn> {
  const kept = await openKeptFolder(folder);
  if (!kept.isKnown) onFirst?.();
  const { tree: before, skipped } = await kept.keep(signal);
  const id = newTurnId();
  await logStep(kept.home, {
    ...{ step: 'begun', id, at: now(), by, before },
    ...(await keptGitState(kept)),
    ...(of === undefined ? {} : { of }),
  });
  return {
    id,
    skipped,
    async end(named) {
      const { tree: after } = await kept.keep();
      const own = named === undefined ? {} : { named: [...named] };
      await logStep(kept.home, { step: 'ended', id, after, ...(await keptGitState(kept)), ...own });
      const turns = await loggedTurns(kept.home);
      const held = turns.flatMap((turn) => [turn.before, turn.after, turn.staged, turn.stagedAfter]);
      await kept.holdOnly(held.flatMap((object) => object ?? []));
    },
  };
}

/** Where git stands, for the log. */
async function keptGitState(kept: KeptFolder): Promise<{ head?: string; staged?: string }> {
  if (!kept.isInGit) return {};
  const { head, index } = await gitStateOf(kept.folder);
  return {
    ...(head === undefined ? {} : { head }),
    ...(index === undefined ? {} : { staged: await kept.keepText(Buffer.from(index, 'latin1')) }),
  };
}

export interface UndoneTurn {
  readonly turn: string;
  readonly by: string;
  readonly restored: readonly string[];
  readonly removed: readonly string[];
  readonly left: readonly { readonly path: string; readonly why: 'changed-since' | 'not-the-agents' }[];
  readonly headMoved: boolean;
  /** What the turn staged, or took out of git's index, is as it was before; below the top of the repository. */
  readonly unstaged: readonly string[];
  /** The turn changed git's index, and some of that stays. */
  readonly indexChanged: boolean;
  /** The agent does not name its files, so what others changed during the turn is taken back with it. */
  readonly othersToo: boolean;
  readonly at: number;
  /** To bring it back by, where anything was touched. */
  readonly undo?: string;
}

interface UndoOrder {
  readonly folder: string;
  /** The newest that was not undone yet, when left out. */
  readonly turn?: string | undefined;
  /** Also takes back what others did since; the only way for a turn that was cut off. */
  readonly allSince: boolean;
  /** Only says what would be done. */
  readonly dryRun: boolean;
  now(): number;
}

export async function undoTurn({ folder, turn: id, allSince, dryRun, now }: UndoOrder): Promise<UndoneTurn> {
  const kept = await openKeptFolder(folder);
  const turn = chosen(await loggedTurns(kept.home), id);
  const after = allSince ? (await kept.keep()).tree : turn.after;
  if (after === undefined) {
    throw new GalleyError(
      'CHANGED_MEANWHILE',
      `The turn ${turn.id} was cut off, so its changes cannot be told from yours; nothing was touched. To take back everything since it began, say so (allSince, --all-since).`,
    );
  }
  const own = turn.named === undefined || allSince ? undefined : new Set(turn.named);
  const changes = await kept.changes(turn.before, after);
  // An undo that does nothing is no turn.
  const index = await indexOf(kept, turn, { allSince, isNamed: own !== undefined });
  const isNeeded = !dryRun && (index.changes.length > 0 || (await holdsOwn(folder, changes, own)));
  const undo = isNeeded ? await keepTurn(folder, { by: 'undo', of: turn.id, now }) : undefined;
  const restored: string[] = [];
  const removed: string[] = [];
  const left: UndoneTurn['left'][number][] = [];
  // First what is in the way, the deepest first; then what comes back.
  const order = [...changes].sort(
    (a, b) => Number(isGone(b.before)) - Number(isGone(a.before)) || compare(b.path, a.path),
  );
  for (const change of order) {
    const path = shownName(change);
    const verdict = await verdictOf(folder, change, own);
    if (verdict === 'as-before') continue;
    if (verdict !== 'own') left.push({ path, why: verdict });
    else if (!dryRun && !(await bringBack(kept, change))) left.push({ path, why: 'changed-since' });
    else (isGone(change.before) ? removed : restored).push(path);
  }
  const isBack = index.changes.length > 0 && (dryRun || (await bringIndexBack(folder, index)));
  await undo?.end();
  const unstaged = isBack ? index.changes.map(shownName) : [];
  const isTouched = restored.length + removed.length + unstaged.length > 0;
  if (!dryRun && isTouched) await logStep(kept.home, { step: 'undone', id: turn.id });
  const { id: name, at, by, headMoved } = turn;
  const indexChanged = index.isPartial || (index.changes.length > 0 && !isBack);
  return {
    ...{ turn: name, at, by, restored: sorted(restored), removed: sorted(removed), left },
    ...{
      headMoved,
      unstaged: sorted(unstaged),
      indexChanged,
      othersToo: turn.named === undefined && !/^(?:undo$|take )/.test(by),
    },
    ...(undo === undefined || !isTouched ? {} : { undo: undo.id }),
  };
}

/** What of git's index is the turn's own. Where commits were made since it began, the index belongs to these. */
async function indexOf(
  kept: KeptFolder,
  { staged, stagedAfter, head }: LoggedTurn,
  { allSince, isNamed }: { readonly allSince: boolean; readonly isNamed: boolean },
): Promise<IndexUndo> {
  const isChanged = staged !== stagedAfter;
  const stays: IndexUndo = { changes: [], isPartial: isChanged };
  // An agent that only changes files by its tools has staged nothing: somebody else did.
  if (isNamed || staged === undefined || (!allSince && (!isChanged || stagedAfter === undefined)))
    return isNamed ? { ...stays, isPartial: false } : stays;
  const now = await gitStateOf(kept.folder);
  if (now.index === undefined) return stays;
  if (now.head !== head) return { ...stays, isPartial: false };
  try {
    const [before, after] = await Promise.all(
      [staged, allSince ? undefined : stagedAfter].map(async (text) =>
        text === undefined ? now.index : (await kept.read(text)).toString('latin1'),
      ),
    );
    return planIndex(before ?? '', after ?? '', now.index);
  } catch {
    // An older log holds digests alone.
    return stays;
  }
}

const shownName = ({ path }: Pick<KeptChange, 'path'>) => Buffer.from(path, 'latin1').toString('utf8');

/** Whose the file is at this moment: still as the turn left it, it is the turn's own. */
async function verdictOf(
  folder: string,
  change: KeptChange,
  named: ReadonlySet<string> | undefined,
): Promise<'own' | 'as-before' | 'changed-since' | 'not-the-agents'> {
  if (named !== undefined && !named.has(shownName(change))) return 'not-the-agents';
  const now = await fileAt(folder, change.path);
  if (isSame(now, change.before)) return 'as-before';
  return isSame(now, change.after) ? 'own' : 'changed-since';
}

async function holdsOwn(
  folder: string,
  changes: readonly KeptChange[],
  named: ReadonlySet<string> | undefined,
): Promise<boolean> {
  for (const change of changes) if ((await verdictOf(folder, change, named)) === 'own') return true;
  return false;
}

function chosen(turns: readonly LoggedTurn[], id: string | undefined): LoggedTurn {
  // By its name also once more: what was left the first time may be as the turn left it by now.
  const turn =
    id === undefined
      ? turns.findLast(({ undone, by }) => !undone && by !== 'undo')
      : turns.find((known) => known.id === id);
  if (turn !== undefined) return turn;
  throw new GalleyError(
    'NOT_FOUND',
    id === undefined
      ? 'There is no turn to undo in this folder; one that is undone, or an undo, is named by its id (--list).'
      : 'There is no such turn in this folder; --list names them.',
  );
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
const sorted = (paths: readonly string[]) => [...paths].sort(compare);
const isGone = ({ mode }: KeptFile) => mode === '000000';
const isSame = (a: KeptFile, b: KeptFile) => a.mode === b.mode && (isGone(a) || a.blob === b.blob);

const nothing: KeptFile = { mode: '000000', blob: '' };

/** The file as it is at this moment, in git's words; nothing where a folder or something stranger stands. */
async function fileAt(folder: string, path: string): Promise<KeptFile> {
  const place = placeOf(folder, path);
  if (!(await standsInside(folder, path))) return nothing;
  const stat = await lstat(place).catch(() => undefined);
  if (stat?.isSymbolicLink())
    return { mode: '120000', blob: blobOf(await readlink(place, { encoding: 'buffer' })) };
  if (stat?.isFile() !== true) return nothing;
  const mode = (stat.mode & 0o100) === 0 ? '100644' : '100755';
  return { mode, blob: blobOf(await readFile(place)) };
}

const blobOf = (bytes: Buffer) =>
  createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');

/** A link on the way would lead out of the folder, or to another file of it. */
async function standsInside(folder: string, path: string): Promise<boolean> {
  const parts = path.split('/').slice(0, -1);
  for (let depth = 1; depth <= parts.length; depth += 1) {
    const stat = await lstat(placeOf(folder, parts.slice(0, depth).join('/'))).catch(() => undefined);
    if (stat !== undefined && !stat.isDirectory()) return false;
  }
  return true;
}

/** False where somebody has put a link in the way since. */
async function bringBack({ folder, read }: KeptFolder, { path, before }: KeptChange): Promise<boolean> {
  const place = placeOf(folder, path);
  if (!(await standsInside(folder, path))) return false;
  if (isGone(before)) {
    await rm(place, { force: true });
    await removeEmptyParents(folder, path);
    return true;
  }
  const bytes = await read(before.blob);
  const parent = path.split('/').slice(0, -1).join('/');
  if (parent !== '') await mkdir(placeOf(folder, parent), { recursive: true });
  const own = await lstat(place).catch(() => undefined);
  // Whole or not at all, whatever happens in between.
  const beside = Buffer.concat([place, Buffer.from(`.${randomBytes(4).toString('hex')}.galley`)]);
  try {
    if (before.mode === '120000') await symlink(bytes, beside);
    else {
      await writeFile(beside, bytes, { flag: 'wx' });
      await chmod(beside, modeOf(before, own?.isFile() === true ? own.mode : undefined));
    }
    await rename(beside, place);
  } finally {
    await rm(beside, { force: true });
  }
  return true;
}

const runnable = 0o111;

/** Git knows of a mode only whether the file can be run; the rest is as the file has it now. */
function modeOf({ mode }: KeptFile, now = 0o644): number {
  const plain = now & 0o777 & ~runnable;
  // Whoever may read it may run it.
  return mode === '100755' ? plain | ((plain >> 2) & runnable) : plain;
}

async function removeEmptyParents(folder: string, path: string): Promise<void> {
  const parts = path.split('/');
  for (let depth = parts.length - 1; depth > 0; depth -= 1) {
    try {
      await rmdir(placeOf(folder, parts.slice(0, depth).join('/')));
    } catch {
      return;
    }
  }
}
