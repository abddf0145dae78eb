// Who decides how much context a unit gets: the rules, the model, or the higher of both, by the confidence of the rules.
// Pure: the same index and the same model answer give the same plan, without a repository.
import * as z from 'zod';
import type { Warning } from '../../core/model/error.js';
import {
  type ContextLevel,
  type ExtraRequest,
  extraRequestSchema,
  higherLevel,
  isContextLevel,
  levelRank,
  uniqueRequests,
} from './context-need.js';
import type { IndexUnit } from './planner-index.js';

const thresholds = { high: 0.8, medium: 0.5, low: 0.3 } as const;

const highRiskTags: ReadonlySet<string> = new Set([
  'security_sensitive',
  'near_security',
  'config_file',
  'routing_file',
]);

export type Protection = 'strict' | 'risk';

export interface PlanRow {
  readonly unit_id: string;
  readonly rule_context_level: ContextLevel;
  readonly rule_confidence: number;
  readonly llm_context_level: ContextLevel | null;
  readonly final_context_level: ContextLevel;
  readonly extra_requests: readonly ExtraRequest[];
  readonly skip_review: boolean;
  readonly reason: string;
  /** Whose level stands; `both` when they agree, `request` where the caller named it. */
  readonly decided_by: 'rule' | 'llm' | 'both' | 'request';
  readonly llm_reason?: string;
}

/** An index whose units may carry their notes, as the planner's own index does not. */
interface FusableIndex {
  readonly units: readonly (Pick<
    IndexUnit,
    'unit_id' | 'tags' | 'rule_context_level' | 'rule_confidence' | 'rule_extra_requests'
  > & { readonly rule_notes?: readonly string[] })[];
}

export interface FusedPlan {
  readonly plan: readonly PlanRow[];
  readonly warnings: readonly Warning[];
}

export function fusePlan(
  index: FusableIndex,
  llmPlan: unknown,
  options: { readonly protect?: Protection | undefined } = {},
): FusedPlan {
  const known = new Set(index.units.map(({ unit_id }) => unit_id));
  const { choices, warnings } = readLlmPlan(llmPlan, known);
  const protect = options.protect ?? 'strict';
  return {
    plan: index.units.map((unit) => fuseUnit(unit, choices.get(unit.unit_id), protect)),
    warnings,
  };
}

type FusableUnit = FusableIndex['units'][number];

function fuseUnit(unit: FusableUnit, choice: LlmChoice | undefined, protect: Protection): PlanRow {
  const { rule_context_level: rule, rule_confidence: confidence } = unit;
  const llm = choice?.level;
  const level = fuseLevel(rule, confidence, llm);
  const kept = choice?.skip === true && isHighRisk(unit, protect);
  const skip = choice?.skip === true && !kept;
  return {
    unit_id: unit.unit_id,
    rule_context_level: rule,
    rule_confidence: confidence,
    llm_context_level: llm ?? null,
    final_context_level: level,
    extra_requests: uniqueRequests([...(choice?.extraRequests ?? []), ...unit.rule_extra_requests]),
    skip_review: skip,
    reason: kept ? 'high_risk_cannot_skip' : skip ? 'llm_skip' : reasonOf(rule, confidence, llm),
    decided_by: llm === rule ? 'both' : level === llm ? 'llm' : 'rule',
    ...(choice?.reason === undefined ? {} : { llm_reason: choice.reason }),
  };
}

function fuseLevel(rule: ContextLevel, confidence: number, llm: ContextLevel | undefined): ContextLevel {
  if (llm === undefined) return rule;
  return confidence <= thresholds.low ? llm : higherLevel(rule, llm);
}

function isHighRisk(unit: FusableUnit, protect: Protection): boolean {
  if (protect === 'strict' && unit.rule_confidence >= thresholds.high) return true;
  if (unit.tags.some((tag) => highRiskTags.has(tag))) return true;
  return unit.rule_notes?.includes('high_risk') === true;
}

function reasonOf(rule: ContextLevel, confidence: number, llm: ContextLevel | undefined): string {
  const band = bandOf(confidence);
  if (llm === undefined) return `${band}_confidence_rule_alone`;
  if (llm === rule) return `${band}_confidence_agreed`;
  if (confidence <= thresholds.low) return `${band}_confidence_llm_decides`;
  return levelRank(llm) > levelRank(rule)
    ? `${band}_confidence_llm_raised`
    : `${band}_confidence_rule_stands`;
}

function bandOf(confidence: number): 'high' | 'medium' | 'low' {
  if (confidence >= thresholds.high) return 'high';
  return confidence >= thresholds.medium ? 'medium' : 'low';
}

interface LlmChoice {
  readonly level: ContextLevel | undefined;
  readonly extraRequests: readonly ExtraRequest[];
  readonly skip: boolean;
  readonly reason: string | undefined;
}

interface LlmPlan {
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

/** A model's plan as far as it can be used: what it names that does not exist is dropped with a warning. */
function readLlmPlan(answer: unknown, unitIds: ReadonlySet<string>): LlmPlan {
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
