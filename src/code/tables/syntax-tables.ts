// The languages with a syntax tree, each with its table.
import type { SyntaxTable } from '../syntax/syntax-table.js';
import { bash } from './bash.js';
import { c, cpp } from './c-family.js';
import { csharp } from './csharp.js';
import { go } from './go.js';
import { java } from './java.js';
import { javascript, typescript } from './javascript.js';
import { kotlin } from './kotlin.js';
import { php } from './php.js';
import { python } from './python.js';
import { ruby } from './ruby.js';
import { rust } from './rust.js';
import { scala } from './scala.js';
import { swift } from './swift.js';

export const syntaxTables: Readonly<Partial<Record<string, SyntaxTable>>> = {
  bash,
  c,
  cpp,
  csharp,
  go,
  java,
  javascript,
  kotlin,
  php,
  python,
  ruby,
  rust,
  scala,
  swift,
  tsx: typescript,
  typescript,
};
