// A planner reads the index alone and may let files go; nothing it does or fails to do costs more than a warning.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GalleyError } from '../../src/core/model/error.js';
import { type Line, scriptedModel } from '../../src/testing/scripted-model.js';
import { answerWith, findingOn, type ReviewGround, reviewGround } from './review-ground.js';

let ground: ReviewGround;
beforeAll(() => {
  ground = reviewGround(
    (repository) => {
      repository.write('docs/notes.md', '# Notes\n\nA word of the notes, changed.\n');
      repository.write(
        'src/auth/login.ts',
        'export function login(password: string) {\n  return password;\n}\n',
      );
    },
    (repository) => {
      repository.write('docs/notes.md', '# Notes\n\nA word of the notes.\n');
      repository.write('src/auth/login.ts', 'export function login() {\n  return 1;\n}\n');
    },
  );
});
afterAll(() => ground.repository.dispose());

interface IndexRow {
  readonly unit_id: string;
  readonly file_path: string;
}
const unitsIn = (prompt: string): IndexRow[] =>
  JSON.parse(prompt.slice(prompt.indexOf('{'), prompt.lastIndexOf('}') + 1)).units;
const skipping =
  (pick: (unit: IndexRow) => boolean): Line =>
  async ({ prompt }) =>
    JSON.stringify({
      plan: unitsIn(prompt)
        .filter(pick)
        .map(({ unit_id }) => ({
          unit_id,
          llm_context_level: 'diff_only',
          extra_requests: [],
          skip_review: true,
          reason: 'not worth it',
        })),
    });
let turn = 0;
const review = async (planner: Line, request: object = {}) => {
  turn += 1;
  const planning = scriptedModel([planner], `test/planner-${turn}`);
  const reviewing = scriptedModel([answerWith(findingOn('src/auth/login.ts'))], `test/reviewer-${turn}`);
  const model = async (name?: string) => (name === 'test/planner' ? planning : reviewing);
  const ask = () => ground.run(reviewing, { planModel: 'test/planner', ...request }, { model });
  return { result: await ask(), planning, reviewing, ask };
};

describe('the planner', () => {
  it('reads the index and no line of the change, and lets a file go [plan.model]', async () => {
    const { result, planning, reviewing } = await review(
      skipping(({ file_path }) => file_path.startsWith('docs/')),
      { protect: 'risk' },
    );
    expect(planning.requests[0]?.prompt).toContain('src/auth/login.ts');
    expect(JSON.stringify(planning.requests)).not.toContain('A word of the notes');
    expect(reviewing.requests[0]?.prompt).not.toContain('docs/notes.md');
    expect(result.omitted).toEqual([
      { path: 'docs/notes.md', reason: 'skipped by the planner', rule: 'planner', added: 1, removed: 1 },
    ]);
    expect(result.coverage).toContain('1 skipped by the planner (+1 -1)');
    expect(result.complete).toBe(true);
    expect(result.plan?.some(({ reason }) => reason === 'llm_skip')).toBe(true);
    expect(result.runs.map(({ page }) => page)).toEqual([undefined, 1]);
  });

  it('cannot let go what the rules protect', async () => {
    const { result, reviewing } = await review(skipping(() => true));
    expect(reviewing.requests[0]?.prompt).toContain('src/auth/login.ts');
    expect(result.plan?.some(({ reason }) => reason === 'high_risk_cannot_skip')).toBe(true);
  });

  it.each<[string, Line, string]>([
    ['prose', 'I would rather not plan today.', 'its answer is no plan'],
    ['nothing', '', 'its answer is no plan'],
    ['half a plan', '{"plan":', 'its answer is no plan'],
    ['a failure', () => Promise.reject(new GalleyError('MODEL_UNAVAILABLE', 'Away.')), 'MODEL_UNAVAILABLE'],
    ['a refusal', () => Promise.reject(new GalleyError('MODEL_REFUSED', 'No.')), 'MODEL_REFUSED'],
    ['a timeout', () => Promise.reject(new GalleyError('TIMEOUT', 'Late.')), 'TIMEOUT'],
    ["a stranger's error", () => Promise.reject(new TypeError('x')), 'MODEL_UNAVAILABLE'],
  ])(
    'that answers with %s costs a warning, and the rules decide alone [plan.model]',
    async (_, line, reason) => {
      const { result, reviewing } = await review(line);
      expect(result.warnings).toMatchObject([{ code: 'PLANNER_FAILED', details: { reason } }]);
      expect(result).toMatchObject({ complete: true, omitted: [] });
      expect(reviewing.requests[0]?.prompt).toContain('docs/notes.md');
    },
  );

  it('names units that do not exist: they are dropped with a warning [plan.model]', async () => {
    const line = JSON.stringify({ plan: [{ unit_id: 'nowhere', skip_review: true }, { unit_id: 7 }, 'x'] });
    const { result } = await review(line);
    expect(result.warnings.map(({ code }) => code)).toEqual([
      'LLM_PLAN_UNKNOWN_UNIT',
      'LLM_PLAN_ROW_INVALID',
    ]);
  });

  it('is not asked twice about the same change', async () => {
    const { planning, reviewing, ask } = await review(
      skipping(({ file_path }) => file_path.startsWith('docs/')),
      { protect: 'risk' },
    );
    const again = await ask();
    expect(planning.requests).toHaveLength(1);
    expect(reviewing.requests).toHaveLength(1);
    expect(again.omitted).toHaveLength(1);
  });

  it('is the reviewing model when no other is named', async () => {
    const model = scriptedModel([skipping(() => false), answerWith()], 'test/both');
    await ground.run(model, { planner: true });
    expect(model.requests).toHaveLength(2);
  });
});
