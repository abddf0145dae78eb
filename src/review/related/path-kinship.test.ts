import { describe, expect, it } from 'vitest';
import { isAsidePath, isTestPath, resolveImport } from './path-kinship.js';

const paths = new Set([
  'src/a/b.ts',
  'src/a/index.ts',
  'src/c.tsx',
  'pkg/__init__.py',
  'pkg/mod.py',
  'src/lib/deep.py',
]);

describe('imports by name', () => {
  it.each([
    ['src/x.ts', './a/b.js', 'src/a/b.ts'],
    ['src/a/b.ts', '.', 'src/a/index.ts'],
    ['src/a/b.ts', '../c', 'src/c.tsx'],
    ['pkg/mod.py', '.', 'pkg/__init__.py'],
    ['pkg/x.py', '.mod', 'pkg/mod.py'],
    ['other/x.py', 'pkg.mod', 'pkg/mod.py'],
    ['other/x.py', 'lib.deep', 'src/lib/deep.py'],
    ['src/x.ts', 'react', undefined],
    ['src/x.ts', '../../../../etc/passwd', undefined],
  ])('from %s, %s means %s', (from, specifier, expected) => {
    expect(resolveImport(from, specifier, paths)).toBe(expected);
  });
});

describe('tests by name', () => {
  it.each([
    'src/price.test.ts',
    'pkg/price_test.go',
    'spec/price_spec.rb',
    'app/src/jvmTest/kotlin/Price.kt',
    'src/UnitTests/Price.cs',
    'lib/PriceTest.java',
    'lib/src/testFixtures/java/Price.java',
  ])('%s is one', (path) => {
    expect(isTestPath(path)).toBe(true);
  });

  it.each(['src/latest/price.ts', 'src/Contest.java', 'src/testimony.py', 'src/attestation/Price.kt'])(
    '%s is none',
    (path) => {
      expect(isTestPath(path)).toBe(false);
    },
  );

  it('knows what stands beside a program by any part of a folder', () => {
    expect(isAsidePath('price-samples/Price.kt')).toBe(true);
    expect(isAsidePath('src/sampler/price.ts')).toBe(false);
  });
});
