// The reference of the library is read off its public doors. UPDATE_DOCS=1 writes it anew.
import { readFileSync, writeFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, it } from 'vitest';

const file = 'docs/api.md';
const doors: Readonly<Record<string, string>> = {
  galley: 'src/index.ts',
  'galley/ai-sdk': 'src/surfaces/ai-sdk/budget-middleware.ts',
  'galley/ipc': 'src/ipc.ts',
  'galley/ipc-client': 'src/ipc-client.ts',
  'galley/pure': 'src/pure.ts',
  'galley/testing': 'src/testing/index.ts',
};

const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile);
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, '.');
const program = ts.createProgram(Object.values(doors), { ...options, noEmit: true });
const checker = program.getTypeChecker();
const format = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope;

function entryOf(exported: ts.Symbol): string {
  const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
  const [declaration] = symbol.declarations ?? [];
  const about = ts.displayPartsToString(symbol.getDocumentationComment(checker)).replace(/\s+/g, ' ');
  const words = about === '' ? '' : `\n\n${about}`;
  return `### ${exported.name}\n\n\`\`\`ts\n${declaration === undefined ? exported.name : shapeOf(declaration, symbol)}\n\`\`\`${words}\n`;
}

/** Types as they are written; functions and values by their types, without their bodies. */
function shapeOf(declaration: ts.Declaration, symbol: ts.Symbol): string {
  if (ts.isInterfaceDeclaration(declaration) || ts.isTypeAliasDeclaration(declaration))
    return declaration.getText().replace(/^export /, '');
  if (ts.isClassDeclaration(declaration)) return `class ${symbol.name}`;
  const type = checker.getTypeOfSymbolAtLocation(symbol, declaration);
  const [call] = type.getCallSignatures();
  return call === undefined
    ? `const ${symbol.name}: ${clipped(checker.typeToString(type, declaration, format))}`
    : `function ${symbol.name}${clipped(checker.signatureToString(call, declaration, format))}`;
}

function clipped(text: string): string {
  return text.length <= 400 ? text : `${text.slice(0, 400)} …`;
}

it('the reference of the library is what its doors export', () => {
  const sections = Object.entries(doors).map(([name, path]) => {
    const source = program.getSourceFile(path);
    const door = source === undefined ? undefined : checker.getSymbolAtLocation(source);
    const exported = door === undefined ? [] : checker.getExportsOfModule(door);
    const entries = [...exported].sort((a, b) => (a.name < b.name ? -1 : 1)).map(entryOf);
    expect(entries.length).toBeGreaterThan(0);
    return `## ${name}\n\n${entries.join('\n')}`;
  });
  const text = `# The library, name by name\n\nGenerated from the sources. [How to use it](library.md)\n\n${sections.join('\n')}`;
  if (process.env.UPDATE_DOCS) writeFileSync(file, text);
  expect(readFileSync(file, 'utf8')).toBe(text);
});
