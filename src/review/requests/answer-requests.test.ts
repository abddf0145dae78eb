import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ScratchRepository, scratchRepository } from '../../git/testing/scratch-repository.js';
import { reviewRequest } from '../change/review-request.js';
import { reviewBundles } from '../context/review-bundles.js';

let repository: ScratchRepository;

beforeAll(() => {
  repository = scratchRepository();
  const users = Array.from(
    { length: 12 },
    (_, n) => `export function own${n}() {\n  return rate(${n});\n}\n`,
  );
  const home = (result: string) =>
    `export function rate(n: number) {\n  return ${result};\n}\n\n${users.join('\n')}`;
  repository.write('src/rate.ts', home('n'));
  for (const name of ['cart', 'bill', 'quote'])
    repository.write(
      `src/${name}.ts`,
      `import { rate } from './rate';\n\nexport function ${name}() {\n  return rate(1);\n}\n`,
    );
  repository.commit('rates');
  repository.write('src/rate.ts', home('n + 1'));
  repository.commit('dearer');
});
afterAll(() => repository.dispose());

describe('answers to requests', () => {
  it('show callers in other files first, and a symbol asked for in two ways once [R10]', async () => {
    const ask = (over: object = {}) =>
      reviewBundles(reviewRequest.parse({ repo: repository.folder, mode: 'commit', ...over }), {
        folder: '/',
      });
    const unit = (await ask()).bundles[0]!;
    const extra_requests = [{ type: 'callers' }, { type: 'search_callers', details: 'rate' }];
    const plan = [{ unit_id: unit.unit_id, llm_context_level: 'function', extra_requests }];
    const { bundles } = await ask({ llm_plan: { plan } });
    const { callers, requests } = bundles[0]!;
    expect(callers.slice(0, 3).map(({ path }) => path)).toEqual([
      'src/bill.ts',
      'src/cart.ts',
      'src/quote.ts',
    ]);
    const places = callers.map(({ path, line }) => `${path}:${line}`);
    expect(new Set(places).size).toBe(places.length);
    // The other five callers, and the three imports that only a search for uses finds.
    expect(requests.map(({ shown }) => shown)).toEqual([10, 8]);
  });
});
