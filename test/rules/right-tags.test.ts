// Tags that were wrong once: each case was first seen with the tag it must not have, or without the one it must have.
import { afterAll, describe, expect, it } from 'vitest';
import { type ScratchRepository, scratchRepository } from '../../src/git/testing/scratch-repository.js';
import { reviewRequest } from '../../src/review/change/review-request.js';
import { fusePlan } from '../../src/review/plan/fuse-plan.js';
import { reviewPlan } from '../../src/review/plan/plan-review.js';
import type { IndexUnit } from '../../src/review/plan/planner-index.js';

const made: ScratchRepository[] = [];
afterAll(() => {
  for (const repository of made) repository.dispose();
});

type Files = Readonly<Record<string, string | null>>;

async function unitsOf(before: Files, after: Files): Promise<readonly IndexUnit[]> {
  const repository = scratchRepository();
  made.push(repository);
  const put = (files: Files) => {
    for (const [path, text] of Object.entries(files))
      if (text === null) repository.remove(path);
      else repository.write(path, text);
  };
  put({ 'keep.txt': 'kept\n', ...before });
  repository.commit('before');
  put(after);
  repository.commit('after');
  const request = reviewRequest.parse({ repo: '.', mode: 'commit' });
  const { planner_index: index } = await reviewPlan(request, { folder: repository.folder });
  return index.units;
}

const body = 'export function run(a: number) {\n  return a;\n}\n';

describe('comments that tools obey', () => {
  it.each([
    ['a.ts', body, body.replace('  return', '  // @ts-ignore\n  return')],
    ['b.ts', body, `/* eslint-disable no-eval */\n${body}`],
    ['c.go', 'package p\n\nfunc Run() {}\n', '//go:build linux\n\npackage p\n\nfunc Run() {}\n'],
    ['d.py', 'def run(a):\n    return a\n', '#!/usr/bin/env python3\ndef run(a):\n    return a\n'],
    ['e.py', 'def run(a):\n    return a\n', 'def run(a):\n    return a  # type: ignore\n'],
    ['f.dart', 'int run() => 1;\n', '// ignore: unused_element\nint run() => 1;\n'],
    ['g.lua', 'function M.run()\nend\n', '---@diagnostic disable\nfunction M.run()\nend\n'],
  ])('are no mere comments in %s [R9]', async (path, before, after) => {
    const units = await unitsOf({ [path]: before }, { [path]: after });
    expect(units.flatMap(({ tags }) => tags)).toContain('directive_comment');
    expect(units.flatMap(({ tags }) => tags)).not.toContain('comment_only');
  });
});

describe('one line of nine hundred thousand letters', () => {
  it('is judged like any other', async () => {
    const line = (end: string) => `export const picture = "${'q8'.repeat(450_000)}${end}";\n`;
    const [unit] = await unitsOf({ 'a.ts': line('a') }, { 'a.ts': line('b') });
    expect(unit?.tags).toEqual(['module_code', 'public_api']);
  });
});

describe('log lines and imports', () => {
  const logging = (line: string) => `export function run(a: Store) {\n  ${line}\n  return a;\n}\n`;

  it.each([
    ['console.log(a.del());', false],
    ['console.log(`gone: $' + '{remove(a)}`);', false],
    ['console.log(a.count++);', false],
    ["console.log('loaded', a.name, JSON.stringify(a));", true],
    ["console.log('loaded (really)', String(a));", true],
  ])('%s: nothing but logging is %s [R9]', async (line, isOnly) => {
    const [unit] = await unitsOf({ 'a.ts': logging("console.log('one');") }, { 'a.ts': logging(line) });
    expect(unit?.tags.includes('logging_only')).toBe(isOnly);
  });

  it.each([
    ['a.ts', "import './polyfill';\n", false],
    ['b.ts', "import './look.css';\n", true],
    ['c.ts', "import { b } from './b';\n", true],
    ['d.go', 'import _ "github.com/lib/pq"\n', false],
  ])('of %s: %j is nothing but an import: %s [R9]', async (path, line, isOnly) => {
    const head = path.endsWith('.go') ? 'package p\n\n' : '';
    const rest = path.endsWith('.go') ? '\nfunc Run() {}\n' : `\n${body}`;
    const [unit] = await unitsOf({ [path]: `${head}${rest}` }, { [path]: `${head}${line}${rest}` });
    expect(unit?.tags.includes('import_only')).toBe(isOnly);
  });
});

describe('what other files may use', () => {
  it.each([
    [
      'Pay.cs',
      'namespace Shop\n{\n    public class Pay\n    {\n        public int Run(int a)\n        {\n            return a;\n        }\n    }\n}\n',
      ['int a)', 'int a, int b)'],
    ],
    [
      'pay.rs',
      'pub struct Pay;\n\nimpl Pay {\n    pub fn run(&self, a: i32) -> i32 {\n        a\n    }\n}\n',
      ['a: i32)', 'a: i32, b: i32)'],
    ],
    ['limits.ts', 'export const limit = 5;\nexport const other = 1;\n', ['limit = 5', 'limit = 50']],
  ])('is public in %s, and its callers are asked for [R8]', async (path, before, [from = '', to = '']) => {
    const [unit] = await unitsOf({ [path]: before }, { [path]: before.replace(from, to) });
    expect(unit?.tags).toContain('public_api');
    expect(unit?.rule_extra_requests.map(({ type }) => type)).toContain('callers');
  });
});

describe('new and moved code', () => {
  it('a new file of tests needs nothing beside its diff [R7]', async () => {
    const test =
      "import { it } from 'vitest';\n\nit('adds', () => {\n  check(1);\n});\n\nit('more', () => {\n  check(2);\n});\n";
    const units = await unitsOf({}, { 'src/add.test.ts': test });
    expect(units.every(({ tags }) => tags.includes('test_code'))).toBe(true);
    expect(new Set(units.map(({ rule_context_level: level }) => level))).toEqual(new Set(['diff_only']));
  });

  it('what only changed its file is moved, not deleted and added [R20]', async () => {
    const helper =
      'export function parse(text: string): string[] {\n  const parts = text.split(",");\n  return parts;\n}\n';
    const units = await unitsOf(
      { 'src/a.ts': `${body}\n${helper}`, 'src/b.ts': body },
      { 'src/a.ts': body, 'src/b.ts': `${body}\n${helper}` },
    );
    const tags = units.flatMap((unit) => unit.tags);
    expect(tags).toContain('moved_code');
    expect(tags).not.toContain('deleted_symbol');
  });
});

describe('a method of an interface', () => {
  const store = 'package p\n\ntype Store interface {\n\tGet(key string) string\n}\n';

  it.each([
    ['has another head', store.replace('key string', 'key, group string')],
    ['came', store.replace('string) string\n', 'string) string\n\tDrop(key string) error\n')],
    ['left', 'package p\n\ntype Store interface {\n}\n'],
  ])('%s: a contract, whose implementations are asked for [R8]', async (_what, after) => {
    const units = await unitsOf({ 'store.go': store }, { 'store.go': after });
    expect(units.flatMap(({ tags }) => tags)).toContain('type_contract');
    const asked = units.flatMap((unit) => unit.rule_extra_requests);
    expect(asked).toContainEqual({ type: 'search_implementations', symbol: 'Store' });
  });

  it('of a new interface breaks nobody', async () => {
    const units = await unitsOf({ 'store.go': 'package p\n' }, { 'store.go': store });
    expect(units.flatMap(({ tags }) => tags)).not.toContain('type_contract');
  });
});

describe('code inside other files', () => {
  const component =
    '<script setup lang="ts">\nimport { a } from "./a"\n\nexport function pay(sum: number) {\n  return a(sum)\n}\n</script>\n\n<template>\n  <p>{{ pay(1) }}</p>\n</template>\n';

  it.each([
    ['a body', ['a(sum)', 'a(sum + 1)'], ['function_change']],
    ['a head', ['sum: number', 'sum: bigint'], ['function_change', 'public_api', 'signature_change']],
    ['an import', ['{ a }', '{ a, b }'], ['import_only']],
    ['the markup', ['pay(1)', 'pay(2)'], ['module_code']],
    ['a style', ['</template>\n', '</template>\n\n<style>\np { color: red; }\n</style>\n'], ['data_only']],
  ])('of a component, %s', async (_what, [from = '', to = ''], tags) => {
    const [unit] = await unitsOf({ 'Pay.vue': component }, { 'Pay.vue': component.replace(from, to) });
    expect(unit?.tags).toEqual(tags);
  });

  const cell = (source: string, output: string) =>
    `{\n "cells": [\n  {\n   "cell_type": "code",\n   "outputs": [\n    "${output}"\n   ],\n   "source": [\n    "def pay(a):\\n",\n    "    b = 1\\n",\n    "    ${source}"\n   ]\n  }\n ]\n}\n`;

  it.each([
    ['an output', cell('return a', '2'), ['data_only']],
    ['a body', cell('return a + b', '1'), ['function_change']],
    ['an indent', cell('    return a', '1'), ['function_change']],
  ])('of a notebook, %s', async (_what, after, tags) => {
    const [unit] = await unitsOf({ 'pay.ipynb': cell('return a', '1') }, { 'pay.ipynb': after });
    expect(unit?.tags).toEqual(tags);
  });
});

describe('languages without a grammar', () => {
  it.each([
    ['a.dart', 'int pay(int sum) {\n  return sum;\n}\n', ['int sum', 'int sum, int tax']],
    ['a.lua', 'function M.pay(sum)\n  return sum\nend\n', ['(sum)', '(sum, tax)']],
    ['a.ex', 'defmodule A do\n  def pay(sum) do\n    sum\n  end\nend\n', ['(sum)', '(sum, tax)']],
  ])(
    'tell in %s what others may use, and ask for its callers',
    async (path, before, [from = '', to = '']) => {
      const [unit] = await unitsOf({ [path]: before }, { [path]: before.replace(from, to) });
      expect(unit?.tags).toEqual(['function_change', 'public_api', 'signature_change']);
      expect(unit?.rule_extra_requests).toContainEqual({ type: 'callers', symbol: 'pay' });
    },
  );

  it.each([
    ['a.dart', 'int _pay(int sum) {\n  return sum;\n}\n'],
    ['a.lua', 'local function pay(sum)\n  return sum\nend\n'],
    ['a.ex', 'defmodule A do\n  defp pay(sum) do\n    sum\n  end\nend\n'],
  ])('tell in %s what others may not', async (path, before) => {
    const after = before.replace(/sum(?=\))/, 'sum, tax');
    const [unit] = await unitsOf({ [path]: before }, { [path]: after });
    expect(unit?.tags).toEqual(['function_change', 'signature_change']);
  });

  it.each([
    ['a.dart', "import 'b.dart';\n\nint pay() => 1;\n", "import 'c.dart';\n"],
    ['a.lua', 'local b = require("b")\n\nfunction pay()\nend\n', 'local c = require("c")\n'],
    ['a.ex', 'defmodule A do\n  alias B\n  def pay, do: 1\nend\n', 'defmodule A do\n  alias C\n'],
  ])('tell in %s what is nothing but an import', async (path, before, head) => {
    const after = head + before.slice(head.length);
    const units = await unitsOf({ [path]: before }, { [path]: after });
    expect(units.map(({ tags }) => tags)).toEqual([['import_only']]);
  });

  it('take a clause less for a change of the function that stays', async () => {
    const clauses = 'defmodule A do\n  def pay(0), do: 0\n  def pay(sum), do: sum\nend\n';
    const [unit] = await unitsOf(
      { 'a.ex': clauses },
      { 'a.ex': clauses.replace('  def pay(0), do: 0\n', '') },
    );
    expect(unit?.tags).toEqual(['function_change']);
  });

  it('know what a Dart library passes on', async () => {
    const [unit] = await unitsOf(
      { 'a.dart': 'library a;\n' },
      { 'a.dart': "library a;\nexport 'src/b.dart';\n" },
    );
    expect(unit?.tags).toContain('public_api');
  });
});

describe('names that mislead', () => {
  it.each([
    ['a pattern that binds one name more', 'const { a } = use();\n', 'const { a, b } = use();\n', false],
    ['a pattern that binds one name less', 'const { a, b } = use();\n', 'const { a } = use();\n', true],
  ])('%s', async (_what, before, after, isGone) => {
    const [unit] = await unitsOf({ 'a.ts': before }, { 'a.ts': after });
    expect(unit?.tags.includes('deleted_symbol')).toBe(isGone);
  });

  it.each([
    ['run(eval);', false],
    ['run(eval(text));', true],
  ])('%s is about security: %s', async (line, isSecurity) => {
    const code = (inner: string) => `function go(text: string) {\n  ${inner}\n}\n`;
    const [unit] = await unitsOf({ 'a.ts': code('run(1);') }, { 'a.ts': code(line) });
    expect(unit?.tags.includes('security_sensitive')).toBe(isSecurity);
  });

  it.each([
    ['from(tls.clone())', 'from(tls)', false],
    ['if token_of(auth) == a { return }', 'if token_of(auth) != a { return }', true],
    ['if token_of(auth) == a { go(a) }', 'if token_of(auth) != a { go(a) }', false],
    ['if token == a { return } go(token)', 'if auth == a { return } go(auth)', false],
    ['(Some(scheme), Some(auth)) => go(scheme)', '(Some(scheme), Some(auth)) => go(auth)', false],
    ['go(a)', 'login(auth)', true],
  ])('%s becoming %s is about security: %s', async (before, after, isSecurity) => {
    const code = (inner: string) => `fn run() {\n    ${inner}\n}\n`;
    const [unit] = await unitsOf({ 'a.rs': code(before) }, { 'a.rs': code(after) });
    expect(unit?.tags.includes('security_sensitive')).toBe(isSecurity);
  });

  it.each([
    ['return await next(a).ConfigureAwait(false);', false],
    ['return await Task.WhenAll(a, b);', true],
  ])('%s runs things at the same time: %s', async (line, isParallel) => {
    const code = (inner: string) => `class A\n{\n    async Task Run()\n    {\n        ${inner}\n    }\n}\n`;
    const [unit] = await unitsOf({ 'A.cs': code('return await next();') }, { 'A.cs': code(line) });
    expect(unit?.tags.includes('concurrency')).toBe(isParallel);
  });

  it('a comment that tools obey leaves the body as it was', async () => {
    const [unit] = await unitsOf(
      { 'a.ts': body },
      { 'a.ts': body.replace('return a;', 'return a; // eslint-disable-line') },
    );
    expect(unit?.tags).toEqual(['directive_comment']);
  });

  it.each([
    ['a.go', 'func Pay(sum int) {}', 'func Pay(all int) {}', false],
    ['a.go', 'func Pay(sum int) {}', 'func Pay(sum string) {}', true],
    ['a.rs', 'pub fn pay(sum: i32) {}', 'pub fn pay(all: i32) {}', false],
    ['A.java', 'class A { public void pay(int sum) {} }', 'class A { public void pay(int all) {} }', false],
    ['A.java', 'class A { public void pay(int sum) {} }', 'class A { public void pay(long sum) {} }', true],
    ['a.lua', 'function M.pay(sum)\nend', 'function M.pay(all)\nend', false],
    ['a.py', 'def pay(sum):\n    pass', 'def pay(all):\n    pass', true],
  ])('in %s, %j to %j is another signature: %s', async (path, before, after, isOther) => {
    const head = path.endsWith('.go') ? 'package p\n\n' : '';
    const [unit] = await unitsOf({ [path]: `${head}${before}\n` }, { [path]: `${head}${after}\n` });
    expect(unit?.tags.includes('signature_change')).toBe(isOther);
  });

  it.each([
    ['sanitize_color(a)', false],
    ['sanitizeHtml(a)', true],
    ['sanitize(a)', true],
  ])('%s is about security: %s', async (line, isSecurity) => {
    const code = (inner: string) => `function go(a: string) {\n  ${inner};\n}\n`;
    const [unit] = await unitsOf({ 'a.ts': code('run(1)') }, { 'a.ts': code(line) });
    expect(unit?.tags.includes('security_sensitive')).toBe(isSecurity);
  });
});

it.each([
  ['a.js', 'if (!a) throw new Error(a)', 'if (!a) { throw new Error(a) }', false],
  ['a.js', 'if (!a) throw new Error(a)', 'if (!a) { throw new Error(b) }', true],
  ['a.rs', 'go(a)', 'a.find(b).unwrap_or_else(|| 1)', false],
  ['a.rs', 'go(a)', 'a.parse().unwrap_or_else(|error| fail(error))', true],
])('in %s, %s becoming %s is about failure: %s', async (path, before, after, isHandling) => {
  const head = path.endsWith('.js') ? 'function' : 'fn';
  const code = (inner: string) => `${head} run(a) {\n    ${inner}\n}\n`;
  const [unit] = await unitsOf({ [path]: code(before) }, { [path]: code(after) });
  expect(unit?.tags.includes('error_handling')).toBe(isHandling);
});

it('brackets around one parameter make no other signature', async () => {
  const code = (inner: string) => `function run(a) {\n  const fail = ${inner} => a.fail(error)\n}\n`;
  const [unit] = await unitsOf({ 'a.js': code('error') }, { 'a.js': code('(error)') });
  expect(unit?.tags).toEqual(['function_change']);
});

it('what helps Rust tests in their module is test code', async () => {
  const code = (inner: string) => `mod tests {\n    fn check() {\n        ${inner}\n    }\n}\n`;
  const [unit] = await unitsOf({ 'src/a.rs': code('go();') }, { 'src/a.rs': code('go().unwrap();') });
  expect(unit?.tags).toEqual(['test_code']);
});

it('a Rust test beside its code is a test, and what it unwraps is no handling of errors', async () => {
  const code = 'pub fn pay() {}\n';
  const test = '\n#[test]\nfn pays() {\n    pay().unwrap();\n}\n';
  const [unit] = await unitsOf({ 'src/pay.rs': `${code}${test}` }, { 'src/pay.rs': code });
  expect(unit?.tags).toEqual(['test_code']);
});

describe('what happens on failure', () => {
  const go = (lines: string) => `package p\n\nfunc Run(a int) error {\n${lines}\treturn nil\n}\n`;
  const rust = (line: string) => `pub fn run(a: i32) -> Result<i32, E> {\n    ${line}\n    Ok(a)\n}\n`;
  const java = (head: string, line = '') =>
    `class A {\n  void run(int a)${head} {\n    go(a);\n${line}  }\n}\n`;
  const php = (text: string) => `<?php\nfunction run($a) {\n    throw new E(${text});\n}\n`;

  it.each([
    ['a.go', go(''), go('\tif err := load(a); err != nil {\n\t\treturn err\n\t}\n'), false],
    [
      'b.go',
      go('\tif err := load(a); err != nil {\n\t\treturn err\n\t}\n'),
      go('\tif err := load(a, 2); err != nil {\n\t\treturn err\n\t}\n'),
      false,
    ],
    ['c.go', go('\tload(a)\n'), go('\tif err := load(a); err != nil {\n\t\treturn err\n\t}\n'), true],
    ['d.go', go(''), go('\tif a == 0 {\n\t\treturn errors.New("none")\n\t}\n'), true],
    ['a.rs', rust('load(a)?;'), rust('load(&a)?;'), false],
    ['b.rs', rust('load(a);'), rust('load(a)?;'), true],
    ['c.rs', rust('load(a);'), rust('if a == 0 {\n        return Err(E::None);\n    }'), true],
    ['A.java', java(''), java('', '    stop(a);\n'), false],
    ['B.java', java(' throws IOException'), java('\n      throws IOException'), false],
    ['C.java', java(''), java(' throws IOException'), true],
    ['a.php', php('"no"'), php("'no'"), false],
    ['b.php', php('"no"'), php('"never"'), false],
    ['c.php', php('"no"'), php('"no", $a'), true],
    ['d.php', php('"no"').replace('E(', '\\E('), php('"no"'), false],
    ['a.ts', body, body.replace('return a;', 'return list.reject(a);'), false],
    ['b.ts', body, body.replace('return a;', 'return Promise.reject(a);'), true],
    ['a.kt', 'fun run(a: A?) {\n    go(a)\n}\n', 'fun run(a: A?) {\n    go(requireNotNull(a))\n}\n', true],
  ])('is told of %s only where it changed', async (path, before, after, expected) => {
    const [unit] = await unitsOf({ [path]: before }, { [path]: after });
    expect(unit?.tags.includes('error_handling')).toBe(expected);
  });
});

describe('secrets, identity, permission and encryption', () => {
  const typed = (type: string) =>
    `import typing\n\nclass Credentials:\n    def scopes(self, a: ${type}):\n        return a\n`;
  const login = (line: string) => `export function login(user: User) {\n  ${line}\n}\n`;
  const send = (value: string) => `export function send(a: App, token: string) {\n  return ${value};\n}\n`;

  it.each([
    ['auth.py', typed('typing.Any'), typed('Any'), false],
    ['auth.go', 'package jwt\n\nfunc Key(a interface{}) {}\n', 'package jwt\n\nfunc Key(a any) {}\n', false],
    ['security.pt.xlf', '<target>login</target>\n', '<target>authentication</target>\n', false],
    [
      'a.rs',
      'pub fn at(p: *const u8) {\n    go(p);\n}\n',
      'pub fn at(p: *const u8) {\n    unsafe { go(p) };\n}\n',
      false,
    ],
    [
      'b.rs',
      'fn set_password(a: A) {\n    hint(&a.b);\n}\n',
      'fn set_password(a: A) {\n    hint(a.b.as_ref());\n}\n',
      false,
    ],
    [
      'jwt/Header.java',
      'class Header {\n  Reader reader;\n}\n',
      'class Header {\n  Codec codec;\n}\n',
      false,
    ],
    [
      'jwt/claims.ts',
      login('return user;').replaceAll('login', 'read'),
      login('return user.expires > now();').replaceAll('login', 'read'),
      true,
    ],
    ['b.ts', login('return md(user.password);'), login('return sha(user.password);'), true],
    ['a.go', 'package p\n', 'package p\n\nfunc (a *App) Token() string {\n\treturn a.token\n}\n', false],
    ['c.ts', send('build(a)'), send('build(a).withToken(token)'), false],
    ['d.ts', send('set(a, { httpOnly: true })'), send('set(a, { httpOnly: false })'), true],
    ['e.ts', send('go(a)'), send('hasPermission(a) && go(a)'), true],
  ])('are seen in %s where they are meant', async (path, before, after, expected) => {
    const units = await unitsOf({ [path]: before }, { [path]: after });
    expect(units.some(({ tags }) => tags.includes('security_sensitive'))).toBe(expected);
  });

  it('and what holds a new password against another one decides', async () => {
    const check =
      'export function login(user: User, password: string) {\n  return user.password === password;\n}\n';
    const [unit] = await unitsOf({}, { 'auth/login.ts': check });
    expect(unit?.tags).toContain('security_sensitive');
  });

  // What is merely named is read as carefully: the same level, the same risk, and nobody may skip it.
  it.each([
    ['a.ts', login('return user;'), login('return user.name;')],
    ['c.ts', send('authorize(a, token)'), send('authorize(a, token, b)')],
    ['d.ts', send('go(a)'), send('a ? go(a) : bounceToLogin()')],
    ['a.swift', 'func go(a: A) {\n    b(a)\n}\n', 'func go(a: A) {\n    b(WebAuthError(a))\n}\n'],
    [
      'b.rs',
      'fn run(a: A) {\n    go(a);\n}\n',
      'fn run(a: A) {\n    if let Some(b) = a.encrypted {\n        go(b);\n    }\n}\n',
    ],
    ['a.py', 'def go(a):\n    b(a)\n', 'def go(a):\n    if a.password is not None:\n        b(a)\n'],
  ])('are named in %s, where nothing is done to them', async (path, before, after) => {
    const [unit] = await unitsOf({ [path]: before }, { [path]: after });
    expect(unit?.tags).toContain('near_security');
    expect(unit?.tags).not.toContain('security_sensitive');
    expect(unit?.rule_context_level).toBe('full_file');
    const skip = { plan: [{ unit_id: unit!.unit_id, llm_context_level: 'diff_only', skip_review: true }] };
    const index = { units: [{ ...unit!, rule_confidence: 0.5 }] };
    const [row] = fusePlan(index, skip, { protect: 'risk' }).plan;
    expect(row?.reason).toBe('high_risk_cannot_skip');
  });

  it('a head in another spelling is no other signature', async () => {
    const units = await unitsOf({ 'a.py': typed('typing.Any') }, { 'a.py': typed('Any') });
    expect(units.flatMap(({ tags }) => tags)).not.toContain('signature_change');
    expect(units.flatMap(({ tags }) => tags)).not.toContain('public_api');
  });
});

it.each([
  [
    'an attribute of a parameter',
    'a.php',
    'function run(#[Named] $a) {',
    'function run($a) {',
    'signature_change',
  ],
  ['a value that is shared', 'a.rs', 'fn run(a: &A) {', 'fn run(a: Arc<A>) {', 'concurrency'],
])('%s says nothing of callers or threads', async (_, path, before, after, tag) => {
  const text = (head: string) => `${path.endsWith('.php') ? '<?php\n' : ''}${head}\n    go(1);\n}\n`;
  const units = await unitsOf({ [path]: text(before) }, { [path]: text(after) });
  expect(units.length).toBeGreaterThan(0);
  expect(units.flatMap(({ tags }) => tags)).not.toContain(tag);
});

it('markup at the top of a file is no code of a module', async () => {
  const page = (word: string) => `<html>\n<body>\n<p>${word}</p>\n</body>\n</html>\n`;
  const [unit] = await unitsOf({ 'a.html': page('one') }, { 'a.html': page('two') });
  expect(unit?.tags).toEqual(['markup']);
});

describe('the head of a module', () => {
  const rust = (head: string) => `${head}\npub fn pay() {}\n`;

  it.each([
    ['a.rs', rust(''), rust('#[cfg(windows)]\nmod windows;\n'), ['import_only', 'module_header']],
    ['A.cs', 'namespace A;\n\nclass Pay { }\n', 'namespace A.B;\n\nclass Pay { }\n', ['module_header']],
    ['a.hpp', '#ifdef A\n#endif\nint pay();\n', '#ifdef B\n#endif\nint pay();\n', ['module_header']],
    [
      'a.py',
      '__all__ = ["a"]\n\na = 1\nb = 2\n',
      '__all__ = ["a", "b"]\n\na = 1\nb = 2\n',
      ['module_header'],
    ],
    [
      'a.js',
      'const a = 1;\nconst b = 2;\nexport {\n  a,\n};\n',
      'const a = 1;\nconst b = 2;\nexport {\n  a,\n  b,\n};\n',
      ['module_header'],
    ],
    [
      'a.ts',
      "import a from 'a';\nimport b from 'b';\n",
      "import b from 'b';\nimport a from 'a';\n",
      ['import_only'],
    ],
    ['c.ts', "export { a } from './a';\nconst b = 1;\n", 'const b = 1;\n', ['module_header']],
    [
      'a.go',
      'package p\n\nfunc Run() {}\n',
      'package p\n\nimport "time"\n\nfunc Run() {}\n',
      ['import_only'],
    ],
    ['b.hpp', 'typedef int A;\nint pay();\n', 'using A = int;\nint pay();\n', ['type_change']],
    ['a.swift', 'extension A: B, @unchecked C {}\n', 'extension A: B {}\n', []],
    ['b.ts', 'type A = string;\nconst b = 1;\n', 'type A = number;\nconst b = 1;\n', ['type_change']],
    ['a.ts', 'const a = [\n  1,\n];\n', 'const a = [\n  2,\n];\n', ['module_code']],
  ])('of %s is told apart from code that runs when it is loaded', async (path, before, after, tags) => {
    const units = await unitsOf({ [path]: before }, { [path]: after });
    const told = new Set(units.flatMap((unit) => unit.tags));
    expect(
      ['import_only', 'module_header', 'module_code', 'type_change'].filter((tag) => told.has(tag)),
    ).toEqual(tags);
  });

  it('what stands in nothing where a file could not be read is not said to stand outside of functions', async () => {
    const code = (value: number) => `trai Pay {\n    const A: u8 = ${value};\n}\n`;
    const [unit] = await unitsOf({ 'a.rs': code(1) }, { 'a.rs': code(2) });
    expect(unit?.tags).toEqual(['unplaced_code']);
    expect(unit?.tags).not.toContain('module_code');
  });
});

it.each([
  [
    'names of results',
    'a.go',
    'func Pay(a int) (sum int, err error) {}',
    'func Pay(a int) (int, error) {}',
    false,
  ],
  ['one name of a result', 'a.go', 'func Pay(a int) (sum []int) {}', 'func Pay(a int) []int {}', false],
  ['types of results', 'a.go', 'func Pay(a int) (sum int) {}', 'func Pay(a int) (sum string) {}', true],
  ['lifetimes', 'a.rs', "fn pay<'a>(a: &'a str) -> B<'a> {}", "fn pay(a: &str) -> B<'_> {}", false],
  ['who may call', 'a.rs', 'fn pay(a: &str) {}', 'pub(crate) fn pay(a: &str) {}', false],
  [
    'who may call it',
    'A.java',
    'class A { private int pay(int a) { return a; } }',
    'class A { public int pay(int a) { return a; } }',
    false,
  ],
  [
    'of which type',
    'c.go',
    'func (a *A) Pay(b int) { go(1) }',
    'func (c *C) Pay(b int, d int) { go(2) }',
    false,
  ],
  [
    'what a place is called',
    'd.js',
    'function pay(a) { return a; }',
    'function pay(b) { return b + 1; }',
    false,
  ],
  [
    'what callers write',
    'e.js',
    'function pay({ a, b }) { return a; }',
    'function pay({ a, c }) { return c; }',
    true,
  ],
  ['what a place is called', 'a.rb', 'def pay(a)\n  a\nend', 'def pay(b)\n  b + 1\nend', false],
  ['what callers write', 'b.rb', 'def pay(a:)\n  a\nend', 'def pay(b:)\n  b + 1\nend', true],
  [
    'what anything is called',
    'b.go',
    'func Pay(a interface{}) { go(1) }',
    'func Pay(a any) { go(2) }',
    false,
  ],
  [
    'whose name it is',
    'a.cpp',
    'int pay(string a) { return 1; }',
    'int pay(std::string a) { return 2; }',
    false,
  ],
  [
    'of which a constructor',
    'A.cs',
    'class A { public A(int a) : base(a) { } }',
    'class A { public A(int a) : base(b(a)) { } }',
    false,
  ],
  [
    'where a mark stands',
    'B.java',
    'class B { public byte @N [] pay() { return a; } }',
    'class B { public @N byte[] pay() { return b; } }',
    false,
  ],
  [
    'what stands inside',
    'c.ts',
    'function pay() {\n  const a = () => b();\n  return a;\n}',
    'function pay() {\n  const a = async () => b();\n  return a;\n}',
    false,
  ],
  [
    'what the compiler may reckon',
    'a.rs',
    'pub fn pay(a: A) -> B {}',
    'pub const fn pay(a: A) -> B {}',
    false,
  ],
  ['what a type is called', 'b.rs', 'pub fn pay<T>(a: Vec<T>) {}', 'pub fn pay<M>(a: Vec<M>) {}', false],
  ['another type', 'c.rs', 'pub fn pay<T>(a: Vec<T>) {}', 'pub fn pay<M>(a: M) {}', true],
  [
    'marks in another order',
    'a.swift',
    'func pay(back: @Sendable @escaping (A) -> Void) {}',
    'func pay(back: @escaping @Sendable (A) -> Void) {}',
    false,
  ],
  [
    'types where there were none',
    'a.py',
    'def pay(a, b=1):\n    go()',
    'def pay(a: dict[str, int], b: int = 1) -> None:\n    go()',
    false,
  ],
  [
    'another type that is handed back',
    'b.py',
    'def pay(a) -> int:\n    go()',
    'def pay(a) -> str:\n    go()',
    true,
  ],
  [
    'waiting, which the type tells',
    'A.cs',
    'class A { Task<B> Pay() {} }',
    'class A { async Task<B> Pay() {} }',
    false,
  ],
  [
    'what may be done with a parameter',
    'B.java',
    'class B { void pay(int a) {} }',
    'class B { void pay(final int b) {} }',
    false,
  ],
  [
    'what waits',
    'a.ts',
    'function pay(a: number) { return a; }',
    'async function pay(a: number) { return a; }',
    true,
  ],
])('%s in a head: another signature is %s', async (_what, path, before, after, isOther) => {
  const head = path.endsWith('.go') ? 'package p\n\n' : '';
  const [unit] = await unitsOf({ [path]: `${head}${before}\n` }, { [path]: `${head}${after}\n` });
  expect(unit?.tags.includes('signature_change')).toBe(isOther);
});

describe('of what is done about security', () => {
  const ts = (line: string) => `export function run(a: A, page: B) {\n  ${line}\n}\n`;
  const kotlin = (line: string) => `fun run(a: A) {\n  ${line}\n}\n`;
  it.each([
    [
      'a condition that turns away',
      'a.ts',
      ts('go(a);'),
      ts('if (!a.permission.may(page)) throw new E();'),
      true,
    ],
    ['a condition that shows', 'b.ts', ts('go(a);'), ts('if (a.permission === page) page.show(a);'), false],
    ['a switch', 'c.ts', ts('go(a);'), ts('go(a, { httpOnly: false });'), true],
    ['a label', 'd.ts', ts('go(a);'), ts("const loginTitle = 'Welcome';"), false],
    [
      'the same switch in another form',
      'e.ts',
      ts('go({ httpOnly: false });'),
      ts('const b = make();\n  b.httpOnly = false;\n  go(b);'),
      false,
    ],
    [
      'a condition in another form',
      'f.ts',
      ts('if (a.permission !== page) return false;\n  return true;'),
      ts('return a.permission() === page;').replace('===', '!=='),
      false,
    ],
    [
      'another comparison',
      'g.ts',
      ts('if (a.permission >= page) return;'),
      ts('if (a.permission > page) return;'),
      true,
    ],
    [
      'the contrary',
      'h.ts',
      ts('if (a.permission.may(page)) return;'),
      ts('if (!a.permission.may(page)) return;'),
      true,
    ],
    ['a part of a page', 'a.kt', kotlin('go(a)'), kotlin('LoginHelp(a)'), false],
    ['a call', 'b.kt', kotlin('go(a)'), kotlin('login(a.password)'), true],
    [
      'a zone of names',
      'a.go',
      'package p\n\nfunc Run(authZone string) bool {\n\treturn true\n}\n',
      'package p\n\nfunc Run(authZone string) bool {\n\treturn name == authZone\n}\n',
      false,
    ],
  ])('%s in %s is told only where it acts', async (_what, path, before, after, isDone) => {
    const [unit] = await unitsOf({ [path]: before }, { [path]: after });
    expect(unit?.tags.includes('security_sensitive')).toBe(isDone);
  });
});

describe('of handling failure', () => {
  const rust = (line: string) => `fn run(a: A) {\n    ${line}\n}\n`;
  const swift = (line: string) => `func run(a: A) throws {\n    ${line}\n}\n`;
  const c = (line: string) => `int run(A *a, A *b) {\n    ${line}\n    return 1;\n}\n`;
  const java = (line: string) => `class A {\n  void run(A a) {\n    ${line}\n  }\n}\n`;
  const ruby = (line: string) => `def run\n  ${line}\nend\n`;
  const php = (line: string) => `<?php\nfunction run($a) {\n    ${line}\n}\n`;
  const go = (line: string) =>
    `package p\n\nfunc Run() {\n\tif err := load(); err != nil {\n\t\t${line}\n\t}\n}\n`;

  it.each([
    ['insisting on a value', 'a.rs', rust('go(a);'), rust('go(a.get(1).unwrap());'), false],
    ['insisting where it was handed on', 'b.rs', rust('go(a)?;'), rust('go(a).unwrap();'), true],
    ['trying one more call', 'a.swift', swift('go(a)'), swift('go(a)\n    try? more(a)'), false],
    ['trying the same call otherwise', 'b.swift', swift('try go(a)'), swift('try? go(a)'), true],
    ['a failure that is handed back', 'c.swift', swift('go(a)'), swift('back(.failure(a))'), true],
    ['what a try holds open', 'A.java', java('try (a; a) { go(); }'), java('try (a) { go(); }'), false],
    [
      'a text in two pieces',
      'a.py',
      'def run(a):\n    raise E("one two")\n',
      'def run(a):\n    raise E(\n        "one "\n        "three"\n    )\n',
      false,
    ],
    [
      'what ends where nothing is',
      'a.c',
      c('if (a == NULL) {\n        return 0;\n    }'),
      c('if (a == NULL || b == NULL) {\n        return 0;\n    }'),
      true,
    ],
    [
      'what goes on where nothing is',
      'b.c',
      c('go(a);'),
      c('if (a->next == NULL) {\n        a->next = b;\n    }'),
      false,
    ],
    [
      'a chain laid out anew',
      'c.go',
      'package p\n\nfunc Run() {\n\tb := build(1)\n\tb.Body(errors.New("a"))\n\tb.End()\n}\n',
      'package p\n\nfunc Run() {\n\tbuild(1).\n\t\tBody(errors.New("a")).\n\t\tEnd()\n}\n',
      false,
    ],
    [
      'what is written to a log',
      'a.go',
      go('log.Debug("one: %v", err)'),
      go('log.Debug("%s", err.Error())'),
      false,
    ],
    ['what ends in a log', 'b.go', go('log.Debug(err)'), go('log.Fatal(err)'), true],
    ['a constructor with nothing in brackets', 'a.php', php('throw new E();'), php('throw new E;'), false],
    ['another failure', 'b.php', php('throw new E();'), php('throw new F();'), true],
    ['who is told of it', 'd.swift', swift('back(.failure(a))'), swift('onMain(.failure(a))'), false],
    [
      'what leads to it',
      'c.rs',
      rust('go(A::of(a.map_err(Into::into)));'),
      rust('go(A::from(a.map_err(Into::into)));'),
      false,
    ],
    ['a failure that becomes another', 'd.rs', rust('go(a);'), rust('go(a.map_err(E::of));'), true],
    [
      'the value in the way',
      'e.swift',
      swift('guard !a.isEmpty else { throw E.none }'),
      swift('guard !a.value.isEmpty else { throw E.none }'),
      false,
    ],
    ['a block of Ruby', 'a.rb', ruby('@a ||= begin\n    go\n  end'), ruby('@a ||= go'), false],
    ['a block that is rescued', 'b.rb', ruby('go'), ruby('begin\n    go\n  rescue E\n    1\n  end'), true],
    ['the same condition', 'c.rb', ruby('raise E if not a.b?'), ruby('raise E unless a.b?'), false],
    [
      'a text that holds values',
      'b.py',
      'def run(a):\n    raise E("one {}".format(a))\n',
      'def run(a):\n    raise E(f"one {a}")\n',
      false,
    ],
    [
      'where a function lies',
      'c.py',
      'def run(a):\n    assert http.ok(a)\n',
      'def run(a):\n    assert ok(a)\n',
      false,
    ],
    ['a length below zero', 'd.c', c('if (n < 0) go(a, n);'), c('if (n < 0) go(a, -n);'), false],
    ['a length that ends it', 'e.c', c('go(a);'), c('if (n < 0) return -1;'), true],
  ])('%s in %s is told only where it handles one', async (_what, path, before, after, isHandling) => {
    const [unit] = await unitsOf({ [path]: before }, { [path]: after });
    expect(unit?.tags.includes('error_handling')).toBe(isHandling);
  });
});
