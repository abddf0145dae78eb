import { afterAll, describe, expect, it } from 'vitest';
import { scratchRepository } from '../../git/testing/scratch-repository.js';
import { reviewChunks } from '../pages/page-set.js';
import { lockfileVersions } from './lockfile-changes.js';
import { reviewRequest } from './review-request.js';

describe('versions in lockfiles', () => {
  it.each([
    [
      'package-lock.json',
      '{"packages":{"":{},"node_modules/a":{"version":"1.0.0"},"node_modules/b/node_modules/a":{"version":"2.0.0"}}}',
      { a: ['1.0.0', '2.0.0'] },
    ],
    [
      'yarn.lock',
      '"@s/a@^1.0.0", "@s/a@^1.1.0":\n  version "1.2.3"\n\nb@^2:\n  version "2.0.0"\n',
      { '@s/a': ['1.2.3'], b: ['2.0.0'] },
    ],
    [
      'pnpm-lock.yaml',
      "packages:\n\n  '@s/a@1.2.3':\n    resolution: {}\n\n  b@2.0.0(react@18.0.0):\n    x: 1\n",
      { '@s/a': ['1.2.3'], b: ['2.0.0'] },
    ],
    ['go.sum', 'x.org/a v1.2.3 h1:abc=\nx.org/a v1.2.3/go.mod h1:def=\n', { 'x.org/a': ['v1.2.3'] }],
    ['Cargo.lock', '[[package]]\nname = "serde"\nversion = "1.0.1"\n', { serde: ['1.0.1'] }],
    ['Gemfile.lock', 'GEM\n  specs:\n    rails (7.0.1)\n      rack (>= 2)\n', { rails: ['7.0.1'] }],
    ['composer.lock', '{"packages":[{"name":"a/b","version":"v1"}],"packages-dev":[]}', { 'a/b': ['v1'] }],
  ])('are read from %s', (path, text, expected) => {
    const found = lockfileVersions(`sub/${path}`, text) ?? new Map();
    expect(Object.fromEntries([...found].map(([name, versions]) => [name, [...versions]]))).toEqual(expected);
  });

  it('are not guessed from files of another kind', () => {
    expect(lockfileVersions('flake.lock', '{}')).toBeUndefined();
    expect(lockfileVersions('package-lock.json', 'not json')).toBeUndefined();
  });
});

describe('a summary of lockfiles', () => {
  const repository = scratchRepository();
  afterAll(() => repository.dispose());

  it('is given on request, package by package [prune.never-silent]', async () => {
    repository.write('Cargo.lock', '[[package]]\nname = "serde"\nversion = "1.0.1"\n');
    repository.commit('before');
    repository.write(
      'Cargo.lock',
      '[[package]]\nname = "serde"\nversion = "1.0.2"\n\n[[package]]\nname = "tokio"\nversion = "1.1.0"\n',
    );
    repository.write('main.rs', 'fn main() {}\n');
    repository.commit('after');
    const ask = (extra: object) =>
      reviewChunks(reviewRequest.parse({ mode: 'commit', ...extra }), { folder: repository.folder });
    const { chunks, dependencies } = await ask({ lockfileSummary: true });
    expect(dependencies).toEqual([
      { path: 'Cargo.lock', package: 'serde', from: '1.0.1', to: '1.0.2' },
      { path: 'Cargo.lock', package: 'tokio', to: '1.1.0' },
    ]);
    expect(chunks[0]?.text).toContain(
      '## Dependency Changes\n- Cargo.lock: serde 1.0.1 -> 1.0.2\n- Cargo.lock: tokio (new) -> 1.1.0\n\n## Code Changes\n',
    );
    expect((await ask({})).chunks[0]?.text).not.toContain('serde');
  });
});
