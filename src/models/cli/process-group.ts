// Ends a process together with everything it started. Wrappers orphan their children, some ignore signals, and the commands of an
// agent have groups of their own: so whoever descends from it is found before it is told to go, and whoever carries its mark after.
import { type ChildProcess, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** A variable that a run and all it starts inherit. */
export const runMark = 'GALLEY_RUN';

export interface ProcessGroup {
  /** Asks to end, and forces it after the grace. */
  end(): void;
  /** Forces whatever is left, at once. */
  force(): void;
  /** Nothing more to watch over. */
  release(): void;
}

const alive = new Set<ProcessGroup>();

/** The child must have been started `detached`, as the leader of its group, with the mark in its environment. */
export function processGroup(
  child: ChildProcess,
  { mark, graceMs }: { readonly mark: string; readonly graceMs: number },
): ProcessGroup {
  let timer: NodeJS.Timeout | undefined;
  let descendants: readonly Seen[] = [];
  const force = () => {
    send(child, 'SIGKILL');
    for (const one of [...descendants, ...marked(mark)]) if (isStill(one)) signal(one.pid, 'SIGKILL');
  };
  const group: ProcessGroup = {
    end() {
      if (timer !== undefined) return;
      descendants = child.pid === undefined ? [] : below(child.pid, processes());
      send(child, 'SIGTERM');
      for (const { pid } of descendants) signal(pid, 'SIGTERM');
      timer = setTimeout(force, graceMs);
    },
    force,
    release() {
      clearTimeout(timer);
      alive.delete(group);
      if (alive.size === 0) process.off('exit', forceAll);
    },
  };
  if (alive.size === 0) process.on('exit', forceAll);
  alive.add(group);
  return group;
}

function forceAll(): void {
  for (const group of alive) group.force();
}

function send(child: ChildProcess, name: 'SIGTERM' | 'SIGKILL'): void {
  if (child.pid === undefined) return;
  if (process.platform === 'win32') endTree(child.pid);
  else signal(-child.pid, name);
}

function signal(pid: number, name: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(pid, name);
  } catch {
    // It is gone already.
  }
}

/** Windows has no groups; its own tool walks the tree. */
function endTree(pid: number): void {
  spawnSync('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true });
}

/** A process as it was seen: its number may be another's later, its start may not. */
interface Seen {
  readonly pid: number;
  readonly parent: number;
  readonly since: string;
}

function below(root: number, all: readonly Seen[]): Seen[] {
  const found = all.filter(({ parent }) => parent === root);
  return found.flatMap((one) => [one, ...below(one.pid, all)]);
}

function processes(): Seen[] {
  if (process.platform === 'linux') return pids().flatMap((pid) => seen(pid) ?? []);
  if (process.platform === 'win32') return [];
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid=,lstart='], { encoding: 'utf8' });
  return (stdout ?? '').split('\n').flatMap((line) => {
    const [, pid, parent, since = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return pid === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), since }];
  });
}

function isStill({ pid, since }: Seen): boolean {
  return process.platform !== 'linux' || seen(pid)?.since === since;
}

function pids(): number[] {
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
}

/** Behind the name, which may hold anything, come state, parent and, as the twentieth, the start. */
function seen(pid: number): Seen | undefined {
  const text = readProc(pid, 'stat');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [, parent] = fields;
  return parent === undefined ? undefined : { pid, parent: Number(parent), since: fields[19] ?? '' };
}

/** Whoever was started in this run, even if its parent has gone; only Linux tells. */
function marked(mark: string): Seen[] {
  if (process.platform !== 'linux') return [];
  const wanted = `${runMark}=${mark}`;
  return pids().flatMap((pid) =>
    readProc(pid, 'environ').split('\0').includes(wanted) ? (seen(pid) ?? []) : [],
  );
}

function readProc(pid: number, what: 'stat' | 'environ'): string {
  try {
    return readFileSync(`/proc/${pid}/${what}`, 'latin1');
  } catch {
    return '';
  }
}
