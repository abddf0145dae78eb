import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ScratchRepository } from '../../git/testing/scratch-repository.js';
import { charsPerFourMeter } from '../../meters/plain-meters.js';
import { reviewRequest } from '../change/review-request.js';
import { type ContextLevel, contextLevels, levelRank } from '../plan/context-need.js';
import { reviewPlan } from '../plan/plan-review.js';
import type { ContextBundle } from './bundle.js';
import { type BundleAnswer, reviewBundles, snippetText } from './review-bundles.js';
import { findRelated } from './review-related.js';
import { shopRepository } from './testing/shop-repository.js';

let repository: ScratchRepository;
let everyBundle: readonly ContextBundle[];
const ask = (over: Record<string, unknown> = {}) =>
  reviewRequest.parse({ repo: repository.folder, mode: 'commit', meter: 'chars/4', ...over });
const bundlesOf = (over: Record<string, unknown> = {}, limit?: number): Promise<BundleAnswer> =>
  reviewBundles({ ...ask(over), maxDiffChars: limit }, { folder: '/' });
const unitAt = (path: string, name: string) =>
  everyBundle.find(({ meta, diff }) => meta.file_path === path && diff.includes(name))!;

beforeAll(async () => {
  repository = shopRepository();
  everyBundle = (await bundlesOf()).bundles;
});
afterAll(() => repository.dispose());

/** Plans one unit as wanted and leaves the others to the rules. */
async function bundleWith(unit: ContextBundle, level: ContextLevel, extra_requests: unknown[] = []) {
  const row = { unit_id: unit.unit_id, llm_context_level: level, extra_requests };
  const answer = await bundlesOf({ llm_plan: { plan: [row] } });
  return answer.bundles.find(({ unit_id }) => unit_id === unit.unit_id)!;
}

function checkOnce({ bundles }: BundleAnswer): number {
  const seen = new Set<string>();
  for (const { path, side, startLine, endLine } of bundles.flatMap(({ snippets }) => snippets))
    for (let line = startLine; line <= endLine; line += 1) {
      const key = `${side}:${path}:${line}`;
      expect(seen.has(key), key).toBe(false);
      seen.add(key);
    }
  return seen.size;
}

const languages = [
  {
    path: 'web/price.ts',
    price: 'price',
    type: 'Cart',
    typePath: 'web/basket.ts',
    gone: 'discount',
    caller: 'web/checkout.ts',
  },
  {
    path: 'api/price.py',
    price: 'price',
    type: 'Basket',
    typePath: 'api/price.py',
    gone: 'discount',
    caller: 'api/checkout.py',
  },
  {
    path: 'srv/price.go',
    price: 'Price',
    type: 'Basket',
    typePath: 'srv/price.go',
    gone: 'Discount',
    caller: 'srv/checkout.go',
  },
] as const;

describe('bundles', () => {
  it('have the fields of their contract [bundle.shape]', () => {
    const { unit_id: _, ...rest } = unitAt('shop.yaml', 'currency');
    expect(rest).toEqual({
      meta: { file_path: 'shop.yaml', location: 'shop.yaml:L2', tags: ['config_file'] },
      final_context_level: 'full_file',
      extra_requests: [{ type: 'search_config_usage', keyword: 'currency' }],
      diff: '@@ shop.yaml:L2 @@\n shop:\n-  currency: EUR\n+  currency: USD\n   retries: 3\n',
      function_context: null,
      file_context: null,
      full_file: 'shop:\n  currency: USD\n  retries: 3',
      previous_version: null,
      callers: [],
      search_results: [
        {
          type: 'search_config_usage',
          subject: 'currency',
          path: 'web/settings.ts',
          line: 1,
          within: 'currency',
          certainty: 'possible',
        },
      ],
      requests: [{ type: 'search_config_usage', subject: 'currency', total: 1, shown: 1 }],
      snippets: [
        expect.objectContaining({ path: 'web/settings.ts', why: 'possibly reads the setting currency' }),
      ],
    });
  });

  it('cut a diff only when told to, and account for the rest [bundle.shape]', async () => {
    const { bundles, omitted } = await bundlesOf({}, 60);
    expect(omitted.filter(({ rule }) => rule === 'diff-limit').length).toBeGreaterThan(3);
    const changed = (text: string, sign: string) =>
      text.split('\n').filter((line) => line.startsWith(sign)).length;
    const lines = (sign: string, list: readonly ContextBundle[]) =>
      list.reduce((sum, { diff }) => sum + changed(diff, sign), 0);
    const left = (side: 'added' | 'removed') => omitted.reduce((sum, one) => sum + one[side], 0);
    expect(lines('+', bundles) + left('added')).toBe(lines('+', everyBundle));
    expect(lines('-', bundles) + left('removed')).toBe(lines('-', everyBundle));
  });

  it.each(languages)(
    'show the file around the change, or all of it: $path [bundle.levels]',
    async ({ path, price }) => {
      const unit = unitAt(path, `${price}(`);
      const levels = await Promise.all(
        (['file_context', 'full_file'] as const).map((level) => bundleWith(unit, level)),
      );
      expect(levels[0]?.file_context).toContain('base');
      expect(levels[0]?.file_context).toMatch(/import|package/);
      expect(levels[1]?.full_file).toBe(repository.git('show', `HEAD:${path}`));
      for (const bundle of levels) expect(bundle.function_context).toBeNull();
    },
  );

  it.each([
    [
      'deep.ts',
      (n: number) =>
        `export class A {\n  run(key: string): number {\n${'    step();\n'.repeat(20)}    return ${n};\n  }\n}\n`,
    ],
    [
      'deep.py',
      (n: number) =>
        `class A:\n    @wrap\n    def run(self, key):\n${'        step()\n'.repeat(20)}        return ${n}\n\n    def next(self):\n        pass\n`,
    ],
    [
      'deep.go',
      (n: number) =>
        `package p\n\n// Run runs.\nfunc (a *A) Run(key string) int {\n${'\tstep()\n'.repeat(20)}\treturn ${n}\n}\n\nfunc next() {}\n`,
    ],
  ])('show the whole enclosing function with its signature: %s [bundle.levels]', async (path, source) => {
    repository.write(path, source(1));
    repository.commit('one');
    repository.write(path, source(2));
    repository.commit('two');
    const [bundle] = (await bundlesOf()).bundles;
    repository.git('reset', '-q', '--hard', 'HEAD~2');
    expect(bundle?.final_context_level).toBe('function');
    expect(bundle?.function_context).toMatch(/^\s*(?:@wrap|\/\/ Run runs\.|run\(key: string\): number \{)\n/);
    expect(bundle?.function_context?.match(/step\(\)/g)).toHaveLength(20);
    expect(bundle?.function_context).toContain('return 2');
    expect(bundle?.function_context).not.toContain('next');
  });

  it('mark what a large file leaves out [bundle.levels]', async () => {
    const lines = Array.from({ length: 3000 }, (_, at) => `key_${at}: ${at}`);
    repository.write('big.yaml', `${lines.join('\n')}\n`);
    repository.commit('big');
    repository.write('big.yaml', `${lines.with(1500, 'key_1500: changed').join('\n')}\n`);
    repository.commit('change');
    const full = (await bundlesOf()).bundles[0]?.full_file ?? '';
    repository.git('reset', '-q', '--hard', 'HEAD~2');
    expect(full).toMatch(/^key_0: 0\n/);
    expect(full).toContain('key_1500: changed');
    expect(full.endsWith('key_2999: 2999')).toBe(true);
    expect(full.match(/\[… L\d+-L\d+ left out …\]/g)).toHaveLength(2);
  });

  it.each(languages)(
    'find callers, and not namesakes: $path [bundle.requests]',
    ({ path, price, caller }) => {
      const { callers, requests } = unitAt(path, `${price}(`);
      expect(callers.map((one) => [one.path, one.certainty])).toEqual([[caller, 'certain']]);
      expect(requests.find(({ type }) => type === 'callers')).toMatchObject({ total: 1, shown: 1 });
    },
  );

  it.each(languages)(
    'list what still uses a removed symbol: $path [bundle.requests]',
    ({ path, gone, caller }) => {
      const { callers } = unitAt(path, `${gone}(`);
      expect(new Set(callers.map((one) => one.path))).toEqual(new Set([caller]));
    },
  );

  it.each(languages)('give the previous version: $path [bundle.requests]', ({ path, price }) => {
    const before = unitAt(path, `${price}(`).previous_version ?? '';
    expect(before).toContain('base');
    expect(before).not.toContain('tax');
  });

  it.each(languages)(
    'search words, class methods and model usage from details: $path [bundle.requests]',
    async (row) => {
      const bundle = await bundleWith(unitAt(row.path, `${row.price}(`), 'function', [
        { type: 'search', details: 'book' },
        { type: 'search_class_methods', details: row.type },
        { type: 'search_model_usage', symbol: row.type },
      ]);
      const found = (type: string) => bundle.search_results.filter((one) => one.type === type);
      expect(found('search').map(({ path }) => path)).toEqual(expect.arrayContaining([row.caller]));
      expect(found('search_class_methods').map(({ within }) => within?.toLowerCase())).toEqual([
        'add',
        'clear',
      ]);
      expect(found('search_class_methods').every(({ path }) => path === row.typePath)).toBe(true);
      expect(found('search_model_usage').map(({ path }) => path)).toContain(row.caller);
    },
  );

  it('find implementations by heads of classes, and in Go by methods [bundle.requests]', async () => {
    const requestFor = async (path: string, name: string, subject: string) => {
      const request = { type: 'search_implementations', details: subject };
      const { search_results } = await bundleWith(unitAt(path, name), 'function', [request]);
      return search_results.filter(
        ({ type, subject: own }) => type === 'search_implementations' && own === subject,
      );
    };
    expect(await requestFor('web/basket.ts', 'owner', 'Basket')).toMatchObject([{ within: 'Cart' }]);
    expect(await requestFor('api/price.py', 'owner', 'Basket')).toMatchObject([
      { within: 'Gift', certainty: 'certain' },
    ]);
    expect(await requestFor('srv/price.go', 'Owner', 'Store')).toMatchObject([{ within: 'Basket' }]);
  });

  it('call the users of a method possible ones and state their total [bundle.requests]', async () => {
    const unit = unitAt('web/basket.ts', 'owner');
    const { callers, requests } = await bundleWith(unit, 'function', [
      { type: 'callers', details: 'Cart.add()' },
    ]);
    expect(callers.find(({ subject }) => subject === 'add')).toMatchObject({
      path: 'web/checkout.ts',
      certainty: 'possible',
    });
    expect(requests.find(({ subject }) => subject === 'add')).toMatchObject({ total: 1, shown: 1 });
  });

  it('say so when nothing is found [bundle.requests]', async () => {
    const { requests } = await bundleWith(unitAt('shop.yaml', 'currency'), 'diff_only', [
      { type: 'search', details: 'nowhere_to_be_seen' },
      { type: 'search_callers', symbol: 'nobody' },
      { type: 'previous_version' },
    ]);
    expect(requests.slice(0, 2).map(({ total, note }) => [total, note])).toEqual([
      [0, 'Nothing found.'],
      [0, 'Nothing found.'],
    ]);
  });

  it('show no line twice, with and without a budget [bundle.once]', async () => {
    const everything = contextLevels.map((level) =>
      everyBundle.map(({ unit_id }) => ({ unit_id, llm_context_level: level })),
    );
    for (const plan of everything)
      for (const budget of [undefined, { tokens: 300 }, { tokens: 3000 }])
        expect(checkOnce(await bundlesOf({ llm_plan: { plan }, budget }))).toBeGreaterThan(10);
  });

  it('can be read again from path, blob and lines [bundle.fresh]', async () => {
    const answers = [await bundlesOf(), await bundlesOf({ budget: { tokens: 2000 } })];
    for (const { path, side, blob, startLine, endLine, text } of answers.flatMap(({ bundles }) =>
      bundles.flatMap(({ snippets }) => snippets),
    )) {
      const at = side === 'new' ? 'HEAD' : 'HEAD~1';
      expect(repository.git('rev-parse', `${at}:${path}`)).toBe(blob);
      const content = execFileSync('git', ['cat-file', 'blob', blob], {
        cwd: repository.folder,
        encoding: 'utf8',
      });
      expect(
        content
          .split('\n')
          .slice(startLine - 1, endLine)
          .join('\n'),
      ).toBe(text);
    }
  });

  it('rank every snippet of the answer once, from 1 [bundle.once]', async () => {
    const { bundles } = await bundlesOf({ budget: { tokens: 2000 } });
    const ranks = bundles
      .flatMap(({ snippets }) => snippets.map(({ rank }) => rank ?? 0))
      .sort((a, b) => a - b);
    expect(ranks).toEqual(ranks.map((_, at) => at + 1));
  });

  it('step down a level at a time, least risky first, and stay within the budget [bundle.budget]', async () => {
    const plan = everyBundle.map(({ unit_id }) => ({ unit_id, llm_context_level: 'full_file' }));
    const risky = unitAt('shop.yaml', 'currency').unit_id;
    let before: Map<string, number> | undefined;
    const seen = new Set<string>();
    for (const tokens of [4000, 1600, 900, 500, 250, 120, 60, 20, 1]) {
      const { bundles, receipt } = await bundlesOf({ llm_plan: { plan }, budget: { tokens } });
      const text = bundles.flatMap(({ snippets }) => snippets.map(snippetText)).join('');
      expect(Math.ceil(charsPerFourMeter.weigh(text) / charsPerFourMeter.scale)).toBeLessThanOrEqual(tokens);
      expect(receipt.used.n).toBeLessThanOrEqual(tokens);
      const levels = new Map(bundles.map((one) => [one.unit_id, levelRank(one.final_context_level)]));
      for (const level of levels.values()) seen.add(String(level));
      for (const [id, level] of levels) {
        expect(level).toBeLessThanOrEqual(before?.get(id) ?? 3);
        expect(levels.get(risky)).toBeGreaterThanOrEqual(level);
      }
      expect(Math.max(...levels.values()) - Math.min(...levels.values())).toBeLessThanOrEqual(1);
      for (const { diff } of bundles) expect(diff).not.toBe('');
      before = levels;
    }
    expect(seen).toEqual(new Set(['0', '1', '2', '3']));
  });

  it('show every line again with more room, but for what fills leftover room [R23]', async () => {
    const answers = await Promise.all(
      [300, 500, 700, 900, 1200, 1500, 2000].map((tokens) => bundlesOf({ budget: { tokens } })),
    );
    const linesOf = ({ bundles }: BundleAnswer) =>
      new Set(
        bundles
          .flatMap(({ snippets }) => snippets)
          .flatMap(({ path, side, startLine, text }) =>
            text.split('\n').flatMap((line, at) => (line === '' ? [] : `${side} ${path}:${startLine + at}`)),
          ),
      );
    const isWhole = ({ bundles }: BundleAnswer) =>
      bundles.every(({ planned_context_level }) => planned_context_level === undefined);
    let compared = 0;
    answers.forEach((less, at) => {
      const more = answers[at + 1];
      // Where the plan becomes whole it may displace neighbours.
      if (more === undefined || isWhole(less) !== isWhole(more)) return;
      const filled = less.receipt.ledger.filter(({ verdict }) => verdict === 'refilled');
      const refilled = new Set(
        filled.flatMap(({ fragment }) => {
          const [, path, first, last] = /^context:new:(.+)#L(\d+)-L(\d+)$/u.exec(fragment) ?? [];
          const lines = Number(last) - Number(first) + 1;
          return Array.from({ length: lines }, (_, line) => `new ${path}:${Number(first) + line}`);
        }),
      );
      const shown = linesOf(more);
      const lost = [...linesOf(less)].filter((line) => !shown.has(line) && !refilled.has(line));
      expect(lost, `${at}`).toEqual([]);
      compared += linesOf(less).size;
    });
    expect(compared).toBeGreaterThan(50);
  });

  it('leave out a unit the plan skips and name it [bundle.shape]', async () => {
    const readme = unitAt('README.md', 'tax');
    const plan = [{ unit_id: readme.unit_id, llm_context_level: 'diff_only', skip_review: true }];
    expect((await bundlesOf({ llm_plan: { plan } })).bundles).toHaveLength(everyBundle.length);
    repository.write('notes.unknown', 'a\n');
    repository.commit('note');
    const { planner_index } = await reviewPlan(ask(), { folder: '/' });
    const skip = planner_index.units.map(({ unit_id }) => ({ unit_id, skip_review: true }));
    const { bundles, omitted } = await bundlesOf({ llm_plan: { plan: skip } });
    repository.git('reset', '-q', '--hard', 'HEAD~1');
    expect(bundles).toEqual([]);
    expect(omitted).toMatchObject([{ path: 'notes.unknown', rule: 'skip-review', added: 1, removed: 0 }]);
  });

  it('are the same bytes for the same question', async () => {
    const question = { budget: { tokens: 1500 } };
    expect(JSON.stringify(await bundlesOf(question))).toBe(JSON.stringify(await bundlesOf(question)));
  });

  it('rank related files', async () => {
    const request = { repo: repository.folder, at: 'HEAD', paths: ['web/price.ts'], limit: 3 };
    const { files } = await findRelated(request, { folder: '/' });
    expect(files.map(({ path }) => path)).toContain('web/basket.ts');
    expect(files.map(({ path }) => path)).not.toContain('web/price.ts');
    expect(files.map(({ score }) => score)).toEqual(
      files.map(({ score }) => score).toSorted((a, b) => b - a),
    );
    expect(files).toHaveLength(3);
  });
});
