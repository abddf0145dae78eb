// One page as it goes over the wire: what all pages share stands first, byte for byte, then the change in its fence. Every part is
// cleaned before anything is joined.
import { type CleanText, cleanText, type HiddenText, type Redaction } from '../../cleaning/clean-text.js';
import type { ChunkPiece } from '../pages/page-set.js';
import { cleanDiff } from './clean-diff.js';
import { fence } from './fence.js';
import type { PageParts } from './survey-pages.js';

export interface ComposedPart {
  readonly text: string;
  readonly redactions: readonly Redaction[];
  readonly hidden: readonly HiddenText[];
}

export interface ComposedPage extends ComposedPart {
  /** Pieces whose lines were changed here: they read right and no longer apply. */
  readonly altered: readonly ChunkPiece[];
}

/** Rules and instructions of the project: the same text before every page of a review. */
export function composeShared(parts: Pick<PageParts, 'rules' | 'instructions'>): ComposedPart {
  const rules = parts.rules.map((text) => cleanText(text));
  const instructions = parts.instructions === undefined ? [] : [cleanText(parts.instructions)];
  const text = section('## Project Rules', rules, '\n\n') + section('## Instructions', instructions, '');
  return { text, ...hitsOf([...rules, ...instructions]) };
}

export interface PageWish {
  readonly page: number;
  /** Files nobody needs to see. */
  readonly skipped?: ReadonlySet<string> | undefined;
}

export function composePage(parts: PageParts, { page, skipped }: PageWish): ComposedPage {
  const notes = parts.notes.map((text) => cleanText(text, { page }));
  const linter = parts.linter.map((text) => cleanText(text, { page }));
  const diffs = parts.diffs
    .filter(({ piece }) => skipped?.has(piece.path) !== true)
    .map(({ piece, text }) => ({ piece, ...cleanDiff(text, piece.path, page) }));
  const content = [
    section('## Notes', notes, '\n'),
    section('## Linter Output', linter, '\n'),
    `## Code Changes\n${diffs.map(({ text }) => text).join('')}`,
  ].join('');
  return {
    text: `${fence(content)}\n\nAnswer now with the JSON object of your findings on this page.\n`,
    ...hitsOf([...notes, ...linter, ...diffs]),
    altered: diffs.filter(({ altered }) => altered).map(({ piece }) => piece),
  };
}

function section(heading: string, parts: readonly CleanText[], between: string): string {
  const text = parts.map((part) => part.text).join(between);
  return text === '' ? '' : `${heading}\n${text}\n\n`;
}

function hitsOf(parts: readonly CleanText[]): Pick<ComposedPart, 'redactions' | 'hidden'> {
  return {
    redactions: parts.flatMap(({ redactions }) => redactions),
    hidden: parts.flatMap(({ hidden }) => hidden),
  };
}
