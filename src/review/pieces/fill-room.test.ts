import { afterAll, describe, expect, it } from 'vitest';
import { type ScratchRepository, scratchRepository } from '../../git/testing/scratch-repository.js';
import { reviewRequest } from '../change/review-request.js';
import { reviewChunks } from '../pages/page-set.js';

const repositories: ScratchRepository[] = [];
afterAll(() => {
  for (const repository of repositories) repository.dispose();
});

function changed(after: Record<string, string>) {
  const repository = scratchRepository();
  repositories.push(repository);
  repository.write('src/a.ts', 'export const a = 1;\n');
  repository.commit('before');
  repository.git('checkout', '-q', '-b', 'topic');
  repository.write('src/a.ts', 'export const a = 2;\n');
  for (const [path, text] of Object.entries(after)) repository.write(path, text);
  repository.commit('after');
  return async (extra: object) => {
    const asked = { repo: '.', mode: 'pr', base: 'main', meter: 'chars/4', ...extra };
    const { chunks, ...rest } = await reviewChunks(reviewRequest.parse(asked), { folder: repository.folder });
    return { ...rest, pages: chunks.length, text: chunks.map(({ text }) => text).join('') };
  };
}

const table = `export const rows = [\n${Array.from({ length: 90 }, (_, at) => `  ${at},\n`).join('')}];\n`;
const built = Array.from({ length: 40 }, (_, at) => `run(${at});\n`).join('');

describe('room that is left on the pages of a change', () => {
  const ask = changed({ 'src/rows.ts': table, 'dist/a.js': built, 'dist/a.js.map': '{}\n' });

  it('shows data whole and build output, and says no more that they were left out', async () => {
    const { text, omitted, warnings, receipt } = await ask({ maxPages: 1 });
    expect(text).toContain('+  45,\n');
    expect(text).toContain('+run(39);\n');
    expect(omitted.map(({ path }) => path)).toEqual(['dist/a.js.map']);
    expect(JSON.stringify(warnings)).not.toContain('dist/a.js,');
    expect(receipt.accounting).toMatchObject({
      onPages: { added: 92 + 40 + 1, removed: 1 },
      abridged: { added: 0, removed: 0 },
      omitted: { added: 1, removed: 0 },
    });
  });

  it('is not looked for where pages may be as many as it takes', async () => {
    const { text, omitted } = await ask({});
    expect(text).not.toContain('+  45,\n');
    expect(omitted.map(({ path }) => path)).toEqual(['dist/a.js', 'dist/a.js.map', 'src/rows.ts']);
  });

  it('goes to data of the source first, and never opens a page', async () => {
    const { text, omitted, pages } = await ask({ maxPages: 3, maxPromptTokens: 340 });
    expect(pages).toBe(1);
    expect(text).toContain('+  45,\n');
    expect(omitted.map(({ path }) => path)).toEqual(['dist/a.js', 'dist/a.js.map']);
  });

  it('loses no line at any limit', async () => {
    for (let limit = 100; limit < 700; limit += 40) {
      const { receipt } = await ask({ maxPages: 1, maxPromptTokens: limit });
      const { onPages, abridged, omitted } = receipt.accounting;
      expect(onPages.added + abridged.added + omitted.added).toBe(92 + 40 + 1 + 1);
      expect(onPages.removed + abridged.removed + omitted.removed).toBe(1);
    }
  });
});
