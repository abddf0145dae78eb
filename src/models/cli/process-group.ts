// Ends a process together with everything it started. Wrappers orphan their children and some ignore signals, so the whole
// group is asked first and forced then; should this process end meanwhile, its groups end with it.
import { type ChildProcess, spawnSync } from 'node:child_process';

const alive = new Set<ProcessGroup>();

export interface ProcessGroup {
  /** Asks to end, and forces it after the grace. */
  end(): void;
  /** Forces whatever is left, at once. */
  force(): void;
  /** Nothing more to watch over. */
  release(): void;
}

/** The child must have been started `detached`, as the leader of its group. */
export function processGroup(child: ChildProcess, graceMs: number): ProcessGroup {
  let timer: NodeJS.Timeout | undefined;
  const group: ProcessGroup = {
    end() {
      if (timer !== undefined) return;
      send(child, 'SIGTERM');
      timer = setTimeout(() => send(child, 'SIGKILL'), graceMs);
    },
    force() {
      send(child, 'SIGKILL');
    },
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

function send(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') endTree(child.pid);
    else process.kill(-child.pid, signal);
  } catch {
    // The group is gone already.
  }
}

/** Windows has no groups; its own tool walks the tree. */
function endTree(pid: number): void {
  spawnSync('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true });
}
