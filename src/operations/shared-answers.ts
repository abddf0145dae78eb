// What several answers hold: warnings, omissions, receipts, and the record of a call.
import * as z from 'zod';
import type { Warning } from '../core/model/error.js';
import type { Receipt } from '../core/model/receipt.js';
import { receiptVersion, speakerRoles } from '../core/model/receipt.js';
import { channels } from '../core/model/recipe.js';
import type { RunRecord } from '../models/contract/model.js';
import { callKinds } from '../models/contract/model.js';
import { answer, count, inferred, named } from './published-schema.js';

const detail = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);

const warning = named(
  'Warning',
  z.strictObject({
    code: z.string(),
    message: z.string(),
    details: z.record(z.string(), detail).optional(),
  }),
);

export const warnings = z.array(answer<Warning>()(warning));

/** Where an answer carries the sentences alone. */
export const warningMessages = z.array(z.string());

/** Lines that came and went. */
export const lineCounts = { added: count, removed: count };

const omission = named(
  'Omission',
  z.strictObject({
    path: z.string(),
    reason: z.string(),
    rule: z.string().describe('id of the rule behind the reason'),
    ...lineCounts,
    partial: z.boolean().optional().describe('only some of its changed lines are left out'),
  }),
);

export const omissions = z.array(omission);

export const coverage = z.string().describe('one line: what is covered, and what is not');

/** What is gone, by its id. */
export const deleted = inferred(
  named('Deleted', z.strictObject({ id: z.string(), deleted: z.literal(true) })),
);

export const finish = z.enum(['stop', 'length', 'unknown']).describe('why the model stopped');

const amount = named(
  'Amount',
  z.strictObject({ unit: z.enum(['tokens', 'bytes', 'codepoints']), n: z.number() }),
);

const versioned = z.strictObject({
  id: z.string().describe('its name'),
  version: z.int().describe('grows when it would set the same text otherwise'),
});

export const verdict = named(
  'Verdict',
  z.enum([
    'kept',
    'stepped-down',
    'cut',
    'refilled',
    'conceded',
    'over-own-line',
    'too-large',
    'beyond-pages',
    'duplicate',
    'invalid',
    'over-limit',
    'below-floor',
    'withheld',
  ]),
);

const layerRecord = named(
  'LayerRecord',
  z.strictObject({
    id: z.string().describe('name of the layer'),
    amount: z.number(),
    kept: count.describe('fragments that stand in the text'),
    left: count.describe('fragments that stayed out'),
  }),
);

const span = z.strictObject({
  fragment: z.string(),
  start: count.describe('in bytes of UTF-8'),
  end: count.describe('in bytes of UTF-8'),
});

export const breakpoint = named(
  'Breakpoint',
  z.strictObject({
    offset: count.describe('in bytes of UTF-8'),
    section: z.string(),
    fingerprint: z.string().describe('covers every byte of the page up to the offset'),
  }),
);

const pageRecord = named(
  'PageRecord',
  z.strictObject({
    amount: z.number(),
    parts: z.array(
      z.strictObject({
        channel: z.enum(channels).describe('answer: the form the answer must have'),
        bytes: count,
        hash: z.string(),
        stableBytes: count.describe('of the leading sections that seldom change'),
        spans: z.array(span),
        breakpoints: z.array(breakpoint),
        turns: z
          .array(count)
          .optional()
          .describe('of a conversation: where the other side speaks, the model first; in bytes of UTF-8'),
        speakers: z
          .array(
            z.strictObject({
              role: z.enum(speakerRoles).describe('who speaks'),
              offset: count.describe('in bytes of UTF-8'),
              more: z.literal(true).optional().describe('the message before goes on'),
              name: z.string().optional().describe('hash of the name'),
            }),
          )
          .optional()
          .describe('of a conversation that somebody else holds: whose words begin where'),
      }),
    ),
  }),
);

const ledgerLine = named(
  'LedgerLine',
  z.strictObject({
    fragment: z.string(),
    source: z.string(),
    layer: z.string(),
    section: z.string().optional(),
    verdict,
    reason: z.string(),
    level: z.string().optional().describe('of detail it was kept at'),
    amount: z.number().optional(),
    page: count.optional().describe('from 1; absent for what stands on every page or on none'),
    ref: z.string().optional().describe('the document, file or record it comes from'),
    finished: z
      .record(z.string(), z.number())
      .optional()
      .describe('what was taken out or made visible in its words, by kind'),
  }),
);

const reportedUsage = z.strictObject({
  inputTokens: z.number().describe('everything that was read, cached or not'),
  outputTokens: z.number(),
  cachedInputTokens: z.number().optional(),
  cacheWriteTokens: z.number().optional(),
});

export const usage = named('Usage', reportedUsage);

const runRecord = named(
  'RunRecord',
  z.strictObject({
    kind: z.enum(callKinds).describe('what the model was asked for'),
    receipt: z.string().describe('id of the receipt of what was sent'),
    model: z.string(),
    page: count.optional().describe('from 1, where the prompt has several'),
    foreseen: z.strictObject({ inputTokens: z.number(), cachedInputTokens: z.number() }),
    reported: usage.optional().describe('absent when the model does not say'),
    cost: z
      .strictObject({ dollars: z.number(), prices: z.string().describe('version of the price list') })
      .optional()
      .describe('absent when the price is not known'),
    attempts: count,
    refused: z
      .array(
        z.strictObject({
          tool: z.string().describe('as the CLI calls it'),
          times: count.describe('how often'),
        }),
      )
      .optional()
      .describe('of an agent: tools that were refused and not let through later'),
  }),
);

export const runRecords = z.array(answer<RunRecord>()(runRecord));

/** The receipt itself, for those that carry more. */
export const receiptObject = z.strictObject({
  version: z.literal(receiptVersion).describe('of this form of receipt'),
  id: z.string().describe('hash of the body; ledger and spans are in it by their digests'),
  previous: z.string().optional().describe('id of the receipt of the call before, in a conversation'),
  recipe: versioned,
  dialect: versioned,
  meter: z.strictObject({ id: z.string().describe('its name'), exact: z.boolean() }),
  budget: amount,
  used: amount,
  concessions: z.strictObject({
    made: count,
    offered: count.describe('how many there could have been'),
  }),
  layers: z.array(layerRecord).describe('what each cost and kept'),
  pages: z.array(pageRecord),
  ledger: z.array(ledgerLine).describe('one line for every fragment, kept or not'),
  warnings,
  digests: z.strictObject({
    ledger: z.string().describe('SHA-256 of the ledger'),
    spans: z.string().describe('SHA-256 of the spans'),
  }),
});

export const receipt = answer<Receipt>()(named('Receipt', receiptObject));
