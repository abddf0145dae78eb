// The form of an answer about a page, the same for every message of its conversation: another one would cost the provider's cache.
// Beside the findings it has a summary, what the reviewer asks for, and what it makes of findings it is shown again.
import * as z from 'zod';
import { answerSchema } from '../../models/contract/answer-schema.js';
import type { AnswerShape } from '../../models/contract/model.js';
import { requestTypes } from '../plan/context-need.js';
import { answeredFindingSchema } from './finding.js';

export const answeredRequest = z.strictObject({
  type: z.enum(requestTypes),
  unit: z.string().describe('Id of the unit it is about, as the page names it'),
  details: z
    .string()
    .describe('The symbol, the setting or the words to look for; empty for previous_version'),
});

const answeredVerdict = z.strictObject({
  finding: z.int().min(1).describe('Its number in the list you were shown'),
  verdict: z.enum(['confirmed', 'refuted']),
  reason: z.string().describe('One sentence'),
});

const form = z.strictObject({
  summary: z
    .string()
    .describe(
      'At most three short sentences for somebody who has not read the page: what it changes, what is risky',
    ),
  findings: z.array(answeredFindingSchema),
  requests: z.array(answeredRequest).optional().describe('Only what you cannot judge without'),
  verdicts: z.array(answeredVerdict).optional().describe('Only when you are shown findings again'),
});

/** `asks`: whether the reviewer may ask for more. */
export function findingsForm({ asks }: { readonly asks: boolean }) {
  return asks ? form : form.omit({ requests: true });
}

const shapes = new Map<boolean, AnswerShape>();

export function findingsShape({ asks }: { readonly asks: boolean }): AnswerShape {
  const shape = shapes.get(asks) ?? { name: 'review_findings', schema: answerSchema(findingsForm({ asks })) };
  shapes.set(asks, shape);
  return shape;
}

/** Of a model that only judges findings of another. */
export const verdictsShape: AnswerShape = {
  name: 'review_verdicts',
  schema: answerSchema(z.strictObject({ verdicts: z.array(answeredVerdict) })),
};
