// A source of the writing desk: what it reads from, and how it reads. Time limits guard against a source that hangs.

import type { Warning } from '../../core/model/error.js';
import type { Fragment, Source } from '../../core/model/fragment.js';
import type { Meter } from '../../core/model/meter.js';
import type { Rejection } from '../../core/model/receipt.js';
import type { Store } from '../../store/store.js';
import type { EmbeddingSource } from '../retrieval/embedding-source.js';
import type { LayerBody } from './layer-body.js';
import type { Scene } from './scene.js';
import type { Wanted } from './wanted.js';

export interface LayerInputs {
  readonly store: Store;
  readonly scene: Scene;
  readonly wanted: Wanted;
  readonly meter: Meter;
  /** Entities the caller asks for by id or name, whatever their inclusion. */
  readonly entities: readonly string[];
  /** Asked beside the index, when the user has named a server. */
  readonly embeddings?: EmbeddingSource | undefined;
  readonly note: (warning: Warning) => void;
  /** Told what was found and must not be told yet. */
  readonly leave?: (rejection: Rejection) => void;
}

export type ReadLayer = (inputs: LayerInputs, signal: AbortSignal) => Promise<readonly Fragment<LayerBody>[]>;

const timeLimitMs = 5_000;

export function layerSource(
  id: string,
  inputs: LayerInputs,
  how: { outage: Warning; read: ReadLayer },
): Source<LayerBody> {
  return {
    id,
    timeLimitMs,
    outage: how.outage,
    gather: (_need, _scope, signal) => how.read(inputs, signal),
  };
}
