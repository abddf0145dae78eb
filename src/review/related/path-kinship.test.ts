import { describe, expect, it } from 'vitest';
import { resolveImport } from './path-kinship.js';

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
