import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ContextLevel,
  contextLevels,
  type ExtraRequest,
  levelRank,
  requestTypes,
} from './context-need.js';
import { fusePlan } from './fuse-plan.js';

const unit = (over: Record<string, unknown> = {}) => ({
  unit_id: 'unit_a',
  tags: [] as string[],
  rule_context_level: 'function' as ContextLevel,
  rule_confidence: 0.6,
  rule_extra_requests: [] as ExtraRequest[],
  ...over,
});
const row = (over: Record<string, unknown> = {}) => ({
  unit_id: 'unit_a',
  llm_context_level: 'function',
  ...over,
});
const fuseOne = (
  over: Record<string, unknown>,
  answer: Record<string, unknown> | undefined,
  protect?: 'strict' | 'risk',
) => {
  const fused = fusePlan({ units: [unit(over)] }, answer && { plan: [row(answer)] }, { protect });
  return { ...fused.plan[0]!, warnings: fused.warnings };
};

const level = fc.constantFrom(...contextLevels);
const confidence = fc.oneof(
  fc.constantFrom(0, 0.29, 0.3, 0.300001, 0.49, 0.5, 0.51, 0.79, 0.8, 0.81, 1),
  fc.double({ min: 0, max: 1, noNaN: true }),
);

describe('fusion', () => {
  it('follows the table for every level, confidence and boundary [fuse.table]', () => {
    const reached = { high: 0, middle: 0, low: 0 };
    fc.assert(
      fc.property(level, level, confidence, (rule, llm, sure) => {
        const { final_context_level: final } = fuseOne(
          { rule_context_level: rule, rule_confidence: sure },
          { llm_context_level: llm },
        );
        if (sure <= 0.3) {
          reached.low += 1;
          expect(final).toBe(llm);
        } else {
          reached[sure >= 0.8 ? 'high' : 'middle'] += 1;
          expect(levelRank(final)).toBe(Math.max(levelRank(rule), levelRank(llm)));
        }
      }),
      { numRuns: 500 },
    );
    expect(Math.min(...Object.values(reached))).toBeGreaterThan(30);
  });

  it.each([undefined, null, 'huge', 3])(
    'lets the rule stand where the model says %s [fuse.table]',
    (said) => {
      const fused = fuseOne({ rule_confidence: 0.1 }, { llm_context_level: said });
      expect(fused).toMatchObject({
        final_context_level: 'function',
        llm_context_level: null,
        decided_by: 'rule',
      });
      expect(fused.warnings.map(({ code }) => code)).toEqual(['LLM_PLAN_UNKNOWN_LEVEL']);
    },
  );

  it.each([
    [0.3, 'low_confidence_llm_decides'],
    [0.31, 'low_confidence_llm_raised'],
    [0.49, 'low_confidence_llm_raised'],
    [0.5, 'medium_confidence_llm_raised'],
    [0.79, 'medium_confidence_llm_raised'],
    [0.8, 'high_confidence_llm_raised'],
  ])('names the band of confidence %s [fuse.table]', (sure, reason) => {
    expect(fuseOne({ rule_confidence: sure }, { llm_context_level: 'full_file' }).reason).toBe(reason);
  });

  it('joins extra requests, the ones of the model first, equal ones once [fuse.table]', () => {
    const { extra_requests } = fuseOne(
      { rule_extra_requests: [{ type: 'callers', symbol: 'open' }, { type: 'previous_version' }] },
      {
        extra_requests: [
          { type: 'search', details: 'retry' },
          { type: 'callers', details: 'open' },
        ],
      },
    );
    expect(extra_requests).toEqual([
      { type: 'search', details: 'retry' },
      { type: 'callers', details: 'open' },
      { type: 'previous_version' },
    ]);
  });

  it.each([
    ['confidence of 0.8', { rule_confidence: 0.8 }, true, false],
    ['confidence below', { rule_confidence: 0.79 }, false, false],
    ['a security tag', { tags: ['security_sensitive'] }, true, true],
    ['a config tag', { tags: ['config_file'] }, true, true],
    ['a routing tag', { tags: ['routing_file'] }, true, true],
    ['a note of high risk', { rule_notes: ['high_risk'] }, true, true],
    ['nothing of that', {}, false, false],
  ])('protects a unit with %s from being skipped [fuse.protect]', (_, over, strict, risk) => {
    for (const [protect, kept] of [
      ['strict', strict],
      ['risk', risk],
    ] as const) {
      const fused = fuseOne(over, { skip_review: true }, protect);
      expect(fused.skip_review).toBe(!kept);
      expect(fused.reason).toBe(kept ? 'high_risk_cannot_skip' : 'llm_skip');
    }
  });

  it('keeps who won and why, and is the same when replayed from JSON [fuse.explain]', () => {
    const anyUnit = fc.record({
      unit_id: fc.constantFrom('unit_a', 'unit_b', 'unit_c'),
      tags: fc.array(fc.constantFrom('config_file', 'function_change')),
      rule_context_level: level,
      rule_confidence: confidence,
      rule_extra_requests: fc.array(fc.record({ type: fc.constantFrom(...requestTypes) })),
      rule_notes: fc.array(fc.constantFrom('high_risk', 'x')),
    });
    const anyAnswer = fc.array(
      fc.record(
        {
          unit_id: fc.constantFrom('unit_a', 'unit_b', 'unit_x'),
          llm_context_level: fc.oneof(level, fc.string()),
          skip_review: fc.boolean(),
          reason: fc.string(),
          extra_requests: fc.array(fc.anything()),
        },
        { requiredKeys: ['unit_id'] },
      ),
    );
    fc.assert(
      fc.property(fc.uniqueArray(anyUnit, { selector: (one) => one.unit_id }), anyAnswer, (units, plan) => {
        const fused = fusePlan({ units }, { plan });
        const replayed = fusePlan(
          JSON.parse(JSON.stringify({ units })),
          JSON.parse(JSON.stringify({ plan })),
        );
        expect(JSON.stringify(replayed)).toBe(JSON.stringify(fused));
        expect(fused.plan.map(({ unit_id }) => unit_id)).toEqual(units.map(({ unit_id }) => unit_id));
        for (const one of fused.plan) {
          expect(one.reason).not.toBe('');
          const winner = {
            rule: one.rule_context_level,
            llm: one.llm_context_level,
            both: one.rule_context_level,
          };
          expect(one.final_context_level).toBe(winner[one.decided_by as keyof typeof winner]);
        }
      }),
    );
  });

  it('drops what the model invented and says how much of it [plan.model]', () => {
    const answer = {
      plan: [
        row({ llm_context_level: 'full_file', extra_requests: [{ type: 'callers' }, { type: 'divine' }, 7] }),
        row({ llm_context_level: 'diff_only' }),
        row({ unit_id: 'unit_none' }),
        'nonsense',
      ],
    };
    const { plan, warnings } = fusePlan({ units: [unit()] }, answer);
    expect(plan[0]).toMatchObject({
      final_context_level: 'full_file',
      extra_requests: [{ type: 'callers' }],
    });
    expect(warnings.map(({ code, details }) => [code, details?.total])).toEqual([
      ['LLM_PLAN_UNKNOWN_REQUEST', 2],
      ['LLM_PLAN_REPEATED_UNIT', 1],
      ['LLM_PLAN_UNKNOWN_UNIT', 1],
      ['LLM_PLAN_ROW_INVALID', 1],
    ]);
  });

  it.each([undefined, null, 'text', {}, { plan: 'x' }])(
    'goes by the rules alone when the model answers %j [plan.model]',
    (answer) => {
      const { plan, warnings } = fusePlan({ units: [unit()] }, answer);
      expect(plan[0]).toMatchObject({
        final_context_level: 'function',
        skip_review: false,
        llm_context_level: null,
      });
      expect(warnings).toHaveLength(answer === undefined || answer === null ? 0 : 1);
    },
  );
});
