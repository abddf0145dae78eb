// The pages of a change put aside: each can be read again by its number, in parts, while only small facts stay in memory.
import type { Span } from '../../core/model/prompt.js';
import type { ReviewRequest } from '../changes/review-request.js';
import {
  type ChunkPiece,
  type PageOptions,
  type PageReceipt,
  type PageSet,
  withPages,
} from '../pages/page-set.js';
import { Spool, type SpoolPlace } from '../pages/spool.js';

export interface SurveyedPage {
  /** One-based. */
  readonly index: number;
  readonly pieces: readonly ChunkPiece[];
}

/** A page taken apart again by the spans of its receipt. */
export interface PageParts {
  readonly rules: readonly string[];
  readonly instructions: string | undefined;
  /** What the review says of itself, with names that come from the change. */
  readonly notes: readonly string[];
  readonly linter: readonly string[];
  readonly diffs: readonly { readonly piece: ChunkPiece; readonly text: string }[];
}

export interface Survey extends Pick<PageSet, 'omitted' | 'warnings' | 'meter' | 'total'> {
  readonly pages: readonly SurveyedPage[];
  readonly receipt: PageReceipt;
  read(index: number): Promise<PageParts>;
  close(): Promise<void>;
}

export async function surveyPages(request: ReviewRequest, options: PageOptions): Promise<Survey> {
  const spool = new Spool();
  try {
    return await withPages(request, options, async (set) => {
      const pages: SurveyedPage[] = [];
      const places: SpoolPlace[] = [];
      for await (const { index, text, pieces } of set.chunks()) {
        places.push(spool.write(Buffer.from(text)));
        pages.push({ index, pieces });
      }
      const { omitted, warnings, meter, total } = set;
      const receipt = set.receipt();
      return {
        omitted,
        warnings,
        meter,
        total,
        pages,
        receipt,
        read: async (index) => {
          const bytes = spool.read(places[index - 1]!);
          const spans = receipt.pages[index - 1]?.parts.flatMap((part) => part.spans) ?? [];
          return partsOf(bytes, spans, pages[index - 1]?.pieces ?? []);
        },
        close: async () => spool.close(),
      };
    });
  } catch (error) {
    spool.close();
    throw error;
  }
}

function partsOf(bytes: Buffer, spans: readonly Span[], pieces: readonly ChunkPiece[]): PageParts {
  const textOf = ({ start, end }: Span) => bytes.toString('utf8', start, end);
  const under = (name: string) => spans.filter(({ fragment }) => fragment.startsWith(name)).map(textOf);
  const diffs = spans.filter(({ fragment }) => /^(?:diff|part \d+\/\d+):/.test(fragment)).map(textOf);
  return {
    rules: under('rules:'),
    instructions: under('instructions')[0],
    notes: [...under('coverage'), ...under('dependencies:')],
    linter: under('finding:'),
    diffs: pieces.map((piece, at) => ({ piece, text: diffs[at] ?? '' })),
  };
}
