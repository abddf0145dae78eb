// What a replay of merged pull requests is asked with.
import * as z from 'zod';
import { textField } from '../../core/model/input.js';
import { reviewRunRequest } from '../run/run-request.js';

export const replayRequest = reviewRunRequest
  .pick({
    ...{ model: true, concurrency: true, timeoutMs: true, maxCost: true, maxPages: true, skill: true },
    ...{ minSeverity: true, minConfidence: true, most: true, language: true, fresh: true, dryRun: true },
    ...{ followUps: true, verify: true, verifyModel: true },
  })
  .extend({
    /** A clone; relative paths start at the folder one works in. */
    repo: textField(4096).min(1).default('.'),
    last: z.int().min(1).max(500).default(50).describe('how many merged pull requests'),
    /** Takes them from the history of the clone and asks no host, so without what people commented. */
    local: z.boolean().default(false),
    context: z
      .union([z.int().min(1).max(1_000_000_000), z.literal('plan')])
      .optional()
      .describe('of the one side; the other always has none'),
  });

export type ReplayRequest = z.output<typeof replayRequest>;
