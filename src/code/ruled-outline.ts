// What a file holds in a language whose declarations are told by rules over its lines: symbols by their first words and their
// indentation, calls and roles by names outside comments and strings.
import { rolesOfCall } from './collect-roles.js';
import { bodyDigest, lineAt, lineEnd } from './line-index.js';
import type { PlainSource } from './plain-source.js';
import {
  type CodeSymbol,
  type IdentifierUse,
  type ImportLine,
  lineKind,
  type Outline,
  type RoleSpan,
  type Spans,
  type SymbolKind,
} from './syntax/outline-model.js';
import { type PlainDeclaration, type PlainLanguage, plainImport } from './tables/plain-languages.js';

interface Facts extends Pick<Outline, 'symbols' | 'imports'> {
  uses(): IdentifierUse[];
  roles(): RoleSpan[];
}

export function ruledFacts(source: PlainSource, rules: PlainLanguage, strings: Spans): Facts {
  const code = masked(source.text, [source.comments]);
  const bare = masked(source.text, [source.comments, strings]);
  const { symbols, names } = symbolsOf(source, rules, { code, bare, quoted: linesInside(source, strings) });
  const imports = importsOf(source, rules, code);
  const spoken = { source, rules, bare, names, imports };
  return { symbols, imports, uses: () => usesOf(spoken), roles: () => rolesIn(spoken) };
}

/** Lines that begin in the middle of a string: their indentation says nothing. */
function linesInside({ lines }: PlainSource, strings: Spans): ReadonlySet<number> {
  const inside = new Set<number>();
  for (let at = 0; at < strings.length; at += 2) {
    const last = lineAt(lines, strings[at + 1]! - 1);
    for (let line = lineAt(lines, strings[at]!) + 1; line <= last; line += 1) inside.add(line);
  }
  return inside;
}

/** Same length, so that offsets stay true. */
function masked(text: string, lists: readonly Spans[]): string {
  let said = text;
  for (const spans of lists) {
    let from = 0;
    const pieces: string[] = [];
    for (let at = 0; at < spans.length; at += 2) {
      pieces.push(said.slice(from, spans[at]), said.slice(spans[at], spans[at + 1]).replace(/[^\n]/g, ' '));
      from = spans[at + 1]!;
    }
    said = pieces.join('') + said.slice(from);
  }
  return said;
}

interface Draft {
  readonly name: string;
  readonly kind: SymbolKind;
  readonly hidden: boolean;
  readonly start: number;
  end: number;
  readonly indent: number;
  readonly parent: number | undefined;
  readonly head: Head;
  /** Depth of the first line inside, where members begin. */
  members?: number;
}

const callable: ReadonlySet<SymbolKind> = new Set(['function', 'method', 'test']);
const holders: ReadonlySet<SymbolKind> = new Set(['class', 'interface', 'enum']);
const maxSymbols = 20_000;

function symbolsOf(
  source: PlainSource,
  rules: PlainLanguage,
  { code, bare, quoted }: { code: string; bare: string; quoted: ReadonlySet<number> },
): { symbols: CodeSymbol[]; names: Set<number> } {
  const { text, lines, kinds } = source;
  const drafts: Draft[] = [];
  const names = new Set<number>();
  const open: number[] = [];
  let leading: { line: number; indent: number } | undefined;
  for (let line = 1; line <= lines.count && drafts.length < maxSymbols; line += 1) {
    if (kinds[line - 1] !== lineKind.code || quoted.has(line)) continue;
    const from = lines.starts[line - 1]!;
    const content = code.slice(from, lineEnd(lines, text, line));
    const indent = /^\s*/.exec(content)![0].replaceAll('\t', '        ').length;
    while (open.length > 0 && indent <= drafts[open.at(-1)!]!.indent) {
      const draft = drafts[open.at(-1)!]!;
      const isInHead = line <= draft.head.endLine;
      if (indent === draft.indent && (isInHead || rules.goesOn.test(content))) break;
      if (indent === draft.indent && rules.closes.test(content)) draft.end = line;
      open.pop();
    }
    const parent = open.at(-1);
    const around = parent === undefined ? undefined : drafts[parent]!;
    for (const at of open) {
      drafts[at]!.end = line;
      if (line > drafts[at]!.head.endLine) drafts[at]!.members ??= indent;
    }
    const leads = rules.leading.test(content) || (leading !== undefined && indent > leading.indent);
    if (leads) leading ??= { line, indent };
    const found =
      around !== undefined && line <= around.head.endLine
        ? undefined
        : declarationOn(rules, content, { around, indent });
    if (found === undefined) {
      if (!leads) leading = undefined;
      continue;
    }
    const head = headOf(source, rules, { line, bare, nameEnd: from + found.nameEnd });
    names.add(from + found.nameEnd - found.name.length);
    const holder = around !== undefined && holders.has(around.kind);
    drafts.push({
      name: found.name,
      kind: found.rule.kind === 'function' && holder ? 'method' : found.rule.kind,
      hidden: found.rule.hidden === true || rules.privateName.test(found.name),
      start: leading?.line ?? line,
      end: head.endLine,
      indent,
      parent,
      head,
    });
    leading = undefined;
    open.push(drafts.length - 1);
  }
  return { symbols: drafts.map((draft) => symbolOf(source, draft)), names };
}

interface Place {
  readonly around: Draft | undefined;
  readonly indent: number;
}

function declarationOn(
  rules: PlainLanguage,
  content: string,
  { around, indent }: Place,
): { rule: PlainDeclaration; name: string; nameEnd: number } | undefined {
  const isMember =
    around === undefined ? indent === 0 : holders.has(around.kind) && indent === (around.members ?? indent);
  for (const rule of rules.declarations) {
    if (rule.member && !isMember) continue;
    const found = rule.pattern.exec(content.slice(0, 400));
    const name = found?.groups?.name;
    if (found === null || name === undefined) continue;
    // What is declared inside a function is nobody else's, but tests hold tests.
    if (around !== undefined && callable.has(around.kind) && rule.kind !== 'test') return undefined;
    const kind = rule.kind === 'field' && around === undefined ? 'variable' : rule.kind;
    const nameEnd = content.lastIndexOf(name, found[0].length - 1) + name.length;
    return { rule: { ...rule, kind }, name, nameEnd };
  }
  return undefined;
}

interface Head {
  readonly start: number;
  readonly end: number;
  readonly endLine: number;
}

const longestHead = 4_000;

/** From the declaration's first word to its body: past the parentheses that follow the name. */
function headOf(
  { text, lines }: PlainSource,
  rules: PlainLanguage,
  { line, bare, nameEnd }: { line: number; bare: string; nameEnd: number },
): Head {
  const start = lines.starts[line - 1]!;
  const firstEnd = lineEnd(lines, text, line);
  const opening = bare.slice(nameEnd, firstEnd).search(/[(\n]/);
  const before =
    opening === -1 ? -1 : bare.slice(nameEnd, nameEnd + opening).search(/=(?!\s*function\b)|[{;]|\bdo\b/);
  let at = nameEnd;
  if (opening !== -1 && before === -1) {
    let depth = 0;
    const until = Math.min(text.length, start + longestHead);
    for (at = nameEnd + opening; at < until; at += 1) {
      if (bare[at] === '(') depth += 1;
      else if (bare[at] === ')') depth -= 1;
      if (depth === 0) break;
    }
    if (depth === 0) at += 1;
    else at = firstEnd;
  }
  const endLine = lineAt(lines, Math.max(start, at - 1));
  const rest = bare.slice(at, lineEnd(lines, text, endLine));
  const body = rest.search(rules.body);
  return { start, end: body === -1 ? at + rest.length : at + body, endLine };
}

function symbolOf({ text, lines }: PlainSource, draft: Draft): CodeSymbol {
  const { name, kind, hidden, start, end, parent, head } = draft;
  return {
    name,
    kind,
    startLine: start,
    endLine: end,
    signatureEndLine: head.endLine,
    exported: !hidden && kind !== 'test',
    ...(parent === undefined ? {} : { parent }),
    signature: text.slice(head.start, head.end).trim().replace(/\s+/g, ' '),
    bodyDigest: bodyDigest(text.slice(head.end, lineEnd(lines, text, end)), name),
  };
}

function importsOf({ text, lines }: PlainSource, rules: PlainLanguage, code: string): ImportLine[] {
  const imports: ImportLine[] = [];
  for (let line = 1; line <= lines.count; line += 1) {
    const found = plainImport(rules, code.slice(lines.starts[line - 1]!, lineEnd(lines, text, line)));
    if (found !== undefined) imports.push({ startLine: line, endLine: line, ...found });
  }
  return imports;
}

interface Spoken {
  readonly source: PlainSource;
  readonly rules: PlainLanguage;
  readonly bare: string;
  readonly names: ReadonlySet<number>;
  readonly imports: readonly ImportLine[];
}

function usesOf({ source: { lines }, rules, bare, names, imports }: Spoken): IdentifierUse[] {
  const brought = new Set(imports.map(({ startLine }) => startLine));
  const uses: IdentifierUse[] = [];
  for (const { 0: name, index } of bare.matchAll(/[\p{L}_$][\p{L}\p{N}_$]*[?!]?(?=\W|$)/gu)) {
    const line = lineAt(lines, index);
    const word =
      rules.privateName.test(name) || bare[index + name.length] === '(' ? name : name.replace(/[?!]$/, '');
    if (rules.keywords.has(word)) continue;
    const called = /^\s*(?:<[\w<>?, ]*>)?\(/.test(bare.slice(index + word.length, index + word.length + 60));
    const role = brought.has(line)
      ? 'import'
      : names.has(index)
        ? 'definition'
        : called
          ? 'call'
          : 'reference';
    uses.push({ name: word, line, role });
  }
  return uses;
}

function rolesIn({ source: { text, lines }, rules, bare, imports }: Spoken): RoleSpan[] {
  const roles: RoleSpan[] = imports.map(({ startLine, endLine }) => ({
    role: 'import',
    startLine,
    endLine,
    alone: true,
  }));
  for (let line = 1; line <= lines.count; line += 1) {
    const content = bare.slice(lines.starts[line - 1]!, lineEnd(lines, text, line));
    const found = new Set(rules.roles.filter(([pattern]) => pattern.test(content)).map(([, role]) => role));
    for (const [, called = ''] of content.matchAll(/([\w$]+(?:[.:]+[\w$]+)*[?!]?)\(/g))
      if (!rules.keywords.has(called))
        for (const role of rolesOfCall(called.replaceAll(':', '.'))) found.add(role);
    for (const role of found)
      roles.push({ role, startLine: line, endLine: line, alone: isStatement(role, content) });
  }
  return roles;
}

/** A log line that begins and ends on its line is nothing else. */
function isStatement(role: RoleSpan['role'], content: string): boolean {
  return role === 'logging' && /^\s*[\w.:]+[( ].*[);]?\s*$/.test(content) && balanced(content);
}

function balanced(content: string): boolean {
  return (content.match(/\(/g)?.length ?? 0) === (content.match(/\)/g)?.length ?? 0);
}
