// Everything that crosses a door is checked here; a refusal names the field and never quotes what was in it.
import * as z from 'zod';
import { GalleyError } from './error.js';

const megabyte = 1024 * 1024;

/** Well-formed text without NUL, of at most `most` code units. */
export function textField(most = 16 * megabyte) {
  return z
    .string()
    .refine((text) => text.length <= most, {
      error: `is longer than ${most} characters`,
      params: { tooLarge: true },
      abort: true,
    })
    .refine((text) => text.isWellFormed(), { error: 'contains a lone surrogate' })
    .refine((text) => !text.includes('\0'), { error: 'contains a NUL character' });
}

export function parseInput<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = innermost(parsed.error.issues[0]);
  const field = fieldOf(issue);
  const tooLarge = issue?.code === 'custom' && issue.params?.tooLarge === true;
  throw new GalleyError(
    tooLarge ? 'PAYLOAD_TOO_LARGE' : 'INVALID_ARGUMENT',
    `${field}: ${issue === undefined ? 'is not valid' : isMissing(issue, value) ? 'is missing' : describe(issue)}.`,
    { details: { field } },
  );
}

/** Of a field that takes several kinds of value, what is wrong with the kind that was meant. */
function innermost(issue: z.core.$ZodIssue | undefined): z.core.$ZodIssue | undefined {
  if (issue?.code !== 'invalid_union') return issue;
  const meant = issue.errors.find(([first]) => first?.code !== 'invalid_type' || first.path.length > 0)?.[0];
  return meant === undefined ? issue : innermost({ ...meant, path: [...issue.path, ...meant.path] });
}

function fieldOf(issue: z.core.$ZodIssue | undefined): string {
  const path = [...(issue?.path ?? [])];
  if (issue?.code === 'unrecognized_keys' && issue.keys[0] !== undefined) path.push(issue.keys[0]);
  const words = path.map((step) =>
    typeof step === 'number' ? `[${step}]` : `.${String(step).slice(0, 80)}`,
  );
  return words.join('').replace(/^\./, '') || 'request';
}

function isMissing({ code, path }: z.core.$ZodIssue, value: unknown): boolean {
  const found = path.reduce<unknown>((at, step) => (at as Record<PropertyKey, unknown>)?.[step], value);
  return path.length > 0 && found === undefined && ['invalid_type', 'invalid_value'].includes(code);
}

function describe(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'unrecognized_keys':
      return 'is not a known field';
    case 'invalid_type':
      return `must be ${issue.expected === 'int' ? 'a whole number' : `of type ${issue.expected}`}`;
    case 'invalid_value':
      return `must be one of ${issue.values.map((value) => String(value)).join(', ')}`;
    case 'too_small':
      return `must be at least ${issue.minimum}`;
    case 'too_big':
      return `must be at most ${issue.maximum}`;
    default:
      return issue.code === 'custom' ? issue.message : 'is not valid';
  }
}
