// What does a source file contain? Symbols, imports, line kinds and, on request, identifier uses and evidence.
// Never throws and never hangs: without a usable syntax tree the answer comes from indentation, with parsed: false.
import type { Warning } from '../core/model/error.js';
import { resolveConflicts } from './conflict-markers.js';
import { grammarPins, loadGrammar } from './grammar.js';
import { languageOf } from './language.js';
import { indexLines } from './line-index.js';
import { type OutlineOptions, outlineByTree } from './outline-by-tree.js';
import { plainOutline } from './plain-outline.js';
import type { Outline } from './syntax/outline-model.js';
import { syntaxTables } from './tables/syntax-tables.js';

const largestSource = 1_000_000;
const defaultBudgetMs = 2_000;
/** Measured price of a parser step; slow grammars name their own. */
const usualStepMs = 0.05;
/** Wall-clock allowance over the priced budget, for busy and slow machines. */
const patience = 3;
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
  const budgetMs = options.budgetMs ?? defaultBudgetMs;
  const budget = { steps: budgetMs / (table.stepMs ?? usualStepMs), milliseconds: budgetMs * patience };
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
