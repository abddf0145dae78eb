// What a unit may need beside its diff: a level of its surroundings, and requests that go beyond the file.
import * as z from 'zod';
import { textField } from '../../core/model/input.js';

export const contextLevels = ['diff_only', 'function', 'file_context', 'full_file'] as const;

export type ContextLevel = (typeof contextLevels)[number];

export function levelRank(level: ContextLevel): number {
  return contextLevels.indexOf(level);
}

export function isContextLevel(value: unknown): value is ContextLevel {
  return contextLevels.some((level) => level === value);
}

export function higherLevel(left: ContextLevel, right: ContextLevel): ContextLevel {
  return levelRank(right) > levelRank(left) ? right : left;
}

export const requestTypes = [
  'previous_version',
  'callers',
  'search',
  'search_callers',
  'search_config_usage',
  'search_implementations',
  'search_model_usage',
  'search_class_methods',
] as const;

export type RequestType = (typeof requestTypes)[number];

const words = textField(500);

/** Planners write `details`; it stands for whatever the request needs. */
export const extraRequestSchema = z.strictObject({
  type: z.enum(requestTypes),
  symbol: words.optional(),
  keyword: words.optional(),
  text: words.optional(),
  details: words.optional(),
});

export interface ExtraRequest {
  readonly type: RequestType;
  readonly symbol?: string | undefined;
  readonly keyword?: string | undefined;
  readonly text?: string | undefined;
  readonly details?: string | undefined;
}

/** The word a request is about, whichever field carries it. */
export function requestSubject(request: ExtraRequest): string | undefined {
  const said = request.symbol ?? request.keyword ?? request.text ?? request.details;
  const subject = said?.trim();
  return subject === '' ? undefined : subject;
}

/** In order, the first of equals stays. */
export function uniqueRequests(requests: readonly ExtraRequest[]): ExtraRequest[] {
  const seen = new Set<string>();
  return requests.filter((request) => {
    const key = `${request.type}\n${requestSubject(request) ?? ''}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
