// What all calls of one server share: its limits at work, its counters, and whether it is closing.
import { realpathSync } from 'node:fs';
import { GalleyError } from '../../core/model/error.js';
import type { Folders } from './access/confine-files.js';
import { type BodyRoom, createBodyRoom } from './limits/body-room.js';
import { type CallRate, createCallRate } from './limits/call-rate.js';
import { createLanes, type Lanes } from './limits/lanes.js';
import { listenFirst } from './limits/listen-first.js';
import { createMetrics, type Metrics } from './pages/metrics.js';
import type { ServeOptions } from './serve-options.js';

export interface Door {
  readonly options: ServeOptions;
  readonly folders: Folders;
  readonly bodies: BodyRoom;
  readonly rate: CallRate;
  readonly lanes: Lanes;
  readonly metrics: Metrics;
  /** Cancels what runs. */
  readonly running: Set<AbortController>;
  isClosing: boolean;
  /** Connections and requests so far. */
  arrivals: number;
}

export function createDoor(options: ServeOptions): Door {
  const { limits, now } = options;
  const roots = options.roots.map(realRoot);
  const door: Door = {
    options,
    folders: { folder: roots[0] ?? realRoot('.'), roots },
    bodies: createBodyRoom(limits),
    rate: createCallRate(limits.perSecond, now),
    lanes: createLanes(limits, { now, listen: listenFirst(() => door.arrivals) }),
    metrics: createMetrics(),
    running: new Set(),
    isClosing: false,
    arrivals: 0,
  };
  return door;
}

function realRoot(folder: string): string {
  try {
    return realpathSync(folder);
  } catch (cause) {
    throw new GalleyError('CONFIG_INVALID', 'A folder given with --root does not exist.', { cause });
  }
}
