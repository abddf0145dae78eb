// What of a change that is not read is worth a word to people, and what is how the repository works.
import { expect, it } from 'vitest';
import type { ChangeEntry } from '../../git/changes/change-entry.js';
import { hidingFacts, hidingWarnings, isNewlyHidden } from './hiding.js';

function hidden(
  files: Readonly<Record<string, 'added' | 'modified'>>,
  rule: string,
  fresh: readonly string[] = [],
) {
  const paths = Object.keys(files);
  return hidingWarnings({
    mode: 'pr',
    entries: paths.map((path) => ({ path, status: files[path] }) as ChangeEntry),
    omitted: paths.map((path) => ({ path, rule, reason: rule, added: 1, removed: 0 })),
    freshlyGenerated: new Set(fresh),
    binary: [],
  }).map((warning) => isNewlyHidden(hidingFacts(warning)!));
}

it('a bundle or a lock file that was there is no news', () => {
  expect(hidden({ 'dist/index.js': 'modified' }, 'output')).toEqual([false]);
  expect(hidden({ 'dist/index.js': 'modified', 'dist/more/new.js': 'added' }, 'output')).toEqual([false]);
  expect(hidden({ 'package-lock.json': 'modified' }, 'size')).toEqual([false]);
  expect(hidden({ 'api.pb.go': 'modified' }, 'generated-header')).toEqual([false]);
});

it('a folder, a header or a byte that came with the change is', () => {
  expect(hidden({ 'dist/evil.js': 'added' }, 'output')).toEqual([true]);
  expect(hidden({ 'dist/index.js': 'modified', 'vendor/evil.js': 'added' }, 'directory')).toEqual([true]);
  expect(hidden({ 'src/login.ts': 'modified' }, 'generated-header', ['src/login.ts'])).toEqual([true]);
});
