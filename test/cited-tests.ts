// Which tests name a requirement, and do they assert anything? Read from the syntax of the test files: a title that ends with ids in
// brackets, and below it an `expect` or `assert`, its own or that of a function it calls.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import ts from 'typescript';

export interface CitedTest {
  readonly id: string;
  readonly file: string;
  readonly title: string;
  readonly asserts: boolean;
}

interface TestFile {
  readonly path: string;
  readonly functions: ReadonlyMap<string, ts.Node>;
  /** Local name to the file it comes from, for files of ours. */
  readonly imports: ReadonlyMap<string, { readonly path: string; readonly name: string }>;
}

const ids = /\[([a-z]+\.[a-z0-9.-]+)\]/g;
const ending = /(?:\s*\[[^\]]+\])+$/;

/** `text` instead of the file's own: to see the proof fail. */
export function citedTestsIn(path: string, text = readFileSync(path, 'utf8')): CitedTest[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const file = readTestFile(path, source);
  const found: CitedTest[] = [];
  const visit = (node: ts.Node): void => {
    const title = titleOf(node);
    if (title !== undefined && ts.isCallExpression(node)) {
      const [cited = ''] = ending.exec(title) ?? [];
      const asserts = node.arguments.slice(1).some((body) => assertsIn(body, file, new Set()));
      for (const [, id = ''] of cited.matchAll(ids)) found.push({ id, file: path, title, asserts });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

export function citedTests(): CitedTest[] {
  return ['src', 'test'].flatMap((root) =>
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((entry) => entry.endsWith('.test.ts'))
      .flatMap((entry) => citedTestsIn(join(root, entry))),
  );
}

const runners = /^(?:describe|it|test)\b/;

function titleOf(node: ts.Node): string | undefined {
  if (!ts.isCallExpression(node) || !runners.test(node.expression.getText())) return undefined;
  const [first] = node.arguments;
  if (first === undefined) return undefined;
  if (ts.isStringLiteralLike(first)) return first.text;
  return ts.isTemplateExpression(first) ? first.getText().slice(1, -1) : undefined;
}

function assertsIn(node: ts.Node, file: TestFile, seen: Set<string>): boolean {
  if (ts.isIdentifier(node)) {
    if (/^(?:expect|assert)/.test(node.text)) return true;
    return calledAsserts(node, file, seen);
  }
  return ts.forEachChild(node, (child) => assertsIn(child, file, seen) || undefined) ?? false;
}

/** A function of the file, or one it imports from ours, asserts in place of the test. */
function calledAsserts({ text }: ts.Identifier, file: TestFile, seen: Set<string>): boolean {
  const key = `${file.path} ${text}`;
  if (seen.has(key)) return false;
  seen.add(key);
  const own = file.functions.get(text);
  if (own !== undefined) return assertsIn(own, file, seen);
  const imported = file.imports.get(text);
  if (imported === undefined || !existsSync(imported.path)) return false;
  const other = readTestFile(imported.path);
  const body = other.functions.get(imported.name);
  return body !== undefined && assertsIn(body, other, seen);
}

const known = new Map<string, TestFile>();

function readTestFile(path: string, parsed?: ts.SourceFile): TestFile {
  const before = known.get(path);
  if (before !== undefined && parsed === undefined) return before;
  const source =
    parsed ?? ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  const functions = new Map<string, ts.Node>();
  const imports = new Map<string, { path: string; name: string }>();
  for (const statement of source.statements) {
    if (ts.isFunctionDeclaration(statement) && statement.name !== undefined)
      functions.set(statement.name.text, statement);
    if (ts.isVariableStatement(statement))
      for (const { name, initializer } of statement.declarationList.declarations)
        if (ts.isIdentifier(name) && initializer !== undefined) functions.set(name.text, initializer);
    if (ts.isImportDeclaration(statement)) readImport(statement, path, imports);
  }
  const file = { path, functions, imports };
  known.set(path, file);
  return file;
}

function readImport(
  { importClause, moduleSpecifier }: ts.ImportDeclaration,
  from: string,
  imports: Map<string, { path: string; name: string }>,
): void {
  const bindings = importClause?.namedBindings;
  if (!ts.isStringLiteral(moduleSpecifier) || !moduleSpecifier.text.startsWith('.')) return;
  if (bindings === undefined || !ts.isNamedImports(bindings)) return;
  const path = normalize(join(dirname(from), moduleSpecifier.text)).replace(/\.js$/, '.ts');
  for (const { name, propertyName } of bindings.elements)
    imports.set(name.text, { path, name: (propertyName ?? name).text });
}
