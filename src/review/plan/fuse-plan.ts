// Who decides how much context a unit gets: the rules, the model, or the higher of both, by the confidence of the rules.
// Pure: the same index and the same model answer give the same plan, without a repository.
import type { Warning } from '../../core/model/error.js';
import { type ContextLevel, higherLevel, levelRank } from './context-level.js';
import { type ExtraRequest, uniqueRequests } from './extra-request.js';
import { type LlmChoice, readLlmPlan } from './llm-plan.js';
import type { IndexUnit } from './planner-index.js';

export const thresholds = { high: 0.8, medium: 0.5, low: 0.3 } as const;

export const highRiskTags: ReadonlySet<string> = new Set([
  'security_sensitive',
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
  /** Whose level stands; `both` when they agree. */
  readonly decided_by: 'rule' | 'llm' | 'both';
  readonly llm_reason?: string;
}

/** An index whose units may carry their notes, as the planner's own index does not. */
export interface FusableIndex {
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

export function fuseLevel(
  rule: ContextLevel,
  confidence: number,
  llm: ContextLevel | undefined,
): ContextLevel {
  if (llm === undefined) return rule;
  return confidence <= thresholds.low ? llm : higherLevel(rule, llm);
}

export function isHighRisk(unit: FusableUnit, protect: Protection): boolean {
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
