import * as z from 'zod';
import type { JudgedText } from '../../writing/skill-run/judge-text.js';
import { answer } from './answer.js';
import { noun } from './noun.js';
import { count } from './numbers.js';

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

export const judgedText = answer<JudgedText>()(z.strictObject(judgement));
