// Promise: the callers that a review names are callers, and few are missed. Truth is what the TypeScript compiler resolves in
// this project itself; a sample of its exported functions is asked, and calls are compared line by line.

import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import type ts from 'typescript';
import { grepWords } from '../src/git/objects/grep-words.js';
import { openRepository } from '../src/git/repository/open-repository.js';
import { resolveCommit } from '../src/git/repository/resolve-commit.js';
import { findReferences } from '../src/review/requests/find-uses.js';
import { treeLibrary } from '../src/review/units/changed-file.js';
import { report } from './peers/report.js';

const compiler = createRequire(import.meta.url)('typescript') as typeof ts;
const wanted = Number(process.env.FUNCTIONS ?? 120);

interface Exported {
  readonly name: string;
  readonly path: string;
  readonly position: number;
  readonly startLine: number;
  readonly endLine: number;
}

const repository = await openRepository('.');
try {
  const { id, tree } = await resolveCommit(repository, 'HEAD');
  const library = treeLibrary(repository, { tree });
  const paths = [...(await library.files()).keys()].filter(
    (path) => /\.ts$/.test(path) && !path.endsWith('.d.ts'),
  );
  const files = await library.open(paths);
  const service = serviceOver(new Map([...files].map(([path, { text }]) => [resolve(path), text])));
  const program = service.getProgram()!;
  const all = paths.filter((path) => path.startsWith('src/')).flatMap((path) => exportedIn(program, path));
  const step = Math.max(1, Math.floor(all.length / wanted));
  const asked = all.filter((_, index) => index % step === 0);
  const { hits } = await grepWords(repository, {
    words: asked.map(({ name }) => name),
    at: tree,
    limit: 1e6,
  });
  const ground = {
    library,
    paths: new Set(paths),
    hits: (word: string) => hits.filter((hit) => hit.word === word),
    look: async () => {},
  };
  const sum = { right: 0, found: 0, true: 0 };
  for (const { name, path, position, startLine, endLine } of asked) {
    const own = { startLine, endLine };
    const { found } = await findReferences({ name, path, roles: ['call'], own }, ground);
    const named = new Set(found.map((place) => `${place.path}:${place.line}`));
    const truth = callsOf(service, program, { path, position, own });
    const wrong = [...named].filter((place) => !truth.has(place));
    const missed = [...truth].filter((place) => !named.has(place));
    for (const place of [...wrong.map((one) => `+ ${one}`), ...missed.map((one) => `- ${one}`)])
      console.error(`${name} ${place}`);
    sum.found += named.size;
    sum.true += truth.size;
    sum.right += named.size - wrong.length;
  }
  const precision = sum.right / Math.max(1, sum.found);
  const recall = sum.right / Math.max(1, sum.true);
  const row = (promise: string, value: number, counts: string) => ({
    promise,
    bar: 'reported',
    measured: `${value.toFixed(3)} (${counts})`,
    reached: true,
  });
  report(
    'review-callers',
    [
      row(
        `callers of ${asked.length} exported functions, precision`,
        precision,
        `${sum.right} of ${sum.found}`,
      ),
      row('the same, recall', recall, `${sum.right} of ${sum.true}`),
    ],
    { commit: id },
  );
} finally {
  await repository.close();
}

function serviceOver(texts: ReadonlyMap<string, string>): ts.LanguageService {
  const options: ts.CompilerOptions = {
    module: compiler.ModuleKind.NodeNext,
    target: compiler.ScriptTarget.ES2023,
    strict: true,
    noLib: true,
    types: [],
  };
  return compiler.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => [...texts.keys()],
    getScriptVersion: () => '1',
    getScriptSnapshot: (path) => {
      const text = texts.get(path) ?? compiler.sys.readFile(path);
      return text === undefined ? undefined : compiler.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => process.cwd(),
    getDefaultLibFileName: (chosen) => compiler.getDefaultLibFilePath(chosen),
    fileExists: (path) => texts.has(path) || compiler.sys.fileExists(path),
    readFile: (path) => texts.get(path) ?? compiler.sys.readFile(path),
  });
}

function exportedIn(program: ts.Program, path: string): Exported[] {
  const file = program.getSourceFile(resolve(path));
  if (file === undefined || path.endsWith('.test.ts')) return [];
  return file.statements.flatMap((node) => {
    if (!compiler.isFunctionDeclaration(node) || node.name === undefined) return [];
    if (!node.modifiers?.some(({ kind }) => kind === compiler.SyntaxKind.ExportKeyword)) return [];
    const lineOf = (position: number) => file.getLineAndCharacterOfPosition(position).line + 1;
    const position = node.name.getStart(file);
    const [startLine, endLine] = [lineOf(node.getStart(file)), lineOf(node.end)];
    return [{ name: node.name.text, path, position, startLine, endLine }];
  });
}

/** Lines on which the compiler sees the function called, outside of itself. */
function callsOf(
  service: ts.LanguageService,
  program: ts.Program,
  { path, position, own }: { path: string; position: number; own: { startLine: number; endLine: number } },
): Set<string> {
  const calls = new Set<string>();
  for (const { references } of service.findReferences(resolve(path), position) ?? [])
    for (const { fileName, textSpan } of references) {
      const file = program.getSourceFile(fileName);
      if (file === undefined || !isCalled(file, textSpan.start)) continue;
      const line = file.getLineAndCharacterOfPosition(textSpan.start).line + 1;
      const place = fileName.slice(process.cwd().length + 1);
      if (place === path && line >= own.startLine && line <= own.endLine) continue;
      calls.add(`${place}:${line}`);
    }
  return calls;
}

function isCalled(file: ts.SourceFile, position: number): boolean {
  const visit = (node: ts.Node): boolean => {
    if (position < node.getFullStart() || position >= node.end) return false;
    if (compiler.isCallExpression(node)) {
      const { expression } = node;
      const name = compiler.isPropertyAccessExpression(expression) ? expression.name : expression;
      if (name.getStart(file) === position) return true;
    }
    return compiler.forEachChild(node, (child) => visit(child) || undefined) ?? false;
  };
  return visit(file);
}
