// What does a source file contain? Symbols, imports, line kinds and, on request, identifier uses and evidence.
// Never throws and never hangs: without a usable syntax tree the answer comes from indentation, with parsed: false.
import type { Warning } from '../core/model/warning.js';
import { resolveConflicts } from './conflict-markers.js';
import type { RoleSpan } from './evidence-role.js';
import { type Grammar, loadGrammar } from './grammar.js';
import { grammarPins } from './grammar-pins.js';
import { languageOf } from './language.js';
import { indexLines } from './line-index.js';
import { outlineByTree } from './outline-by-tree.js';
import { plainOutline } from './plain-outline.js';
import { syntaxTables } from './syntax-tables.js';

export type SymbolKind =
  | 'function'
  | 'method'
  | 'class'
  | 'interface'
  | 'type'
  | 'enum'
  | 'module'
  | 'variable'
  | 'field'
  | 'test'
  | 'block';

/** Lines are 1-based and inclusive; decorators belong to the symbol, doc comments above it do not. */
export interface CodeSymbol {
  readonly name: string;
  readonly kind: SymbolKind;
  readonly startLine: number;
  readonly endLine: number;
  readonly signatureEndLine: number;
  readonly exported: boolean;
  /** Index into the outline's symbols; always smaller than the symbol's own. */
  readonly parent?: number;
  /** From the first word of the declaration to its body: one line, no comments, no decorators. */
  readonly signature: string;
  /** Digest of the body with whitespace collapsed and the symbol's own name masked. */
  readonly bodyDigest: string;
}

/** Names hold what is imported and, when it differs, what it is called here; '*' is everything, 'default' the default. */
export interface ImportLine {
  readonly startLine: number;
  readonly endLine: number;
  readonly module: string;
  readonly names: readonly string[];
}

export type UseRole = 'call' | 'reference' | 'definition' | 'import' | 'type';

export interface IdentifierUse {
  readonly name: string;
  readonly line: number;
  readonly role: UseRole;
}

/** Values of `lineKinds`; the kind of line n stands at index n - 1. */
export const lineKind = { blank: 0, comment: 1, code: 2 } as const;

/** Pairs of offsets [start, end) into the text, in order. */
export type Spans = readonly number[];

export interface Outline {
  readonly language: string;
  /** False when the outline follows indentation instead of a syntax tree. */
  readonly parsed: boolean;
  /** The tree holds syntax errors: symbols around them may be missing. */
  readonly damaged: boolean;
  readonly lineCount: number;
  readonly symbols: readonly CodeSymbol[];
  readonly imports: readonly ImportLine[];
  readonly lineKinds: Uint8Array;
  readonly uses: readonly IdentifierUse[];
  readonly roles: readonly RoleSpan[];
  readonly comments: Spans;
  readonly strings: Spans;
  readonly warnings: readonly Warning[];
}

export interface OutlineOptions {
  readonly budgetMs?: number;
  readonly uses?: boolean;
  readonly roles?: boolean;
  /** Where grammars come from; the installed ones unless told. */
  readonly grammars?: (language: string) => Promise<Grammar | undefined>;
}

const largestSource = 1_000_000;
const defaultBudgetMs = 2_000;
const defaultSteps = 400_000;
const cppHeader = /^\s*(?:class|namespace|template|public:|private:|using)\b/m;

export async function outline(path: string, text: string, options: OutlineOptions = {}): Promise<Outline> {
  const language = refine(languageOf(path, text.slice(0, text.indexOf('\n') + 1 || 200)), path, text);
  const plain = (warnings: readonly Warning[]): Outline => ({ ...plainOutline(language, text), warnings });
  const table = syntaxTables[language];
  if (table === undefined || !Object.hasOwn(grammarPins, language)) return plain([]);
  if (text.length > largestSource) {
    return plain([
      warn('SOURCE_TOO_LARGE', language, `is above ${largestSource} characters and was not parsed`),
    ]);
  }
  const grammar = await (options.grammars ?? loadGrammar)(language);
  if (grammar?.kind !== 'ready') return plain(grammar === undefined ? [] : [grammar.warning]);
  const budget = { milliseconds: options.budgetMs ?? defaultBudgetMs, steps: defaultSteps };
  const request = { table, grammar: grammar.grammar, language, budget, options, lines: indexLines(text) };
  try {
    const both = resolveConflicts(text);
    let result = await outlineByTree({ ...request, text: both.everySide, original: text });
    if (both.conflicts > 0 && result?.damaged) {
      const first = await outlineByTree({ ...request, text: both.firstSide, original: text });
      if (first !== undefined && !first.damaged) result = first;
    }
    if (result !== undefined) return result;
    return plain([warn('PARSE_BUDGET_EXCEEDED', language, 'took longer to parse than its budget allows')]);
  } catch {
    return plain([warn('PARSE_FAILED', language, 'could not be parsed')]);
  }
}

function refine(language: string, path: string, text: string): string {
  return language === 'c' && path.endsWith('.h') && cppHeader.test(text) ? 'cpp' : language;
}

function warn(code: string, language: string, reason: string): Warning {
  return {
    code,
    message: `A ${language} file ${reason}; its outline follows indentation.`,
    details: { language },
  };
}
