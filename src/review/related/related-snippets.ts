// Which lines beyond the diff a reviewer should see first, within a budget.
import type { Corpus } from './corpus-port.js';
import type { Lexicon } from './lexicon.js';
import { type PackOptions, packSnippets, type RelatedSnippet } from './pack-snippets.js';
import { rankPieces } from './rank-pieces.js';
import type { VisibleChange } from './visible-change.js';

export interface SnippetQuestion {
  readonly change: VisibleChange;
  readonly corpus: Corpus;
  /** The lexicon the corpus makes its sheets with. */
  readonly lexicon: Lexicon;
}

export async function relatedSnippets(
  question: SnippetQuestion,
  options: PackOptions,
): Promise<RelatedSnippet[]> {
  return packSnippets(await rankPieces(question.change, question.corpus, question.lexicon), options);
}
