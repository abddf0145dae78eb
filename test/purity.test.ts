// The core has no platform, no clock and no chance: checked over every file in it and all they reach.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const banned = new Set([
  'process',
  'Buffer',
  'console',
  'Date',
  'performance',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'queueMicrotask',
  'fetch',
  'crypto',
  'require',
  'globalThis',
]);

function inspect(file: string): { imports: string[]; impurities: string[] } {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const imports: string[] = [];
  const impurities: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier))
      imports.push(node.moduleSpecifier.text);
    const isName = ts.isIdentifier(node) && banned.has(node.text);
    const isMember = ts.isPropertyAccessExpression(node.parent) && node.parent.name === node;
    if (isName && !isMember) impurities.push(`${file}: ${node.getText()}`);
    if (ts.isPropertyAccessExpression(node) && /^Math\.random$|localeCompare$|^Intl\b/.test(node.getText())) {
      impurities.push(`${file}: ${node.getText()}`);
    }
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(source, visit);
  return { imports, impurities };
}

function reach(...entries: string[]): { files: Set<string>; packages: Set<string>; impurities: string[] } {
  const files = new Set<string>();
  const packages = new Set<string>();
  const impurities: string[] = [];
  const queue = [...entries];
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (files.has(file)) continue;
    files.add(file);
    const found = inspect(file);
    impurities.push(...found.impurities);
    for (const target of found.imports) {
      if (target.startsWith('.')) queue.push(normalize(join(dirname(file), target.replace(/\.js$/, '.ts'))));
      else packages.add(target);
    }
  }
  return { files, packages, impurities };
}

describe('the core', () => {
  const all = readdirSync('src/core', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => join('src/core', file));
  const inputFile = 'src/core/model/input.ts';
  const { files, packages, impurities } = reach(...all.filter((file) => file !== inputFile));
  const input = reach(inputFile);

  it('reaches all its stages and nothing outside itself', () => {
    expect(all.length).toBeGreaterThan(25);
    expect([...files, ...input.files].filter((file) => !all.includes(file))).toEqual([]);
  });

  it('needs no package but zod', () => {
    expect([...packages]).toEqual([]);
    expect([...input.packages]).toEqual(['zod']);
  });

  it('has no clock, no chance and no platform', () => {
    expect([...impurities, ...input.impurities]).toEqual([]);
  });

  it('keeps its table of contents short', () => {
    expect(readFileSync('src/core/assemble.ts', 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(80);
  });

  it('would notice an impurity', () => {
    expect(inspect('src/surfaces/cli/shell/local-context.ts').impurities.length).toBeGreaterThan(0);
  });
});
