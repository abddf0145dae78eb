// What a review by a model is asked with: the change and its report, and how the model may be used.
import * as z from 'zod';
import { textField } from '../../core/model/input.js';
import { contextBudget, followUpFields } from '../change/review-request.js';
import { levelsField } from '../plan/asked-levels.js';
import { intentSchema } from '../prompt/intent.js';
import { reportRequest } from '../report/report-answers.js';

const modelName = textField(200).regex(/^[\w.:/@[\]][\w.:/@[\]+-]*$/);
const milliseconds = z.int().min(1).max(86_400_000);

export const reviewRunRequest = reportRequest.omit({ answers: true, report: true }).extend({
  model: modelName.optional(),
  /** Asks a model, the reviewing one if no other is named, how much each unit needs before pages are sent. */
  planner: z.boolean().default(false),
  planModel: modelName.optional(),
  concurrency: z.int().min(1).max(64).default(4),
  /** Beside the diff of each page: what the plan asks for and ranked neighbours unless told otherwise. */
  context: contextBudget.optional(),
  pin: z
    .array(textField(5000))
    .max(200)
    .default([])
    .describe('ids of pieces beside the diff, as the receipt names them, that stay whatever else gives way'),
  without: z
    .array(textField(5000))
    .max(200)
    .default([])
    .describe('ids of pieces beside the diff, as the receipt names them, that stay out'),
  levels: levelsField,
  /** What the author says the change is for; from the commits where left out. */
  intent: intentSchema.optional(),
  /** How often the reviewer of a page may ask for code it does not show; once, or never for an agent CLI, when left out. */
  followUps: followUpFields.followUps,
  /** Of what is served for one page. */
  followUpTokens: followUpFields.followUpTokens,
  /** Shows a page's findings to a model once more; what it refutes is held back with the reason. */
  verify: z.boolean().default(false),
  /** The reviewing one if no other is named. */
  verifyModel: modelName.optional(),
  maxOutputTokens: z.int().min(1).max(1_000_000).optional(),
  /** For one page. */
  timeoutMs: milliseconds.default(600_000),
  firstByteTimeoutMs: milliseconds.default(180_000),
  /** In dollars, for the whole run. */
  maxCost: z.number().positive().max(1_000_000).optional(),
  /** In which the findings are worded; the report too, where we have words of that language. */
  language: textField(60)
    .regex(/^\p{L}[\p{L}\p{M} ()-]*$/u)
    .optional(),
  /** Asks again for pages that were answered before. */
  fresh: z.boolean().default(false),
  /** Sends nothing and answers with what would be sent. */
  dryRun: z.boolean().default(false),
});

export type ReviewRunRequest = z.output<typeof reviewRunRequest>;
