import { describe, expect, it } from 'vitest';
import { grammarLoader } from './grammar.js';
import { outline } from './outline.js';
import { lineKind } from './syntax/outline-model.js';

const names = (found: Awaited<ReturnType<typeof outline>>) => found.symbols.map(({ name }) => name);
const typescript = 'export class Box {\n  open() {\n    return 1;\n  }\n}\n';

describe('the outline of a file', () => {
  it('is the same for the first file of a process as for every later one', async () => {
    const swift =
      'public protocol Pay: Base {\n\n#if A\n    func b(c: C) -> D\n#endif\n\n    func a() -> D\n}\n';
    const first = await outline('pay.swift', swift);
    expect(names(first)).toEqual(['Pay', 'b', 'a']);
    expect(await outline('pay.swift', swift)).toEqual(first);
  });

  it('falls back to indentation when the grammars are not installed', async () => {
    const found = await outline('box.ts', typescript, { grammars: grammarLoader(async () => undefined) });
    expect(found.parsed).toBe(false);
    expect(names(found)).toEqual(['Box', 'open']);
    expect(found.warnings.map(({ code }) => code)).toEqual(['GRAMMAR_MISSING']);
  });

  it('does not run a grammar whose bytes differ from the pinned ones', async () => {
    const grammars = grammarLoader(async () => new Uint8Array([0, 97, 115, 109]));
    const found = await outline('box.ts', typescript, { grammars });
    expect(found.parsed).toBe(false);
    expect(found.warnings.map(({ code }) => code)).toEqual(['GRAMMAR_MISMATCH']);
  });

  it('falls back when a grammar cannot be read', async () => {
    const grammars = grammarLoader(() => Promise.reject(new TypeError('disk')));
    const found = await outline('box.ts', typescript, { grammars });
    expect(found.warnings.map(({ code }) => code)).toEqual(['GRAMMAR_UNUSABLE']);
  });

  it('reads each grammar once however many files ask at the same time', async () => {
    let reads = 0;
    const grammars = grammarLoader(async () => {
      reads += 1;
      return undefined;
    });
    await Promise.all(['a.ts', 'b.ts', 'c.ts'].map((path) => outline(path, typescript, { grammars })));
    expect(reads).toBe(1);
  });

  it.each(['feed.swift', 'tree.scala', 'big.ts'])(
    'cuts %s off at its parse budget and says so',
    async (path) => {
      const unit = path.endsWith('.ts')
        ? 'export class A {\n  f() {\n    return [1, 2];\n  }\n}\n'
        : `class A {\n  ${path.endsWith('.swift') ? 'let' : 'val'} x = 1\n}\n`;
      const found = await outline(path, unit.repeat(2_000), { budgetMs: 1 });
      expect(found.parsed).toBe(false);
      expect(found.symbols.length).toBeGreaterThan(1_000);
      expect(found.warnings.map(({ code }) => code)).toEqual(['PARSE_BUDGET_EXCEEDED']);
      const next = await outline(path, unit);
      expect([next.parsed, next.damaged]).toEqual([true, false]);
    },
  );

  it('does not parse sources above one megabyte', async () => {
    const found = await outline('big.ts', typescript.repeat(25_000));
    expect(found.parsed).toBe(false);
    expect(found.warnings.map(({ code }) => code)).toEqual(['SOURCE_TOO_LARGE']);
  });

  it('sees through conflict markers without moving a line', async () => {
    const text = [
      'function before() {}',
      '<<<<<<< ours',
      'function left() {',
      '||||||| base',
      'function base() {',
      '=======',
      'function right() {',
      '>>>>>>> theirs',
      '  return 1;',
      '}',
      'function after() {}',
    ].join('\n');
    const found = await outline('a.js', text);
    expect(found.symbols.map(({ name, startLine }) => [name, startLine])).toEqual([
      ['before', 1],
      ['left', 3],
      ['after', 11],
    ]);
    expect(found.lineKinds[1]).toBe(lineKind.code);
  });

  it('keeps both sides of a conflict when together they parse', async () => {
    const text = '<<<<<<< ours\nconst left = 1;\n=======\nconst right = 2;\n>>>>>>> theirs\n';
    expect(names(await outline('a.js', text))).toEqual(['left', 'right']);
  });

  it('tells blank, comment and code lines apart', async () => {
    const typescriptKinds = await outline('a.ts', '// a\n\n/* b\n c */ /* d */\nx(); // e\n/* f */ y();\n');
    expect([...typescriptKinds.lineKinds]).toEqual([1, 0, 1, 1, 2, 2]);
    const pythonKinds = await outline(
      'a.py',
      'def f():\n    """Doc.\n\n    more\n    """\n    x = """text"""\n',
    );
    expect([...pythonKinds.lineKinds]).toEqual([2, 1, 0, 1, 1, 2]);
  });

  it('tells the roles of identifiers apart', async () => {
    const text =
      "import { a } from './a.js';\nfunction run(x: Thing) {\n  a(x);\n  box.open<Thing>(run);\n}\n";
    const { uses } = await outline('a.ts', text, { uses: true });
    expect(uses.map(({ name, line, role }) => `${line} ${role} ${name}`)).toEqual([
      '1 import a',
      '2 definition run',
      '2 definition x',
      '2 type Thing',
      '3 call a',
      '3 reference x',
      '4 reference box',
      '4 call open',
      '4 type Thing',
      '4 reference run',
    ]);
    expect((await outline('a.ts', text)).uses).toEqual([]);
  });

  it.each([
    ['a.ts', "import a, { b as c, type D } from './x';", './x', ['default', 'a', 'b', 'c', 'D']],
    ['a.ts', "import * as ns from 'ns';", 'ns', ['*', 'ns']],
    ['a.ts', "export { a as b } from './y';", './y', ['a', 'b']],
    ['a.ts', "import type { T } from './t';", './t', ['T']],
    ['a.js', "const { a, b: c } = require('./x');", './x', ['a', 'b', 'c']],
    ['a.py', 'from ..pkg.mod import (a as b,\n  c)', '..pkg.mod', ['a', 'b', 'c']],
    ['a.go', 'package a\nimport alias "x/y"', 'x/y', ['*', 'alias']],
    ['A.java', 'import a.b.C;', 'a.b.C', ['C']],
    ['a.rs', 'use a::b::{C as D};', 'a::b::C', ['C', 'D']],
    ['a.cs', 'using System.Text;', 'System.Text', ['*']],
    ['a.rb', "require_relative 'x/y'", 'x/y', ['*']],
    ['a.php', '<?php\nuse A\\B as C;', 'A\\B', ['B', 'C']],
    ['a.kt', 'import a.b.C as D', 'a.b.C', ['C', 'D']],
    ['a.swift', 'import Foundation', 'Foundation', ['*']],
    ['a.scala', 'import a.b.{C => D}', 'a.b', ['C', 'D']],
    ['a.c', '#include "x/y.h"', 'x/y.h', ['*']],
    ['a.sh', 'source ./lib.sh', './lib.sh', ['*']],
  ])('reads the import of %s: %s', async (path, text, module, imported) => {
    const { imports } = await outline(path, text);
    expect(imports.map((line) => [line.module, line.names])).toEqual([[module, imported]]);
  });
});
