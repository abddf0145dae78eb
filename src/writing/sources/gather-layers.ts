// Everything the four layers could say about a scene: each source asked at once, an outage a warning.
import { gather } from '../../core/gather/gather.js';
import type { Warning } from '../../core/model/error.js';
import type { Fragment, Source } from '../../core/model/fragment.js';
import type { Deadline } from '../../core/model/press.js';
import type { Rejection } from '../../core/model/receipt.js';
import type { LayerBody } from '../layers/layer-fragment.js';
import { type LayerInputs, layerSource } from '../layers/layer-source.js';
import { outages } from '../layers/warnings.js';
import { readConstraints } from './read-constraints.js';
import { readEntities } from './read-entities.js';
import { readMemory, readSummaries } from './read-memory.js';
import { readOpenPromises } from './read-promises.js';
import { readRetrieval } from './read-retrieval.js';
import { readSettings } from './read-settings.js';
import { readStory } from './read-story.js';

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
  const asksMemory = wanted.preferences || wanted.memory;
  const asksSettings = asksMemory || wanted.styleGuide || wanted.outline !== 'none';
  const sources: readonly [string, boolean, Parameters<typeof layerSource>[2]][] = [
    ['constraints', true, { outage: outages.constraints, read: readConstraints }],
    [
      'entities',
      wanted.people !== 'none' || wanted.relations,
      { outage: outages.entities, read: readEntities },
    ],
    ['memory', asksMemory, { outage: outages.memory, read: readMemory }],
    ['settings', asksSettings, { outage: outages.settings, read: readSettings }],
    ['summaries', wanted.summaries > 0, { outage: outages.summaries, read: readSummaries }],
    ['story', wanted.story, { outage: outages.story, read: readStory }],
    ['promises', wanted.promises, { outage: outages.settings, read: readOpenPromises }],
    ['retrieval', wanted.retrieval, { outage: outages.retrieval, read: readRetrieval }],
  ];
  return sources.flatMap(([id, isAsked, how]) => (isAsked ? [layerSource(id, inputs, how)] : []));
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
  const gathered = await gather({ needs, scope: { project }, sources: all, signal }, deadline);
  const found = gathered.candidates as readonly Fragment<LayerBody>[];
  return {
    fragments: onceEach(found),
    warnings: [...gathered.warnings, ...notes],
    untold,
  };
}

/** The end of the chapter before stands in the prompt once, where it was found as a passage, too. */
function onceEach(fragments: readonly Fragment<LayerBody>[]): readonly Fragment<LayerBody>[] {
  const textIn = ({ levels }: Fragment<LayerBody>) => {
    const body = levels[0]?.body;
    return body?.kind === 'titled' ? body.text.trim() : '';
  };
  const passages = fragments.filter(({ section }) => section === 'retrieved').map(textIn);
  const isShown = (text: string, shown: readonly string[]) => shown.some((other) => other.includes(text));
  return fragments.filter((fragment) => {
    if (fragment.section === 'previous') return !isShown(textIn(fragment), passages);
    return true;
  });
}
