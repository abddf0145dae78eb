// A packed package that is loaded late has no named exports, so `yaml` is imported here as usual, and this file late.
import { parseDocument } from 'yaml';

/** Far more than any configuration has; the reader of the package ends the whole process on some texts beyond it. */
const deepest = 100;

/** The value, or why there is none. */
export function parseYaml(text: string): { readonly value: unknown } | { readonly problem: string } {
  if (isDeep(text)) return { problem: 'it is nested too deeply' };
  const document = parseDocument(text, {
    version: '1.2',
    schema: 'core',
    prettyErrors: false,
    logLevel: 'silent',
  });
  if (document.errors.length > 0) return { problem: 'it is not valid YAML' };
  try {
    return { value: document.toJS({ maxAliasCount: 0 }) ?? {} };
  } catch {
    return { problem: 'aliases are not allowed in it' };
  }
}

function isDeep(text: string): boolean {
  let depth = 0;
  for (const [mark] of text.matchAll(/[[\]{}]/g)) {
    depth = mark === '[' || mark === '{' ? depth + 1 : Math.max(0, depth - 1);
    if (depth > deepest) return true;
  }
  return text.split('\n').some((line) => {
    const before = /^(?:[-?:]?[ \t]+)*/.exec(line)?.[0] ?? '';
    return before.replaceAll(/[^-?:]/g, '').length > deepest || before.length > 10 * deepest;
  });
}
