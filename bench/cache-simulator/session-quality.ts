// What does a steady layout cost? Its passages and its text beside those of the exact layout, judged by a search of its own.
import type { EditingSession } from './editing-session.js';
import type { EngineCall } from './engine-run.js';
import { passageWorth } from './library-search.js';

export interface SessionQuality {
  /** Part of the passages of the exact layout that are shown, too. */
  readonly samePassages: number;
  /** Worth of the passages shown, relative to the exact layout, for the scene and for the last sentences. */
  readonly worthForScene: number;
  readonly worthForSentences: number;
  /** Tokens of text before the cursor, relative to the exact layout. */
  readonly text: number;
  readonly passageChanges: number;
}

const lastSentences = 300;

export function sessionQuality(
  { library, steps }: EditingSession,
  steady: readonly EngineCall[],
  exact: readonly EngineCall[],
): SessionQuality {
  const worth = passageWorth(library);
  const sums = { shared: 0, of: 0, scene: [0, 0], sentences: [0, 0], changes: 0 };
  let before = '';
  steps.forEach(({ query, text }, index) => {
    const [mine, theirs] = [passagesOf(steady[index]), passagesOf(exact[index])];
    sums.of += theirs.size;
    for (const id of theirs.keys()) if (mine.has(id)) sums.shared += 1;
    [mine, theirs].forEach((passages, at) => {
      const texts = [...passages.values()];
      sums.scene[at]! += worth(texts, query);
      sums.sentences[at]! += worth(texts, text.slice(-lastSentences));
    });
    const order = [...mine.keys()].join(' ');
    if (index > 0 && order !== before) sums.changes += 1;
    before = order;
  });
  const immediate = (results: readonly EngineCall[]) =>
    results.reduce((sum, { layers }) => sum + layers.immediate.tokens, 0);
  return {
    samePassages: sums.shared / Math.max(1, sums.of),
    worthForScene: sums.scene[0]! / sums.scene[1]!,
    worthForSentences: sums.sentences[0]! / sums.sentences[1]!,
    text: immediate(steady) / immediate(exact),
    passageChanges: sums.changes,
  };
}

function passagesOf(result: EngineCall | undefined): Map<string, string> {
  const bytes = Buffer.from(result?.text ?? '');
  return new Map(
    (result?.spans ?? [])
      .filter(({ fragment }) => fragment.startsWith('chunk:'))
      .map(({ fragment, start, end }) => [fragment, bytes.toString('utf8', start, end)]),
  );
}
