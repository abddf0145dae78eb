// The languages with a syntax tree, each with its table.
import type { SyntaxTable } from './syntax-table.js';
import { bash } from './tables/bash.js';
import { c, cpp } from './tables/c-family.js';
import { csharp } from './tables/csharp.js';
import { go } from './tables/go.js';
import { java } from './tables/java.js';
import { javascript, typescript } from './tables/javascript.js';
import { kotlin } from './tables/kotlin.js';
import { php } from './tables/php.js';
import { python } from './tables/python.js';
import { ruby } from './tables/ruby.js';
import { rust } from './tables/rust.js';
import { scala } from './tables/scala.js';
import { swift } from './tables/swift.js';

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
