// Expressions of workflows, by the host's own language: what stands in `${{ }}`, and conditions.
import { data, Evaluator, Lexer, Parser } from '@actions/expressions';

export type Contexts = Readonly<Record<string, unknown>>;

export interface Status {
  /** A step before has failed. */
  readonly failed: boolean;
}

const statusFunctions = ['success', 'failure', 'always', 'cancelled'];

function evaluate(expression: string, contexts: Contexts, { failed }: Status): unknown {
  const results: Readonly<Record<string, boolean>> = {
    success: !failed,
    failure: failed,
    always: true,
    cancelled: false,
  };
  const functions = statusFunctions.map((name) => ({
    name,
    minArgs: 0,
    maxArgs: 0,
    call: () => new data.BooleanData(results[name] === true),
  }));
  const { tokens } = new Lexer(expression).lex();
  const parsed = new Parser(tokens, Object.keys(contexts), functions).parse();
  const known = JSON.parse(JSON.stringify(contexts), data.reviver) as data.Dictionary;
  const found = new Evaluator(parsed, known, new Map(functions.map((each) => [each.name, each]))).evaluate();
  return JSON.parse(JSON.stringify(found, data.replacer) ?? 'null');
}

function asText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

export function fill(value: unknown, contexts: Contexts): string {
  return asText(value).replaceAll(/\$\{\{([\s\S]*?)\}\}/g, (_, expression: string) =>
    asText(evaluate(expression.trim(), contexts, { failed: false })),
  );
}

/** A condition without a word on what went before means that nothing failed. */
export function holds(condition: string | undefined, contexts: Contexts, status: Status): boolean {
  const bare = /^\s*\$\{\{([\s\S]*)\}\}\s*$/.exec(condition ?? '')?.[1] ?? condition ?? 'true';
  const speaks = new RegExp(`\\b(?:${statusFunctions.join('|')})\\s*\\(`).test(bare);
  return isTrue(evaluate(speaks ? bare : `success() && (${bare})`, contexts, status));
}

function isTrue(value: unknown): boolean {
  return value !== null && value !== false && value !== '' && value !== 0;
}
