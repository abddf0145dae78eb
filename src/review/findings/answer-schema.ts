// What a reviewer model is asked to answer. The reader takes much more, but this is the form that needs no repair.
import * as z from 'zod';
import { severities } from './severity.js';

const line = z.int().min(1);

export const answeredFindingSchema = z.strictObject({
  path: z.string().min(1).describe('Path of the file as the diff names it'),
  side: z.enum(['new', 'old']).describe('old only for removed lines'),
  startLine: line,
  endLine: line,
  severity: z.enum(severities),
  category: z.string().min(1).describe('One or two words, for example: correctness, security, concurrency'),
  confidence: z.number().min(0).max(1),
  title: z.string().min(1).describe('One line'),
  message: z.string().min(1).describe('What is wrong, why it matters, what to do'),
  evidence: z.string().describe('The code in question, quoted exactly, without diff signs'),
  suggestion: z
    .strictObject({
      replacement: z.string().describe('Replaces startLine to endLine completely'),
      startLine: line,
      endLine: line,
    })
    .optional(),
});

export const answerSchema = z.strictObject({ findings: z.array(answeredFindingSchema) });
