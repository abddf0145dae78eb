// What a reviewer says about a change: one place, one remark, and the code it quotes as evidence; how bad it is, in which order
// findings stand, and the form in which a model is asked for one.
import * as z from 'zod';
import { byCodePoint } from '../../core/model/code-points.js';
import { isProjectRelative } from '../../core/model/fragment.js';
import { textField } from '../../core/model/input.js';

/** Worst first: the order of this list is the order of every report. */
export const severities = ['critical', 'high', 'medium', 'low', 'info'] as const;

export type Severity = (typeof severities)[number];

/** 0 is the worst. */
export function severityRank(severity: Severity): number {
  return severities.indexOf(severity);
}

export function isAtLeast(severity: Severity, level: Severity): boolean {
  return severityRank(severity) <= severityRank(level);
}

/** In UTF-16 code units; a finding is a remark, not a document. */
export const findingLimits = {
  path: 4096,
  category: 60,
  title: 200,
  message: 8000,
  evidence: 4000,
  replacement: 20_000,
  remedy: 4000,
  line: 2_147_483_647,
} as const;

const line = z.int().min(1).max(findingLimits.line);

const suggestionSchema = z
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
    /** What was suggested and cannot be committed as it stands: to be read, not to be applied. */
    remedy: textField(findingLimits.remedy).optional(),
  })
  .refine(({ startLine, endLine }) => startLine <= endLine && (startLine > 0 || endLine === 0), {
    error: 'ends before it starts',
  });

export type Suggestion = Readonly<z.output<typeof suggestionSchema>>;
export type ReviewFinding = Readonly<z.output<typeof findingSchema>>;
export type FindingSide = ReviewFinding['side'];
export type FindingDraft = Omit<ReviewFinding, 'id'>;

/** Worst, surest, then where they stand. Total, so that arrival order never shows. */
export function compareFindings(left: ReviewFinding, right: ReviewFinding): number {
  return (
    severityRank(left.severity) - severityRank(right.severity) ||
    right.confidence - left.confidence ||
    byCodePoint(left.path, right.path) ||
    left.startLine - right.startLine ||
    left.endLine - right.endLine ||
    byCodePoint(left.side, right.side) ||
    byCodePoint(left.category, right.category) ||
    byCodePoint(left.title, right.title) ||
    byCodePoint(left.message, right.message) ||
    byCodePoint(left.evidence, right.evidence) ||
    byCodePoint(left.suggestion?.replacement ?? '', right.suggestion?.replacement ?? '') ||
    byCodePoint(left.id, right.id)
  );
}

const answeredLine = z.int().min(1);

/** What a model is asked to answer: the reader takes much more, but this is the form that needs no repair. */
export const answeredFindingSchema = z.strictObject({
  path: z.string().min(1).describe('Path of the file as the diff names it'),
  side: z.enum(['new', 'old']).describe('old only for removed lines'),
  startLine: answeredLine,
  endLine: answeredLine,
  severity: z.enum(severities),
  category: z.string().min(1).describe('One or two words, for example: correctness, security, concurrency'),
  confidence: z.number().min(0).max(1),
  title: z.string().min(1).describe('One line'),
  message: z.string().min(1).describe('What is wrong, why it matters, what to do'),
  evidence: z.string().describe('The code in question, quoted exactly, without diff signs'),
  suggestion: z
    .strictObject({
      replacement: z.string().describe('Replaces startLine to endLine completely'),
      startLine: answeredLine,
      endLine: answeredLine,
    })
    .optional(),
});
