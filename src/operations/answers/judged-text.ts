import * as z from 'zod';
import type { JudgedText } from '../../writing/judge/judge-project.js';
import type { ModelJudgement } from '../../writing/judge/model-judge.js';
import { answer } from './answer.js';
import { noun } from './noun.js';
import { count } from './numbers.js';
import { receipt, runRecords } from './receipt.js';
import { warnings } from './warning.js';

const broken = noun(
  'BrokenConstraint',
  z.strictObject({
    constraintId: z.string(),
    check: z.enum([
      'forbidden-punctuation',
      'forbidden-words',
      'narrative-person',
      'name-variants',
      'early-fact',
      'length',
      'model',
    ]),
    start: count.describe('in code points'),
    end: count,
    evidence: z.string().describe('the text between start and end'),
    message: z.string(),
  }),
);

export const judgement = {
  findings: z.array(broken),
  unchecked: z.array(z.string()).describe('ids of constraints that no check covers'),
};

export interface JudgedAnswer extends JudgedText, Partial<Omit<ModelJudgement, 'findings'>> {}

export const judgedText = answer<JudgedAnswer>()(
  z.strictObject({
    ...judgement,
    warnings: warnings.optional().describe('of the model judge'),
    runs: runRecords.optional().describe('one for every call of the model judge'),
    receipts: z.array(receipt).optional().describe('of what the model judge was sent'),
  }),
);
