// The languages with a syntax tree, each with its table.
import type { SyntaxTable } from './syntax-table.js';
import { go } from './tables/go.js';
import { javascript, typescript } from './tables/javascript.js';
import { python } from './tables/python.js';

export const syntaxTables: Readonly<Partial<Record<string, SyntaxTable>>> = {
  go,
  javascript,
  python,
  tsx: typescript,
  typescript,
};
