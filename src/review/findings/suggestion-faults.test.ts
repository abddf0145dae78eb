// Suggestions held against the files they would be committed to, in real repositories.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readChangeSet } from '../../git/changes/read-change-set.js';
import type { FilePatch } from '../../git/patch/patch.js';
import { streamPatches } from '../../git/patch/stream-patches.js';
import { openRepository, type Repository } from '../../git/repository/open-repository.js';
import { type ScratchRepository, scratchRepository } from '../../git/testing/scratch-repository.js';
import { placeFindings } from './check-anchors.js';
import type { ReviewFinding } from './finding.js';
import { someFinding } from './testing/some-finding.js';

const code = `export function total(items: number[]): number {
  let sum = 0;
  for (const item of items) {
    sum += item;
  }
  return sum / items.length;
}
`;
let scratch: ScratchRepository;
let repository: Repository;
let patches: FilePatch[];

beforeAll(async () => {
  scratch = scratchRepository();
  scratch.write('README.md', 'Sums.\n');
  scratch.commit('before');
  scratch.write('sum.ts', code);
  scratch.write('windows.ts', code.replaceAll('\n', '\r\n'));
  scratch.write('broken.ts', `${code}}}\n`);
  scratch.write('notes.txt', 'one\ntwo {\nthree\nfour\nfour\n');
  scratch.commit('after');
  repository = await openRepository(scratch.folder);
  const { entries } = await readChangeSet(repository, { mode: 'commit' });
  patches = [];
  for await (const patch of streamPatches(repository, entries)) patches.push(patch);
});
afterAll(async () => {
  await repository.close();
  scratch.dispose();
});

const offer = async (
  replacement: string,
  [startLine, endLine]: readonly [number, number],
  changes: Partial<ReviewFinding> = {},
) => {
  const lines = { startLine, endLine };
  const finding = someFinding({
    ...{ path: 'sum.ts', ...lines, suggestion: { replacement, ...lines } },
    ...changes,
  });
  const [placed] = await placeFindings([finding], { repository, patches });
  return placed!;
};

const guarded = '  return items.length === 0 ? 0 : sum / items.length;';

describe('a suggestion for the file as it is now', () => {
  it.each<[string, string, readonly [number, number], Partial<ReviewFinding>?]>([
    ['replaces a line', guarded, [6, 6]],
    ['deletes lines', '', [3, 5]],
    ['adds lines around what it replaces', '  if (items.length === 0) return 0;\n  let sum = 0;', [2, 2]],
    ['repeats a line that stood twice before', 'four\nfive', [5, 5], { path: 'notes.txt' }],
    ['has the line ends of another system', guarded, [6, 6], { path: 'windows.ts' }],
    ['is for a file that did not parse before', '}}}', [8, 8], { path: 'broken.ts' }],
    ['is for a file without a grammar', 'two {{', [2, 2], { path: 'notes.txt' }],
  ])('stays when it %s [R14]', async (_, replacement, range, changes) => {
    const { finding, lostSuggestion } = await offer(replacement, range, changes);
    expect(lostSuggestion).toBeUndefined();
    expect(finding.suggestion).toMatchObject({ replacement, startLine: range[0], endLine: range[1] });
    expect(finding.remedy).toBeUndefined();
  });

  it.each<[string, string, readonly [number, number], Partial<ReviewFinding>?]>([
    ['repeats-context', `  }\n${guarded}`, [6, 6]],
    ['repeats-context', `${guarded}\n}`, [6, 6]],
    ['repeats-context', `    sum += item;\n  }\n${guarded}`, [6, 6]],
    ['repeats-context', `  let sum = 1;\n  for (const item of items) {`, [2, 2]],
    ['repeats-context', `${guarded}\n}`, [6, 6], { path: 'windows.ts' }],
    ['breaks-syntax', `${guarded}\n  }`, [6, 6]],
    ['breaks-syntax', '  for (const item of items', [3, 3]],
    ['breaks-syntax', '', [5, 5]],
    ['marked', '  const key = "[redacted:github-token]";', [2, 2]],
    ['marked', '  const key = "{U+200B}";', [2, 2]],
    ['no-change', '  let sum = 0;', [2, 2]],
  ])('is a remedy in words for %s: %j [R14]', async (fault, replacement, range, changes) => {
    const { finding, lostSuggestion } = await offer(replacement, range, changes);
    expect(lostSuggestion).toBe(fault);
    expect(finding.suggestion).toBeUndefined();
    const isWorthSaying = replacement !== '' && fault !== 'no-change';
    expect(finding.remedy).toBe(isWorthSaying ? replacement : undefined);
  });

  it('keeps as much of a long one as a remark may hold [R14]', async () => {
    const { finding } = await offer(`  (${'x'.repeat(5000)}`, [2, 2]);
    expect(finding.remedy).toHaveLength(4000);
    expect(finding.remedy?.endsWith('…')).toBe(true);
  });
});
