// What does a source file contain? Symbols, imports, line kinds and, on request, identifier uses and evidence.
// Never throws and never hangs: without a usable syntax tree the answer comes from indentation, with parsed: false.
import type { Warning } from '../core/model/error.js';
import { embeddedCode, outlineAround } from './embedded-code.js';
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
  const embedded = text.length > largestSource ? undefined : embeddedCode(language, text);
  if (embedded === undefined) return outlineAs(language, text, options);
  const inner = await outlineAs(embedded.language, embedded.code, options);
  if (inner.parsed) return outlineAround(language, text, embedded, inner);
  return { ...plainOutline(language, text, options), warnings: inner.warnings };
}

async function outlineAs(language: string, text: string, options: OutlineOptions): Promise<Outline> {
  const plain = (warnings: readonly Warning[]): Outline => ({
    ...plainOutline(language, text, options),
    warnings,
  });
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

interface ConflictSides {
  readonly conflicts: number;
  /** Both sides kept, markers and the common base blanked. */
  readonly everySide: string;
  /** Only the first side of each conflict kept. */
  readonly firstSide: string;
}

/** A file in the middle of a merge: marker lines are blanked so that it parses, and every line keeps its number. */
function resolveConflicts(text: string): ConflictSides {
  if (!/^<{7}(?: |\r?$)/m.test(text) || !/^>{7}(?: |\r?$)/m.test(text)) {
    return { conflicts: 0, everySide: text, firstSide: text };
  }
  const lines = text.split('\n');
  const every = [...lines];
  const first = [...lines];
  let conflicts = 0;
  let open = -1;
  let marks: { at: number; side: 'ours' | 'base' | 'theirs' }[] = [];
  for (const [at, line] of lines.entries()) {
    if (/^<{7}(?: |\r?$)/.test(line)) {
      open = at;
      marks = [{ at, side: 'ours' }];
    } else if (open !== -1 && /^\|{7}(?: |\r?$)/.test(line)) {
      marks.push({ at, side: 'base' });
    } else if (open !== -1 && /^={7}\r?$/.test(line)) {
      marks.push({ at, side: 'theirs' });
    } else if (open !== -1 && /^>{7}(?: |\r?$)/.test(line) && marks.some(({ side }) => side === 'theirs')) {
      blank({ every, first, marks, end: at });
      conflicts += 1;
      open = -1;
    }
  }
  return { conflicts, everySide: every.join('\n'), firstSide: first.join('\n') };
}

function blank(area: {
  every: string[];
  first: string[];
  marks: readonly { at: number; side: 'ours' | 'base' | 'theirs' }[];
  end: number;
}): void {
  const { every, first, marks, end } = area;
  for (const [index, { at, side }] of marks.entries()) {
    const until = marks[index + 1]?.at ?? end;
    for (let line = at; line < until; line += 1) {
      const isMarker = line === at;
      if (isMarker || side === 'base') every[line] = spaces(every[line]!);
      if (isMarker || side !== 'ours') first[line] = spaces(first[line]!);
    }
  }
  every[end] = spaces(every[end]!);
  first[end] = spaces(first[end]!);
}

/** Same length, so that offsets stay true. */
function spaces(line: string): string {
  return ' '.repeat(line.length);
}
