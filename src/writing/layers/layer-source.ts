// A source of the writing desk: what it reads from, and how it reads. Time limits guard against a source that hangs.

import * as z from 'zod';
import type { Warning } from '../../core/model/error.js';
import type { Fragment, Source } from '../../core/model/fragment.js';
import { textField } from '../../core/model/input.js';
import type { Meter } from '../../core/model/meter.js';
import type { Rejection } from '../../core/model/receipt.js';
import type { Store } from '../../store/store.js';
import type { EmbeddingSource } from '../retrieval/embedding-source.js';
import type { ContextNeeds } from './context-needs.js';
import { invalidItem, type LayerBody, layerFragment } from './layer-fragment.js';
import type { LayerId, SectionId } from './layered-recipe.js';
import type { Scene } from './scene.js';
import { outages } from './warnings.js';

export interface LayerInputs {
  readonly store: Store;
  readonly scene: Scene;
  readonly wanted: ContextNeeds;
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

// What a host's own source may put into a layer. Items are checked one by one: a malformed one costs only itself, one of
// another project refuses the whole assembly.
const layerItem = z.strictObject({
  id: textField(512).refine((text) => text !== '', { error: 'must not be empty' }),
  projectId: textField(512),
  layer: z.enum(['rules', 'settings', 'retrieved', 'immediate']),
  source: textField(200).refine((text) => text !== '', { error: 'must not be empty' }),
  text: textField(),
  /** What the host counted; we weigh for ourselves. */
  tokenCount: z.int().nonnegative(),
  /** Similarity, confidence or nearness: higher stays longer. */
  score: z.number().default(0),
});

export interface LayerItemSource {
  readonly id: string;
  readonly timeLimitMs?: number;
  readonly outage?: Warning;
  read(
    scene: Pick<Scene, 'project' | 'documentId' | 'chapter'>,
    signal: AbortSignal,
  ): Promise<readonly unknown[]>;
}

const places: Readonly<Record<LayerId, { section: SectionId; kind: 'constraint' | 'note' | 'titled' }>> = {
  rules: { section: 'constraints', kind: 'constraint' },
  settings: { section: 'preferences', kind: 'note' },
  retrieved: { section: 'retrieved', kind: 'titled' },
  immediate: { section: 'working-memory', kind: 'note' },
};

export function itemSource(
  source: LayerItemSource,
  scene: Scene,
  note: (warning: Warning) => void,
): Source<LayerBody> {
  return {
    id: source.id,
    timeLimitMs: source.timeLimitMs ?? 5_000,
    outage: source.outage ?? outages.retrieval,
    gather: async (_need, _scope, signal) => {
      const items = await source.read(scene, signal);
      return items.flatMap((item, index): Fragment<LayerBody>[] => {
        const parsed = layerItem.safeParse(item);
        if (!parsed.success) {
          note(invalidItem(source.id, index, parsed.error.issues[0]?.path.join('.') || undefined));
          return [];
        }
        const { id, projectId, layer, source: from, text, score } = parsed.data;
        const { section, kind } = places[layer];
        const body: LayerBody = kind === 'titled' ? { kind, title: '', text } : { kind, text };
        const draft = {
          id: `${source.id}:${id}`,
          source: from,
          layer,
          section,
          rank: score,
          position: index,
          body,
        };
        return [layerFragment(projectId, draft)];
      });
    },
  };
}
