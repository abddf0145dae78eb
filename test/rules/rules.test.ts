// What the rules say about small changes made for them, in three languages; each rule both where it holds and where it must not.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ScratchRepository, scratchRepository } from '../../src/git/testing/scratch-repository.js';
import { reviewRequest } from '../../src/review/change/review-request.js';
import { defaultRules } from '../../src/review/plan/default-rules.js';
import { reviewPlan } from '../../src/review/plan/plan-review.js';
import type { IndexUnit } from '../../src/review/plan/planner-index.js';

interface Case {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly has: readonly string[];
  readonly not?: readonly string[];
  readonly level?: string;
  readonly asks?: readonly string[];
}

const ts = (body: string, head = 'export function run(a: number)') => `${head} {\n${body}}\n`;
const py = (body: string, head = 'def run(a):') => `${head}\n${body}`;
const go = (body: string, head = 'func Run(a int) int') => `package p\n\n${head} {\n${body}}\n`;

const cases: Record<string, Case> = {
  'a function handed to a call in JavaScript': {
    path: 'getter.js',
    before: "define(req, 'fresh', function () {\n  var res = this.res;\n\n  return res.old;\n});\n",
    after: "define(req, 'fresh', function () {\n  var res = this.res;\n\n  return res.now;\n});\n",
    has: ['callback_code'],
    not: ['module_code'],
    level: 'file_context',
  },
  'handling of failures in a new file': {
    path: 'fresh.go',
    before: null,
    after: `package fresh\n\n// Bind reads what was sent.\nfunc Bind(sent []byte, into *Form) {\n\tif len(sent) == 0 {\n\t\tpanic("nothing was sent")\n\t}\n\tinto.fill(sent)\n}\n`,
    has: ['new_file'],
    not: ['error_handling'],
  },
  'handling of failures in a document': {
    path: 'guide.md',
    before: '# Guide\n\n```go\nfunc Run() {\n\tpanic("one")\n}\n```\n',
    after: '# Guide\n\n```go\nfunc Run() {\n\tpanic("two")\n\trecover()\n}\n```\n',
    has: ['documentation'],
    not: ['error_handling', 'concurrency', 'data_access'],
    level: 'diff_only',
  },
  'comment in TypeScript': {
    path: 'a1.ts',
    before: ts('  // one\n  return a;\n'),
    after: ts('  // two\n  return a;\n'),
    has: ['comment_only'],
    not: ['function_change'],
    level: 'diff_only',
  },
  'comment in Python': {
    path: 'a2.py',
    before: py('    # one\n    return a\n'),
    after: py('    # two\n    return a\n'),
    has: ['comment_only'],
    level: 'diff_only',
  },
  'comment in Go': {
    path: 'a3.go',
    before: go('\t// one\n\treturn a\n'),
    after: go('\t// two\n\treturn a\n'),
    has: ['comment_only'],
    level: 'diff_only',
  },
  'a string that looks like a comment': {
    path: 'a4.ts',
    before: ts("  return '// one';\n"),
    after: ts("  return '// two';\n"),
    has: ['function_change'],
    not: ['comment_only'],
    level: 'function',
  },
  'imports in TypeScript': {
    path: 'b1.ts',
    before: "import { x } from './x';\nx();\n",
    after: "import { x } from './y';\nx();\n",
    has: ['import_only'],
    level: 'diff_only',
  },
  'imports in Python': {
    path: 'b2.py',
    before: 'import os\n\nos.getcwd()\n',
    after: 'import os\nimport sys\n\nos.getcwd()\n',
    has: ['import_only'],
    level: 'diff_only',
  },
  'an export of something else': {
    path: 'b3.ts',
    before: "export { x } from './x';\n",
    after: "export { x, y } from './x';\n",
    has: ['public_api'],
    not: ['import_only'],
    level: 'file_context',
  },
  'logging in TypeScript': {
    path: 'c1.ts',
    before: ts('  return a;\n'),
    after: ts("  console.log('a', a);\n  return a;\n"),
    has: ['logging_only'],
    level: 'diff_only',
  },
  'logging in Go': {
    path: 'c2.go',
    before: go('\treturn a\n'),
    after: go('\tlog.Println(a)\n\treturn a\n'),
    has: ['logging_only'],
    level: 'diff_only',
  },
  'logging and more': {
    path: 'c3.ts',
    before: ts('  return a;\n'),
    after: ts('  console.log(a);\n  return a + 1;\n'),
    has: ['function_change'],
    not: ['logging_only'],
    level: 'function',
  },
  'white space': {
    path: 'd1.ts',
    before: ts('  return a;\n'),
    after: ts('    return a;\n'),
    has: ['whitespace_only'],
    level: 'diff_only',
  },
  'indentation that matters': {
    path: 'd2.py',
    before: py('    if a:\n        go()\n    stop()\n'),
    after: py('    if a:\n        go()\n        stop()\n'),
    has: ['function_change'],
    not: ['whitespace_only'],
  },
  document: {
    path: 'e1.md',
    before: '# One\n',
    after: '# Two\n',
    has: ['documentation'],
    level: 'diff_only',
  },
  test: {
    path: 'f1.test.ts',
    before: "it('works', () => {\n  run(1);\n});\n",
    after: "it('works', () => {\n  run(2);\n});\n",
    has: ['test_code'],
    not: ['public_api'],
    level: 'function',
  },
  'function body': {
    path: 'g1.py',
    before: py('    return a\n'),
    after: py('    return a + 1\n'),
    has: ['function_change'],
    not: ['signature_change', 'public_api'],
    level: 'function',
  },
  'public signature in TypeScript': {
    path: 'h1.ts',
    before: ts('  return a;\n'),
    after: ts('  return a;\n', 'export function run(a: number, b: number)'),
    has: ['signature_change', 'public_api'],
    level: 'file_context',
    asks: ['callers', 'previous_version'],
  },
  'public signature in Python': {
    path: 'h2.py',
    before: py('    return a\n'),
    after: py('    return a\n', 'def run(a, b):'),
    has: ['signature_change', 'public_api'],
    level: 'file_context',
    asks: ['callers', 'previous_version'],
  },
  'public signature in Go': {
    path: 'h3.go',
    before: go('\treturn a\n'),
    after: go('\treturn a\n', 'func Run(a, b int) int'),
    has: ['signature_change', 'public_api'],
    level: 'file_context',
    asks: ['callers', 'previous_version'],
  },
  'private signature in Go': {
    path: 'h4.go',
    before: go('\treturn a\n', 'func run(a int) int'),
    after: go('\treturn a\n', 'func run(a, b int) int'),
    has: ['signature_change'],
    not: ['public_api'],
    level: 'file_context',
  },
  'new file': {
    path: 'i1.ts',
    before: null,
    after: 'export const fresh = [1, 2, 3];\n',
    has: ['new_file'],
    not: ['public_api'],
    level: 'diff_only',
  },
  'deleted symbol': {
    path: 'j1.ts',
    before: `${ts('  return a;\n')}\nexport function old() {\n  return 1;\n}\n`,
    after: ts('  return a;\n'),
    has: ['deleted_symbol', 'public_api'],
    level: 'file_context',
    asks: ['search_callers'],
  },
  configuration: {
    path: 'k1.yaml',
    before: 'retries: 3\n',
    after: 'retries: 4\n',
    has: ['config_file'],
    level: 'full_file',
    asks: ['search_config_usage'],
  },
  dependencies: {
    path: 'requirements/dev.txt',
    before: 'flask==1\n',
    after: 'flask==2\n',
    has: ['config_file'],
    not: ['documentation'],
    level: 'full_file',
  },
  'route in TypeScript': {
    path: 'l1.ts',
    before: "app.get('/a', handle);\n",
    after: "app.get('/b', handle);\n",
    has: ['routing_file'],
    level: 'full_file',
  },
  'endpoint in Python': {
    path: 'l2.py',
    before: '@app.route("/x")\ndef show():\n    return 1\n',
    after: '@app.route("/x")\ndef show():\n    return 2\n',
    has: ['api_endpoint', 'function_change'],
    not: ['routing_file'],
    level: 'function',
  },
  security: {
    path: 'm1.ts',
    before: ts('  return verify(a);\n'),
    after: ts('  return verify(a, password);\n'),
    has: ['security_sensitive'],
    level: 'full_file',
  },
  'a security word in a comment': {
    path: 'm2.ts',
    before: ts('  // password\n  return a;\n'),
    after: ts('  // no password\n  return a;\n'),
    has: ['comment_only'],
    not: ['security_sensitive'],
    level: 'diff_only',
  },
  'data access': {
    path: 'n1.go',
    before: go('\trows, _ := db.Query("select 1")\n\treturn rows\n'),
    after: go('\trows, _ := db.Query("select 2")\n\treturn rows\n'),
    has: ['data_access'],
    level: 'function',
  },
  migration: {
    path: 'migrations/0002_users.sql',
    before: null,
    after: 'ALTER TABLE users ADD COLUMN age int;\n',
    has: ['migration'],
    level: 'full_file',
  },
  'error handling': {
    path: 'o1.py',
    before: py('    return a\n'),
    after: py('    try:\n        return a\n    except ValueError:\n        return None\n'),
    has: ['error_handling'],
    level: 'function',
  },
  'concurrency in Go': {
    path: 'p1.go',
    before: go('\twork(a)\n\treturn a\n'),
    after: go('\tgo work(a)\n\treturn a\n'),
    has: ['concurrency'],
    level: 'function',
  },
  'waiting for one promise': {
    path: 'p2.ts',
    before: ts('  return a;\n', 'async function run(a: number)'),
    after: ts('  return await load(a);\n', 'async function run(a: number)'),
    has: ['function_change'],
    not: ['concurrency'],
  },
  'large change': {
    path: 'q1.ts',
    before: ts('  return a;\n'),
    after: ts(`${Array.from({ length: 120 }, (_, at) => `  use(${at});\n`).join('')}  return a;\n`),
    has: ['large_change'],
  },
  'class head': {
    path: 'r1.ts',
    before: 'export class Alpha extends B {\n  x = 1;\n}\n',
    after: 'export class Alpha extends C {\n  x = 1;\n}\n',
    has: ['structure_change'],
    level: 'full_file',
    asks: ['search_class_methods', 'search_implementations'],
  },
};

describe('rules', () => {
  let repository: ScratchRepository;
  let units: readonly IndexUnit[];
  const plan = () =>
    reviewPlan(reviewRequest.parse({ repo: repository.folder, mode: 'commit' }), { folder: '/' });

  beforeAll(async () => {
    repository = scratchRepository();
    repository.write('keep.txt', 'x\n');
    repository.write('moved/before.ts', ts('  return a * 31;\n'.repeat(9)));
    for (const { path, before } of Object.values(cases)) if (before !== null) repository.write(path, before);
    repository.commit('before');
    for (const { path, after } of Object.values(cases)) if (after !== null) repository.write(path, after);
    repository.git('mv', 'moved/before.ts', 'moved/after.ts');
    repository.commit('after');
    units = (await plan()).planner_index.units;
  });
  afterAll(() => repository.dispose());

  it.each(Object.entries(cases))('know %s [rule.layer]', (_, { path, has, not = [], level, asks }) => {
    const found = units.filter(({ file_path }) => file_path === path);
    const tags = found.flatMap((unit) => unit.tags);
    expect(tags).toEqual(expect.arrayContaining([...has]));
    for (const tag of not) expect(tags).not.toContain(tag);
    const unit = found.find((one) => has.every((tag) => one.tags.includes(tag)));
    if (level !== undefined) expect(unit?.rule_context_level).toBe(level);
    if (asks !== undefined)
      expect(unit?.rule_extra_requests.map(({ type }) => type).sort()).toEqual([...asks].sort());
  });

  it('know a file that only moved [rule.layer]', () => {
    expect(units.find(({ file_path }) => file_path === 'moved/after.ts')).toMatchObject({
      patch_type: 'rename',
      tags: ['rename_only'],
      rule_context_level: 'diff_only',
    });
  });

  it('give the levels of the tables by default [rule.defaults]', () => {
    const levels = Object.fromEntries(defaultRules.map(({ id, level }) => [id, level]));
    expect(levels).toMatchObject({
      'comment-only': 'diff_only',
      'function-body': 'function',
      'public-api': 'file_context',
      'signature-change': 'file_context',
      'config-file': 'full_file',
      'routing-file': 'full_file',
      'security-sensitive': 'full_file',
      structure: 'full_file',
    });
    for (const id of ['public-api', 'signature-change'])
      expect(defaultRules.find((rule) => rule.id === id)?.extra_requests).toContain('callers');
  });

  it('make an index with exactly the fields of its contract and no text of the change [plan.index]', async () => {
    const { planner_index } = await plan();
    expect(Object.keys(planner_index)).toEqual(['review_metadata', 'summary', 'units']);
    expect(planner_index.review_metadata).toMatchObject({
      mode: 'commit',
      base_branch: repository.git('rev-parse', 'HEAD~1'),
      total_files: new Set(units.map(({ file_path }) => file_path)).size,
      total_changes: units.length,
      timestamp: '2024-05-06T05:08:09.000Z',
    });
    const { changes_by_type, files_changed, total_lines } = planner_index.summary;
    expect(Object.values(changes_by_type).reduce((sum, count) => sum + count, 0)).toBe(files_changed.length);
    expect(total_lines.added).toBe(units.reduce((sum, { metrics }) => sum + metrics.added_lines, 0));
    const unit = planner_index.units.find(({ file_path }) => file_path === 'h1.ts');
    expect(unit).toEqual({
      unit_id: expect.stringMatching(/^unit_[0-9a-f]{12}$/),
      file_path: 'h1.ts',
      patch_type: 'modify',
      tags: ['function_change', 'public_api', 'signature_change'],
      metrics: { added_lines: 1, removed_lines: 1, hunk_count: 1 },
      rule_context_level: 'file_context',
      rule_confidence: 0.85,
      line_numbers: { new_compact: 'L1', old_compact: 'L1' },
      rule_extra_requests: [{ type: 'callers', symbol: 'run' }, { type: 'previous_version' }],
    });
    expect(JSON.stringify(planner_index)).not.toContain('return');
    expect(JSON.stringify(await plan())).toBe(JSON.stringify(await plan()));
  });

  it('take rules of the project, and refuse one that is not valid [rule.layer]', async () => {
    const own = scratchRepository();
    try {
      const rule = {
        id: 'ledger',
        tags: ['money'],
        level: 'full_file',
        confidence: 0.9,
        risk: 'high',
        when: { paths: ['ledger/**'] },
      };
      own.write('galley.config.json', JSON.stringify({ rules: [rule] }));
      own.write('ledger/book.ts', ts('  return a;\n'));
      own.commit('before');
      own.write('ledger/book.ts', ts('  return a + 1;\n'));
      own.commit('after');
      const ask = () =>
        reviewPlan(reviewRequest.parse({ repo: own.folder, mode: 'commit' }), { folder: '/' });
      expect((await ask()).planner_index.units[0]).toMatchObject({
        tags: ['function_change', 'money'],
        rule_context_level: 'full_file',
      });
      own.write(
        'galley.config.json',
        JSON.stringify({ rules: [{ ...rule, when: { all: ['moon-phase'] } }] }),
      );
      own.commit('broken');
      own.write('ledger/book.ts', ts('  return a + 2;\n'));
      own.commit('again');
      await expect(ask()).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    } finally {
      own.dispose();
    }
  });
});
