// A stand-in outline for the measurements: symbols and imports by syntax node type.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Language, Parser } from 'web-tree-sitter';
import type { FileOutline, OutlineSymbol } from '../../src/review/related/outline-port.js';

const require = createRequire(import.meta.url);
const grammarRoot = join(dirname(require.resolve('tree-sitter-wasm')), 'out');
const grammarOf: Record<string, string> = {
  ts: 'typescript', mts: 'typescript', cts: 'typescript', tsx: 'tsx', js: 'javascript', mjs: 'javascript', cjs: 'javascript', jsx: 'javascript', py: 'python', go: 'go',
};
const script = [
  'function_declaration', 'generator_function_declaration', 'class_declaration', 'abstract_class_declaration', 'method_definition', 'interface_declaration', 'type_alias_declaration',
  'enum_declaration', 'variable_declarator', 'public_field_definition', 'field_definition', 'assignment_expression', 'pair', 'internal_module', 'call_expression', 'import_statement', 'export_statement',
];
const typesOf: Record<string, string[]> = {
  typescript: script, tsx: script, javascript: script,
  python: ['function_definition', 'class_definition', 'assignment', 'import_statement', 'import_from_statement'],
  go: ['function_declaration', 'method_declaration', 'type_spec', 'const_spec', 'var_spec', 'import_spec'],
};
const loaded = new Map<string, Promise<Parser>>();
let ready: Promise<void> | undefined;

async function parserFor(grammar: string): Promise<Parser> {
  ready ??= Parser.init();
  await ready;
  let parser = loaded.get(grammar);
  if (parser === undefined) {
    parser = Language.load(join(grammarRoot, grammar, `tree-sitter-${grammar}.wasm`)).then((language) => {
      const made = new Parser();
      made.setLanguage(language);
      return made;
    });
    loaded.set(grammar, parser);
  }
  return parser;
}

const isFunction = /function|arrow|class/u;

export async function outlineOf(path: string, text: string): Promise<FileOutline> {
  const grammar = grammarOf[path.slice(path.lastIndexOf('.') + 1)];
  if (grammar === undefined) return { symbols: [], imports: [] };
  const parser = await parserFor(grammar);
  const tree = parser.parse(text);
  if (tree === null) return { symbols: [], imports: [] };
  const symbols: OutlineSymbol[] = [];
  const imports: string[] = [];
  for (const node of tree.rootNode.descendantsOfType(typesOf[grammar]!)) {
    if (node === null) continue;
    const type = node.type;
    let startRow = node.startPosition.row;
    let endRow = node.endPosition.row;
    let name = node.childForFieldName('name')?.text ?? '';
    if (type === 'import_statement' || type === 'import_from_statement' || type === 'export_statement') {
      const source = node.childForFieldName('source') ?? node.childForFieldName('module_name') ?? (grammar === 'python' ? node.childForFieldName('name') : null);
      if (source !== null) imports.push(source.text.replace(/^['"]|['"]$/gu, ''));
      continue;
    }
    if (type === 'import_spec') {
      imports.push((node.childForFieldName('path')?.text ?? '').replace(/"/gu, ''));
      continue;
    }
    if (type === 'call_expression') {
      const callee = node.childForFieldName('function')?.text ?? '';
      if (callee.startsWith('require') && callee === 'require') {
        const argument = node.childForFieldName('arguments')?.namedChild(0)?.text ?? '';
        imports.push(argument.replace(/^['"]|['"]$/gu, ''));
        continue;
      }
      if (!/^(?:describe|it|test|suite)\b/u.test(callee)) continue;
      name = (node.childForFieldName('arguments')?.namedChild(0)?.text ?? '').slice(0, 80);
    } else if (type === 'assignment_expression' || type === 'pair') {
      const value = node.childForFieldName(type === 'pair' ? 'value' : 'right');
      if (value === null || !isFunction.test(value.type)) continue;
      const left = node.childForFieldName(type === 'pair' ? 'key' : 'left')?.text ?? '';
      name = left.slice(left.lastIndexOf('.') + 1);
    } else if (type === 'assignment') {
      if (node.parent?.parent?.type !== 'module' && node.parent?.parent?.parent?.type !== 'class_definition') continue;
      name = node.childForFieldName('left')?.text ?? '';
    } else if (type === 'variable_declarator') {
      const parent = node.parent;
      if (parent !== null) startRow = parent.startPosition.row;
    } else if (type === 'type_spec') startRow = node.parent?.startPosition.row ?? startRow;
    if (type === 'public_field_definition' || type === 'field_definition') {
      const value = node.childForFieldName('value');
      if (endRow === startRow && (value === null || !isFunction.test(value.type))) continue;
    }
    if (name === '' || name.length > 100) continue;
    if (endRow < startRow) endRow = startRow;
    symbols.push({ name, kind: type, startLine: startRow + 1, endLine: endRow + 1 });
  }
  tree.delete();
  return { symbols, imports };
}
