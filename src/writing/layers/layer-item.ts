// What a host's own source may put into a layer. Items are checked one by one: a malformed one costs only itself, one of
// another project refuses the whole assembly.
import * as z from 'zod';
import type { Warning } from '../../core/model/error.js';
import type { Fragment, Source } from '../../core/model/fragment.js';
import { textField } from '../../core/model/input.js';
import type { LayerId } from '../context/budget-profile.js';
import type { LayerBody } from './layer-body.js';
import { invalidItem, layerFragment } from './layer-fragment.js';
import type { SectionId } from './layered-recipe.js';
import { outages } from './outages.js';
import type { Scene } from './scene.js';

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
