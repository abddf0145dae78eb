// A model's plan as far as it can be used: what it names that does not exist is dropped with a warning, the rest stands.
import * as z from 'zod';
import type { Warning } from '../../core/model/error.js';
import { type ContextLevel, isContextLevel } from './context-level.js';
import { type ExtraRequest, extraRequestSchema, uniqueRequests } from './extra-request.js';

export interface LlmChoice {
  readonly level: ContextLevel | undefined;
  readonly extraRequests: readonly ExtraRequest[];
  readonly skip: boolean;
  readonly reason: string | undefined;
}

export interface LlmPlan {
  readonly choices: ReadonlyMap<string, LlmChoice>;
  readonly warnings: readonly Warning[];
}

const planShape = z.looseObject({ plan: z.array(z.unknown()).max(100_000) });
const rowShape = z.looseObject({
  unit_id: z.string().max(200),
  llm_context_level: z.unknown().optional(),
  extra_requests: z.unknown().optional(),
  skip_review: z.unknown().optional(),
  reason: z.unknown().optional(),
});

const longestReason = 1000;

export function readLlmPlan(answer: unknown, unitIds: ReadonlySet<string>): LlmPlan {
  const choices = new Map<string, LlmChoice>();
  const problems = new Map<string, number>();
  const complain = (code: string): void => {
    problems.set(code, (problems.get(code) ?? 0) + 1);
  };
  const parsed = answer === undefined || answer === null ? undefined : planShape.safeParse(answer);
  if (parsed?.success === false) complain('LLM_PLAN_INVALID');
  for (const item of parsed?.data?.plan ?? []) {
    const row = rowShape.safeParse(item);
    if (!row.success) complain('LLM_PLAN_ROW_INVALID');
    else if (!unitIds.has(row.data.unit_id)) complain('LLM_PLAN_UNKNOWN_UNIT');
    else if (choices.has(row.data.unit_id)) complain('LLM_PLAN_REPEATED_UNIT');
    else choices.set(row.data.unit_id, readRow(row.data, complain));
  }
  return { choices, warnings: [...problems].map(([code, total]) => warning(code, total)) };
}

function readRow(row: z.infer<typeof rowShape>, complain: (code: string) => void): LlmChoice {
  const { llm_context_level: level, skip_review: skip, reason, extra_requests: asked } = row;
  if (!isContextLevel(level)) complain('LLM_PLAN_UNKNOWN_LEVEL');
  const absent = (value: unknown) => value === undefined || value === null;
  if (!absent(skip) && typeof skip !== 'boolean') complain('LLM_PLAN_ROW_INVALID');
  if (!absent(asked) && !Array.isArray(asked)) complain('LLM_PLAN_UNKNOWN_REQUEST');
  const requests: ExtraRequest[] = [];
  for (const item of Array.isArray(asked) ? asked : []) {
    const request = extraRequestSchema.safeParse(item);
    if (request.success) requests.push(request.data);
    else complain('LLM_PLAN_UNKNOWN_REQUEST');
  }
  return {
    level: isContextLevel(level) ? level : undefined,
    extraRequests: uniqueRequests(requests),
    skip: skip === true,
    reason: typeof reason === 'string' && reason !== '' ? reason.slice(0, longestReason) : undefined,
  };
}

const messages: Readonly<Record<string, string>> = {
  LLM_PLAN_INVALID: 'The plan of the model is no object with a list "plan"; the rules decide alone.',
  LLM_PLAN_ROW_INVALID:
    'rows of the model plan do not have the expected fields; what is wrong in them was dropped.',
  LLM_PLAN_UNKNOWN_UNIT: 'rows of the model plan name no unit of this change and were dropped.',
  LLM_PLAN_REPEATED_UNIT: 'rows of the model plan repeat a unit; the first of each counts.',
  LLM_PLAN_UNKNOWN_LEVEL: 'rows of the model plan name no known context level; the rule stands there.',
  LLM_PLAN_UNKNOWN_REQUEST: 'extra requests of the model plan are not known and were dropped.',
};

function warning(code: string, total: number): Warning {
  const message = messages[code] ?? '';
  return {
    code,
    message: code === 'LLM_PLAN_INVALID' ? message : `${total} ${message}`,
    details: { total },
  };
}
