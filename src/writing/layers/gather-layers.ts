// Everything the four layers could say about a scene: each source asked at once, an outage a warning.
import { gather } from '../../core/gather/gather.js';
import type { Fragment } from '../../core/model/fragment.js';
import type { Deadline } from '../../core/model/ports.js';
import type { Source } from '../../core/model/source.js';
import type { Rejection } from '../../core/model/verdict.js';
import type { Warning } from '../../core/model/warning.js';
import type { LayerBody } from './layer-body.js';
import { type LayerInputs, layerSource } from './layer-source.js';
import { outages } from './outages.js';
import { readConstraints } from './read-constraints.js';
import { readEntities } from './read-entities.js';
import { readInstruction } from './read-instruction.js';
import { readMemory } from './read-memory.js';
import { readRetrieval } from './read-retrieval.js';
import { readSettings } from './read-settings.js';
import { readSummaries } from './read-summaries.js';
import { readText } from './read-text.js';

export interface GatheredLayers {
  readonly fragments: readonly Fragment<LayerBody>[];
  readonly warnings: readonly Warning[];
  /** Found, and not to be told yet. */
  readonly untold: readonly Rejection[];
}

export interface GatherPorts {
  readonly deadline: Deadline;
  readonly signal: AbortSignal;
  /** Sources of the host beside our own. */
  readonly sources?: readonly Source<LayerBody>[];
}

export function writingSources(inputs: LayerInputs): readonly Source<LayerBody>[] {
  const { wanted } = inputs;
  const needsEntities = wanted.entities || wanted.relations;
  return [
    layerSource('constraints', inputs, { outage: outages.constraints, read: readConstraints }),
    ...(needsEntities
      ? [layerSource('entities', inputs, { outage: outages.entities, read: readEntities })]
      : []),
    layerSource('memory', inputs, { outage: outages.memory, read: readMemory }),
    layerSource('settings', inputs, { outage: outages.settings, read: readSettings }),
    ...(wanted.summaries > 0
      ? [layerSource('summaries', inputs, { outage: outages.summaries, read: readSummaries })]
      : []),
    layerSource('retrieval', inputs, { outage: outages.retrieval, read: readRetrieval }),
  ];
}

export async function gatherLayers(
  given: Omit<LayerInputs, 'note' | 'leave'>,
  { deadline, signal, sources = [] }: GatherPorts,
): Promise<GatheredLayers> {
  const notes: Warning[] = [];
  const untold: Rejection[] = [];
  const inputs: LayerInputs = {
    ...given,
    note: (warning) => notes.push(warning),
    leave: (rejection) => untold.push(rejection),
  };
  const all = [...writingSources(inputs), ...sources];
  const needs = all.map(({ id }) => ({ source: id, query: {}, askedBy: 'layered' }));
  const { project } = given.scene;
  const gathered = await gather({ plan: { needs }, scope: { project }, sources: all, signal }, deadline);
  const found = gathered.candidates as readonly Fragment<LayerBody>[];
  return {
    fragments: [...found, ...readText(given.scene), ...readInstruction(given.scene)],
    warnings: [...gathered.warnings, ...notes],
    untold,
  };
}
