// Which lines beyond the diff a reviewer should see first, within a budget.
import { type PackOptions, packSnippets, type RelatedSnippet } from './pack-snippets.js';
import { type PieceQuestion, rankPieces } from './rank-pieces.js';

export async function relatedSnippets(
  question: PieceQuestion,
  options: PackOptions,
): Promise<RelatedSnippet[]> {
  return packSnippets(await rankPieces(question), options);
}
