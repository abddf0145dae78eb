// What a desk wants set: its layers in order of giving way, its sections in order of appearance. Data, no behaviour.
import type { Layer } from './layer.js';

export type Channel = 'system' | 'prompt';

export interface Section {
  readonly id: string;
  readonly channel: Channel;
  /** Does not change from request to request; leading stable sections form the cacheable prefix. */
  readonly stable?: boolean;
  readonly breakpoint?: boolean;
}

export interface Recipe {
  readonly id: string;
  readonly version: number;
  readonly layers: readonly Layer[];
  readonly sections: readonly Section[];
  readonly overflow: 'concede' | 'paginate';
}
