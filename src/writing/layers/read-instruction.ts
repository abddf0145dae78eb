// The writer's own words for this one request: at the very end of Immediate, and never given up.
import type { Fragment } from '../../core/model/fragment.js';
import type { LayerBody } from './layer-body.js';
import { layerFragment } from './layer-fragment.js';
import type { Scene } from './scene.js';

export function readInstruction({ project, instruction }: Scene): readonly Fragment<LayerBody>[] {
  const text = instruction.trim();
  if (text === '') return [];
  return [
    layerFragment(project, {
      id: 'instruction',
      source: 'request',
      layer: 'immediate',
      section: 'instruction',
      rank: 0,
      position: 0,
      body: { kind: 'passage', text },
      pinned: true,
    }),
  ];
}
