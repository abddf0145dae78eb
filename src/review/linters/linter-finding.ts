// One finding of a linter, whatever its format: where, how bad, which rule, what it says. Of a foreign file only the fields we use
// are looked at, and only their types are trusted.
import * as z from 'zod';
import { GalleyError } from '../../core/model/error.js';

export type LinterSeverity = 'error' | 'warning' | 'info';

export interface LinterFinding {
  /** As the linter wrote it; made project-relative later. */
  readonly path: string;
  /** One-based; absent when the finding is about the whole file. */
  readonly line?: number;
  readonly endLine?: number;
  readonly severity: LinterSeverity;
  readonly rule?: string;
  readonly message: string;
  readonly tool?: string;
}

export function linterSeverity(word: unknown): LinterSeverity {
  const text = String(word ?? '').toLowerCase();
  if (/^(error|fatal|critical|high|2)$/.test(text)) return 'error';
  if (/^(info|note|hint|style|low|information|none|suggestion)$/.test(text)) return 'info';
  return 'warning';
}

export function readJson(text: string, format: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (cause) {
    throw malformedFile(format, 'it is not valid JSON', cause);
  }
}

export function shaped<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  format: string,
): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const field = parsed.error.issues[0]?.path.join('.') || 'the top level';
  throw malformedFile(format, `${field.slice(0, 120)} is not as the format has it`);
}

export function malformedFile(format: string, problem: string, cause?: unknown): GalleyError {
  return new GalleyError('INVALID_ARGUMENT', `linter: the file is not ${format}: ${problem}.`, {
    details: { field: 'linter', format },
    cause,
  });
}

export const lineNumber = z.number().int().min(0).nullish();
export const optionalText = z.string().nullish();
