import { describe, expect, it } from 'vitest';
import { type ChangeDepth, changeDepth } from './change-depth.js';
import { outline } from './outline.js';
import { rangeEvidence } from './range-evidence.js';
import { compareOutlines, symbolChanges } from './symbol-changes.js';
import type { EvidenceRole } from './syntax/outline-model.js';

async function rolesOf(path: string, text: string, line: number): Promise<string[]> {
  const { roles } = rangeEvidence(await outline(path, text, { roles: true }), [
    { startLine: line, endLine: line },
  ]);
  return Object.keys(roles).filter((role) => role !== 'string');
}

async function only(path: string, text: string): Promise<readonly EvidenceRole[]> {
  const found = await outline(path, text, { roles: true });
  return rangeEvidence(found, [{ startLine: 1, endLine: found.lineCount }]).only;
}

async function depth(path: string, before: string, after: string): Promise<ChangeDepth> {
  const side = async (text: string) => {
    const found = await outline(path, text, { roles: true });
    return { text, outline: found, startLine: 1, endLine: found.lineCount };
  };
  return changeDepth(await side(before), await side(after));
}

async function changes(before: string, after: string): Promise<string[]> {
  return symbolChanges(await outline('a.ts', before), await outline('a.ts', after)).map((change) => {
    if (change.kind === 'added') return `added ${change.after.name}`;
    if (change.kind === 'removed') return `removed ${change.before.name}`;
    const facets = (['renamed', 'signatureChanged', 'exportedChanged', 'bodyChanged'] as const).filter(
      (facet) => change[facet],
    );
    return `${change.before.name}>${change.after.name} ${facets.join(' ')}`;
  });
}

describe('range evidence', () => {
  it.each([
    ['a.ts', 'function f() {\n  logger.info("x", {\n    a: 1,\n  });\n}', 3, ['logging']],
    ['a.ts', 'try {\n  x();\n} catch (e) {\n  y();\n}', 4, ['error-handling']],
    ['a.ts', 'try {\n  x();\n} catch (e) {\n  y();\n}', 2, []],
    ['a.ts', 'async function f() {\n  await x();\n}', 2, ['concurrency']],
    ['a.ts', "app.get('/x', (request) => {\n  y();\n});", 1, ['routing']],
    ['a.ts', "class A {\n  @Get('/x')\n  f() {}\n}", 2, ['decorator', 'routing']],
    ['a.ts', 'const rows = this.db.query(sql);', 1, ['data-access']],
    ['a.ts', '/** Doc. */\nfunction f() {}', 1, ['comment', 'doc-comment']],
    ['a.ts', 'x(); // note\ny();', 1, ['comment']],
    ['a.py', 'def f():\n    """Doc."""\n    pass', 2, ['doc-comment']],
    ['a.py', '@app.route("/x")\ndef f():\n    pass', 1, ['decorator', 'routing']],
    ['a.py', 'with lock:\n    x()', 1, ['concurrency']],
    ['a.py', 'raise X()', 1, ['error-handling']],
    ['a.go', 'package a\nfunc f() {\n\tgo run()\n}', 3, ['concurrency']],
    ['a.go', 'package a\nfunc f() {\n\tif err != nil {\n\t\treturn err\n\t}\n}', 4, ['error-handling']],
    ['a.go', 'package a\nimport (\n\t"fmt"\n)', 4, ['import']],
    ['a.rs', 'fn f() {\n    let x = g()?;\n}', 2, []],
    ['a.rs', 'fn f() {\n    return Err(E);\n}', 2, ['error-handling']],
    ['a.go', 'package a\nfunc f() error {\n\treturn ErrGone\n}', 3, ['error-handling']],
    ['A.java', 'class A {\n  void f() {\n    synchronized (this) { x(); }\n  }\n}', 3, ['concurrency']],
    ['a.cs', 'class A {\n  [HttpGet("x")]\n  void F() {}\n}', 2, ['decorator', 'routing']],
    ['a.rb', 'def f\n  x\nrescue E\n  raise\nend', 3, ['error-handling']],
    ['a.php', '<?php\n$this->db->query("x");', 2, ['data-access']],
    ['a.kt', 'fun f() {\n  logger.info("x")\n}', 2, ['logging']],
  ])('sees in %s what %j is about [rule.layer]', async (path, text, line, roles) => {
    expect((await rolesOf(path, text, line)).sort()).toEqual(roles);
  });

  it('says when a range is nothing but one role [rule.layer]', async () => {
    expect(await only('a.ts', 'logger.info("a");\n\nconsole.log(\n  b,\n);')).toEqual(['logging']);
    expect(await only('a.ts', "import {\n  a,\n} from 'x';\nimport b from 'y';")).toEqual(['import']);
    expect(await only('a.ts', '// a\n/* b */')).toEqual(['comment']);
    expect(await only('a.ts', 'const x = compute(); logger.info(x);')).toEqual([]);
    expect(await only('a.ts', '\n\n')).toEqual([]);
  });

  it('is not fooled by code in strings', async () => {
    expect(await rolesOf('a.ts', 'const text = "logger.info(1); // import throw";', 1)).toEqual([]);
  });
});

describe('change depth', () => {
  it.each<[string, string, string, ChangeDepth]>([
    ['a.ts', 'f(1);', 'f(1);', 'none'],
    ['a.ts', 'if (a) {\n  f( 1 );\n}', 'if (a) { f(1); }', 'whitespace'],
    ['a.ts', 'f("a b");', 'f("a  b");', 'string'],
    ['a.ts', 'f(1); // old', 'f(1); /* new */', 'comment'],
    ['a.ts', '// only\nf(1);', 'f(1);', 'comment'],
    ['a.ts', 'log("old");', 'log("new");', 'string'],
    ['a.ts', 'f(1);', 'f(2);', 'code'],
    ['a.py', 'if a:\n    b()\n    c()', 'if a:\n    b()\nc()', 'code'],
    ['a.py', 'f( 1 )', 'f(1)', 'whitespace'],
    ['a.py', 'def f():\n    """Old."""\n    g()', 'def f():\n    """New."""\n    g()', 'comment'],
    ['a.yaml', 'a: 1 # x', 'a: 1 # y', 'comment'],
    ['a.yaml', 'a:\n  b: 1', 'a:\n    b: 1', 'code'],
  ])('of %s from %j to %j is %s [rule.layer]', async (path, before, after, expected) => {
    expect(await depth(path, before, after)).toBe(expected);
  });

  it('compares with an empty side', async () => {
    const found = await outline('a.ts', '// note\n', { roles: true });
    const empty = { text: '', outline: found, startLine: 1, endLine: 0 };
    expect(changeDepth(empty, { text: '// note\n', outline: found, startLine: 1, endLine: 1 })).toBe(
      'comment',
    );
  });
});

describe('symbol changes', () => {
  const body = '{\n  const y = x;\n  return y;\n}\n';

  it('tells added, removed, renamed, re-signed, exported and edited symbols apart [rule.layer]', async () => {
    expect(await changes('', `function f(x) ${body}`)).toEqual(['added f']);
    expect(await changes(`function f(x) ${body}`, '')).toEqual(['removed f']);
    expect(await changes(`function f(x) ${body}`, `function g(x) ${body}`)).toEqual(['f>g renamed']);
    expect(await changes(`function f(x) ${body}`, `function f(x, z) ${body}`)).toEqual([
      'f>f signatureChanged',
    ]);
    expect(await changes(`function f(x) ${body}`, `export function f(x) ${body}`)).toEqual([
      'f>f exportedChanged',
    ]);
    expect(
      await changes(`function f(x) ${body}`, `function f(x) ${body.replace('return y', 'return 2')}`),
    ).toEqual(['f>f bodyChanged']);
  });

  it('does not call layout, comments or moves a change', async () => {
    const before = 'export function f(a: number, b: string): void {\n  g(a);\n}\nfunction h() {}\n';
    const after =
      'function h() {}\n// note\nexport function f(\n  a: number, // first\n  b: string,\n): void { g(a); }\n';
    expect(await changes(before, after)).toEqual([]);
  });

  it('pairs overloads by signature and members by their class', async () => {
    const before = 'class A { run() { return 1; } }\nclass B { run() { return 2; } }\n';
    const after = 'class B { run() { return 2; } }\nclass A { run() { return 3; } }\n';
    expect(await changes(before, after)).toEqual(['A>A bodyChanged', 'run>run bodyChanged']);
  });

  it('follows a recursive function through a rename', async () => {
    const text = (name: string) =>
      `function ${name}(n) {\n  if (n < 2) return n;\n  return ${name}(n - 1);\n}\n`;
    expect(await changes(text('old'), text('fresh'))).toEqual(['old>fresh renamed']);
  });

  it('puts every symbol of both sides in exactly one change', async () => {
    const before = await outline(
      'a.py',
      'class A:\n    def f(self): pass\n    def g(self): pass\ndef h(): pass\n',
    );
    const after = await outline(
      'a.py',
      'class A:\n    def g(self, x): pass\ndef h2(): pass\nclass B: pass\n',
    );
    const all = compareOutlines(before, after);
    const old = all.flatMap((change) => (change.kind === 'added' ? [] : [change.before]));
    const fresh = all.flatMap((change) => (change.kind === 'removed' ? [] : [change.after]));
    expect(new Set(old)).toEqual(new Set(before.symbols));
    expect(new Set(fresh)).toEqual(new Set(after.symbols));
    expect([old.length, fresh.length]).toEqual([before.symbols.length, after.symbols.length]);
  });
});
