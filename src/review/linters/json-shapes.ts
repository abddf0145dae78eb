// Parsing foreign JSON: only the fields we use are looked at, and only their types are trusted.
import * as z from 'zod';
import { GalleyError } from '../../core/model/error.js';

export function readJson(text: string, format: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (cause) {
    throw malformed(format, 'it is not valid JSON', cause);
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
  throw malformed(format, `${field.slice(0, 120)} is not as the format has it`);
}

export function malformed(format: string, problem: string, cause?: unknown): GalleyError {
  return new GalleyError('INVALID_ARGUMENT', `linter: the file is not ${format}: ${problem}.`, {
    details: { field: 'linter', format },
    cause,
  });
}

export const lineNumber = z.number().int().min(0).nullish();
export const words = z.string().nullish();
