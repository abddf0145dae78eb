// A chapter as readers see it: headings, paragraphs and the breaks between scenes. Every format is read into these blocks and
// written from them, so that the words are the same whichever way a book came and goes.

export interface Span {
  /** Never holds a line break. */
  readonly text: string;
  readonly emphasis?: boolean;
  readonly strong?: boolean;
}

export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly spans: readonly Span[] }
  | { readonly kind: 'paragraph'; readonly spans: readonly Span[]; readonly quoted?: boolean }
  /** What stands between two scenes: `***`, or nothing but more room than usual. */
  | { readonly kind: 'break'; readonly mark: string };

export function wordsOf(block: Block): string {
  return block.kind === 'break' ? block.mark : block.spans.map(({ text }) => text).join('');
}

/** Neighbours of one look become one span, empty ones go. */
export function joinedSpans(spans: readonly Span[]): Span[] {
  const joined: Span[] = [];
  for (const span of spans) {
    const last = joined.at(-1);
    if (span.text === '') continue;
    if (last !== undefined && isSameLook(last, span))
      joined[joined.length - 1] = { ...last, text: last.text + span.text };
    else joined.push(span);
  }
  return joined;
}

function isSameLook(left: Span, right: Span): boolean {
  return (
    (left.emphasis ?? false) === (right.emphasis ?? false) &&
    (left.strong ?? false) === (right.strong ?? false)
  );
}

const sceneMark = /^(?:[*＊#~=_·•◇◆☆★※—–-]\s*){3,}$/u;

/** A line that is nothing but signs parts two scenes. */
export function isSceneMark(line: string): boolean {
  return line.length <= 80 && sceneMark.test(line);
}
