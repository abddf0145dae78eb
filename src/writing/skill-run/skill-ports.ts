// What a skill run may reach for.
import type { Store } from '../../store/store.js';
import type { LoadMeter } from '../context/context-meter.js';

export interface SkillPorts {
  readonly store: Store;
  /** Absolute; only when it belongs to the project. */
  readonly folder?: string | undefined;
  readonly signal: AbortSignal;
  readonly loadMeter?: LoadMeter;
}
