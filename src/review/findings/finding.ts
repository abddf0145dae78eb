// What a reviewer says about a change: one place, one remark, and the code it quotes as evidence.
import * as z from 'zod';
import { isProjectRelative } from '../../core/model/fragment.js';
import { textField } from '../../core/model/input.js';
import { severities } from './severity.js';

/** In UTF-16 code units; a finding is a remark, not a document. */
export const findingLimits = {
  path: 4096,
  category: 60,
  title: 200,
  message: 8000,
  evidence: 4000,
  replacement: 20_000,
  line: 2_147_483_647,
} as const;

const line = z.int().min(1).max(findingLimits.line);

export const suggestionSchema = z
  .strictObject({
    /** Whole lines without the last line end; empty text deletes them. */
    replacement: textField(findingLimits.replacement),
    startLine: line,
    endLine: line,
  })
  .refine(({ startLine, endLine }) => startLine <= endLine, { error: 'ends before it starts' });

export const findingSchema = z
  .strictObject({
    /** Derived from path, category and quoted code: the same remark keeps it across pushes. */
    id: z.string().min(1).max(80),
    path: textField(findingLimits.path).refine(isProjectRelative, { error: 'is not a path in the project' }),
    side: z.enum(['new', 'old']),
    /** One-based and inclusive; 0 for both when no line was named. */
    startLine: z.int().min(0).max(findingLimits.line),
    endLine: z.int().min(0).max(findingLimits.line),
    severity: z.enum(severities),
    category: z.string().min(1).max(findingLimits.category),
    confidence: z.number().min(0).max(1),
    title: textField(findingLimits.title).min(1),
    message: textField(findingLimits.message).min(1),
    /** Quoted code; empty when nothing was quoted. */
    evidence: textField(findingLimits.evidence),
    suggestion: suggestionSchema.optional(),
  })
  .refine(({ startLine, endLine }) => startLine <= endLine && (startLine > 0 || endLine === 0), {
    error: 'ends before it starts',
  });

export type Suggestion = Readonly<z.output<typeof suggestionSchema>>;
export type Finding = Readonly<z.output<typeof findingSchema>>;
export type Side = Finding['side'];
export type FindingDraft = Omit<Finding, 'id'>;
