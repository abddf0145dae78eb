// How is a source file to be read? Apart from the outline itself, whose type must not lead callers to the parser's.
import type { Grammar } from './grammar.js';

export interface OutlineOptions {
  /** For parsing; priced in parser steps, so that equal texts are cut alike everywhere. */
  readonly budgetMs?: number;
  readonly uses?: boolean;
  readonly roles?: boolean;
  /** Digests of bodies, which only comparing two versions needs; made unless told. */
  readonly digests?: boolean;
  /** Where grammars come from; the installed ones unless told. */
  readonly grammars?: (language: string) => Promise<Grammar | undefined>;
}
