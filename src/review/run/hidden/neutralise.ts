// Shows what a reader could not see, line by line: the text keeps its lines, and every kind of hidden text is accounted for.
import { hiddenCharacters, showHidden } from '../../findings/hidden-characters.js';
import { lineIndexes } from '../line-places.js';
import { commentsToModels } from './comments-to-models.js';
import { type HiddenKind, hiddenKind } from './hidden-kind.js';

export interface HiddenHit {
  readonly kind: HiddenKind;
  /** Zero-based line of the text. */
  readonly lineIndex: number;
  readonly count: number;
}

export interface NeutralText {
  readonly text: string;
  readonly hits: readonly HiddenHit[];
  /** Whether the text differs from what was given. */
  readonly changed: boolean;
}

// Most lines are plain, and need no closer look.
const plain = /^[\t\x20-\x7e]*$/;

export function neutralise(text: string, path = ''): NeutralText {
  const hits: HiddenHit[] = [];
  let changed = false;
  const lines = text.split('\n').map((line, lineIndex) => {
    // The carriage return of a line end is no trick; one inside a line is.
    const end = line.endsWith('\r') ? '\r' : '';
    const body = end === '' ? line : line.slice(0, -1);
    if (plain.test(body)) return line;
    const counts = new Map<HiddenKind, number>();
    for (const character of hiddenCharacters(body)) {
      const kind = hiddenKind(character);
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
    }
    if (counts.size === 0) return line;
    changed = true;
    for (const [kind, count] of counts) hits.push({ kind, lineIndex, count });
    return showHidden(body) + end;
  });
  const comments = lineIndexes(text, commentsToModels(text, path));
  for (const lineIndex of comments) hits.push({ kind: 'comment-to-model', lineIndex, count: 1 });
  return { text: changed ? lines.join('\n') : text, hits, changed };
}
