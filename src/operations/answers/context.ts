import * as z from 'zod';
import type { ContextAssembleResult } from '../../writing/context/context-result.js';
import type { ContextInspectResult } from '../../writing/context/inspect-context.js';
import { answer } from './answer.js';
import { noun } from './noun.js';
import { count } from './numbers.js';
import { breakpoint, receiptObject, verdict } from './receipt.js';
import { warningMessages } from './warning.js';

const outcome = noun('LayerOutcome', z.strictObject({ tokens: count, truncated: z.boolean() }));

const inspected = noun(
  'InspectedLayer',
  outcome.extend({
    text: z.string().describe('as it stands in the prompt'),
    items: z.array(
      noun(
        'InspectedItem',
        z.strictObject({
          id: z.string(),
          source: z.string(),
          section: z.string(),
          tokenCount: count,
          verdict,
          reason: z.string(),
          text: z.string(),
        }),
      ),
    ),
  }),
);

const found = { chunks: count.describe('passages that were found and kept') };

function layersOf<Layer extends z.ZodType, Retrieved extends z.ZodType>(layer: Layer, retrieved: Retrieved) {
  return z.strictObject({ rules: layer, settings: layer, retrieved, immediate: layer });
}

export const layerOutcomes = layersOf(outcome, outcome.extend(found));

export const cacheOutlook = noun(
  'CacheOutlook',
  z.strictObject({
    breakpoints: z.array(breakpoint),
    cacheable: z.boolean().describe('the prefix is large enough for the provider to cache'),
    minimumTokens: count,
    prefixTokens: count,
    provider: z.string(),
    profiles: z.string().describe('version of the table of providers'),
  }),
);

export const contextReceipt = noun(
  'ContextReceipt',
  receiptObject.extend({
    lane: z
      .strictObject({
        digest: z.string().optional().describe('of the history; absent on the first request'),
        used: z.boolean().describe('the history had a say in this answer'),
        withheld: count.describe('fragments not offered, so that the prompt stays steady'),
        window: z.string().optional(),
      })
      .describe('what earlier requests of the same project, skill and model have to do with it'),
    stablePrefixHash: z.string(),
  }),
);

const shared = {
  prompt: z.string(),
  system: z.string().describe('the system text that goes with it; empty where there is none'),
  tokenCount: count,
  stablePrefixHash: z.string(),
  stablePrefixUnchanged: z.boolean(),
  warnings: warningMessages,
  budget: z.strictObject({ total: count, version: count }),
  cache: cacheOutlook,
  prefixChange: z
    .strictObject({ fragment: z.string(), reason: z.enum(['added', 'removed', 'changed', 'moved']) })
    .optional()
    .describe('why the prefix is not the one of the request before'),
  receipt: contextReceipt,
};

export const assembledContext = answer<ContextAssembleResult>()(
  z.strictObject({
    layers: layerOutcomes,
    receiptId: z.string().optional().describe('under which the receipt was stored'),
    ...shared,
  }),
);

export const inspectedContext = answer<ContextInspectResult>()(
  z.strictObject({ layers: layersOf(inspected, inspected.extend(found)), ...shared }),
);
