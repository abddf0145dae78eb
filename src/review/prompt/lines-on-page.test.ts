import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ScratchRepository, scratchRepository } from '../../git/testing/scratch-repository.js';
import { reviewRunRequest } from '../run/run-request.js';
import { previewReview } from '../run/run-review.js';

let made: ScratchRepository;
const files = ['src/total.ts', 'src/report.ts', 'src/long.ts'];

/** Every line has a word of its own, so that a page tells which lines it shows. */
function code(path: string, change = (line: string, _at: number) => line): string {
  const name = path.replace(/\W/g, '_');
  const body = Array.from({ length: 90 }, (_, at) => {
    const inside = at % 10;
    const mark = `${name}_${at + 1}_`;
    if (inside === 0) return `export function f_${mark}(): number {`;
    return inside === 9
      ? `} // ${mark}`
      : `  const v${inside} = f_src_total_ts_${(at % 9) * 10 + 1}_() + 1; // ${mark}`;
  });
  return `${body.map(change).join('\n')}\n`;
}

beforeAll(() => {
  made = scratchRepository();
  for (const path of files) made.write(path, code(path));
  made.commit('before');
  made.git('checkout', '-q', '-b', 'topic');
  const changed = (line: string, at: number) => (at % 17 === 5 ? line.replace('+ 1', '+ 2') : line);
  made.write('src/total.ts', code('src/total.ts', changed));
  made.write(
    'src/long.ts',
    code('src/long.ts', (line, at) => (at > 3 ? changed(line, at * 17 + 5) : line)),
  );
  made.commit('after');
});
afterAll(() => made.dispose());

describe('the lines of a page', () => {
  it.each([
    ['on one page', {}],
    ['without context', { context: 'none' }],
    ['where a file is cut', { maxChunkTokens: 700 }],
    ['where only some fits', { maxChunkTokens: 700, maxPages: 1, context: 'none' }],
  ])('are those that can be read on it, %s', async (_, more) => {
    const request = reviewRunRequest.parse({ mode: 'pr', base: 'main', repo: made.folder, ...more });
    const pages = await previewReview(request, { folder: '/' }, async ({ set, review }) =>
      review.pages.map((page, at) => ({ prompt: review.seal(page).prompt, lines: set.linesOn(at) })),
    );
    let told = 0;
    for (const { prompt, lines } of pages)
      for (const path of files) {
        const claimed = new Set(
          lines
            .filter((range) => range.path === path)
            .flatMap(({ startLine, endLine }) =>
              Array.from({ length: endLine - startLine + 1 }, (_each, at) => startLine + at),
            ),
        );
        const name = path.replace(/\W/g, '_');
        // No line moves, so both sides count alike; a heading of a hunk is no line.
        const read = prompt.matchAll(
          new RegExp(`^(?!@@).*(?:f_|// )${name}_(\\d+)_(?:\\(\\): number|$)`, 'gm'),
        );
        expect(claimed).toEqual(new Set([...read].map(([, line]) => Number(line))));
        told += claimed.size;
      }
    expect(told).toBeGreaterThan(10);
  });
});
