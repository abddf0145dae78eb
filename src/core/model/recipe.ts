// What a desk wants set: its layers in order of giving way, its sections in order of appearance. Data, no behaviour.
import type { Layer } from './layer.js';

/** `answer` holds the form the answer must have, for models that take it apart from the words. */
export const channels = ['system', 'prompt', 'answer'] as const;

export type Channel = (typeof channels)[number];

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
