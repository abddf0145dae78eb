// Rules of a project beside the built-in ones: where the two disagree, the project has the last word.
import { afterEach, describe, expect, it } from 'vitest';
import { type ScratchRepository, scratchRepository } from '../../src/git/testing/scratch-repository.js';
import { reviewRequest } from '../../src/review/change/review-request.js';
import { reviewPlan } from '../../src/review/plan/plan-review.js';

describe('a rule of the project', () => {
  let repository: ScratchRepository;
  afterEach(() => repository.dispose());

  /** What is planned for a comment that changed, which a built-in rule settles. */
  async function planned(...rules: object[]) {
    repository = scratchRepository();
    repository.write('galley.config.json', JSON.stringify({ rules }));
    repository.write('pay/run.ts', 'export function run(a: number) {\n  // one\n  return a;\n}\n');
    repository.commit('before');
    repository.write('pay/run.ts', 'export function run(a: number) {\n  // two\n  return a;\n}\n');
    const commit = repository.commit('after');
    const { plan, planner_index } = await reviewPlan(reviewRequest.parse({ mode: 'commit', commit }), {
      folder: repository.folder,
    });
    const [unit] = planner_index.units;
    return {
      level: plan[0]?.final_context_level,
      tags: unit?.tags,
      asks: plan[0]?.extra_requests.map(({ type }) => type),
    };
  }
  const paths = ['pay/**'];

  it('has its level where a built-in rule settles another [R25]', async () => {
    const own = {
      id: 'payments',
      tags: ['payments'],
      level: 'file_context',
      confidence: 0.9,
      when: { paths },
    };
    expect(await planned(own)).toMatchObject({ level: 'file_context', tags: ['comment_only', 'payments'] });
  });

  it('that only adds a tag or a request leaves what is settled, and is heard [R25]', async () => {
    const own = { id: 'payments', tags: ['payments'], extra_requests: ['previous_version'], when: { paths } };
    expect(await planned(own)).toEqual({
      level: 'diff_only',
      tags: ['comment_only', 'payments'],
      asks: ['previous_version'],
    });
  });

  it('that settles has the last word among all of them [R25]', async () => {
    const own = { id: 'payments', tags: ['payments'], level: 'function', settles: true, when: { paths } };
    const other = { id: 'all', tags: ['all'], level: 'full_file', when: {} };
    expect(await planned(own, other)).toMatchObject({ level: 'function' });
  });

  it('leaves the others alone where it does not hold [R25]', async () => {
    const own = { id: 'payments', tags: ['payments'], level: 'file_context', when: { paths: ['other/**'] } };
    expect(await planned(own)).toMatchObject({ level: 'diff_only', tags: ['comment_only'] });
  });
});
