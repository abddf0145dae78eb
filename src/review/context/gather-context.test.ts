import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ScratchRepository, scratchRepository } from '../../git/testing/scratch-repository.js';
import { reviewRequest } from '../change/review-request.js';
import { reviewBundles } from './review-bundles.js';

let repository: ScratchRepository;
const bundles = () =>
  reviewBundles(reviewRequest.parse({ repo: repository.folder, mode: 'commit', budget: { tokens: 4000 } }), {
    folder: '/',
  });
const rate = (by: string) => `export function rate(n: number) {\n  return n * ${by};\n}\n`;

beforeAll(() => {
  repository = scratchRepository();
  repository.write('src/rate.ts', rate('1'));
  repository.write('src/old.ts', `import { rate } from './rate';\n\nexport const old = () => rate(1);\n`);
  repository.commit('rates');
});
afterAll(() => repository.dispose());

describe('context beside a diff', () => {
  it('holds no line of a changed file that nobody reviews, since it would pass for an unchanged one', async () => {
    const user = `import { rate } from './rate';\n\nexport function made() {\n  return rate(2);\n}\n`;
    repository.write('src/rate.ts', rate('2'));
    repository.write('src/made.ts', `// @generated\n${user}`);
    repository.commit('hides');
    const { bundles: found, omitted } = await bundles();
    expect(omitted.map(({ path }) => path)).toEqual(['src/made.ts']);
    const paths = found.flatMap(({ snippets, callers }) => [...snippets, ...callers]).map(({ path }) => path);
    expect(paths).toContain('src/old.ts');
    expect(paths).not.toContain('src/made.ts');
  });

  it('is looked for without words that are too long for any search', async () => {
    repository.write('src/rate.ts', `${rate('3')}export const long = ${'x'.repeat(40_000)};\n`);
    repository.commit('long');
    const { bundles: found } = await bundles();
    expect(found.flatMap(({ snippets }) => snippets).map(({ path }) => path)).toContain('src/old.ts');
  });

  it('repeats of the old version nothing that stands beside the diff as it reads now', async () => {
    const steps = Array.from({ length: 12 }, (_, n) => `  n += ${n};\n`).join('');
    const long = (head: string) => `export function ${head} {\n${steps}  return n;\n}\n`;
    repository.write('src/long.ts', long('long(n: number)'));
    repository.commit('long');
    repository.write('src/long.ts', long('long(n: number, m: number)'));
    repository.commit('longer');
    const [found] = (await bundles()).bundles;
    expect(found?.extra_requests).toContainEqual({ type: 'previous_version' });
    expect(found?.snippets.map(({ side }) => side)).not.toContain('old');
    expect(found?.snippets.map(({ text }) => text).join('\n')).toContain('n += 11;');
  });

  it('stands with what it is the counterpart of, not with the first file of its folder', async () => {
    const test = (wanted: number) =>
      `import { parcel } from './parcel';\n\ntest('weighs', () => {\n  expect(parcel('island')).toBe(${wanted});\n});\n`;
    repository.write(
      'src/parcel.ts',
      `export function parcel(to: string) {\n  return to === 'island' ? 9 : 4;\n}\n`,
    );
    repository.write('src/parcel.test.ts', test(9));
    repository.write('src/aside.ts', '// One.\nexport const aside = 1;\n');
    repository.commit('parcels');
    repository.write('src/parcel.test.ts', test(8));
    repository.write('src/aside.ts', '// Two.\nexport const aside = 1;\n');
    repository.commit('islands');
    const { bundles: found } = await bundles();
    const homes = found.filter(({ snippets }) => snippets.some(({ path }) => path === 'src/parcel.ts'));
    expect(homes.map(({ meta }) => meta.file_path)).toEqual(['src/parcel.test.ts']);
  });
});
