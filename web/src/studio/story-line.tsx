// Chapters as a line from left to right: where a name stands, when a fact holds, until when a secret is kept.
import type { TargetedMouseEvent } from 'preact';
import type { AnswerOf } from '../../../src/operations/table.js';
import { chapters, goToPlace } from './book.js';
import { say } from './words.js';

type Found = AnswerOf<'documents:search'>;

const orders = () => (chapters.value ?? []).map(({ order }) => order);

/** A stretch of chapters; open where nothing is said. For the eye: words beside it say the same. */
export function StoryBar({ from, until, kind }: { from?: number; until?: number; kind: 'fact' | 'secret' }) {
  const all = orders();
  if (all.length === 0) return null;
  const start = from === undefined ? 0 : all.filter((order) => order < from).length;
  const end = until === undefined ? all.length : all.filter((order) => order <= until).length;
  const part = (count: number) => `${(100 * count) / all.length}%`;
  return (
    <div class="story-line" aria-hidden="true">
      <div
        class={`story-bar ${kind}`}
        style={{ marginInlineStart: part(start), width: part(Math.max(0, end - start)) }}
      />
    </div>
  );
}

interface Mention {
  readonly documentId: string;
  readonly order: number;
  readonly title: string;
  readonly count: number;
  readonly first?: { readonly start: number; readonly end: number };
}

/** Every chapter with the places in it. */
export function mentionsOf({ hits, rest }: Found): readonly Mention[] {
  return (chapters.value ?? []).map(({ documentId, order, title }) => {
    const here = hits.filter((hit) => hit.documentId === documentId);
    const count = here.length + (rest.find((each) => each.documentId === documentId)?.count ?? 0);
    const [first] = here;
    return { documentId, order, title, count, ...(first === undefined ? {} : { first }) };
  });
}

/** A chapter each; the mouse jumps, and the list below does the same by keys. */
export function MentionLine({ mentions }: { mentions: readonly Mention[] }) {
  const most = Math.max(1, ...mentions.map(({ count }) => count));
  const there = mentions.filter(({ count }) => count > 0);
  const jump = ({ documentId, first }: Mention) => goToPlace(documentId, first?.start ?? 0, first?.end);
  const onClick = (event: TargetedMouseEvent<HTMLDivElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const mention = mentions[Math.floor(((event.clientX - left) / width) * mentions.length)];
    if (mention !== undefined && mention.count > 0) jump(mention);
  };
  return (
    <>
      <div class="story-line mentions" aria-hidden="true" onClick={onClick}>
        {mentions.map(({ documentId, order, count }) => (
          <i
            key={documentId}
            title={say('codex.open', { chapter: order, count })}
            style={{ height: `${count === 0 ? 0 : 25 + (75 * count) / most}%` }}
          />
        ))}
      </div>
      <details>
        <summary class="quiet">
          {say('codex.mentioned', { count: there.length, total: mentions.length })}
        </summary>
        <ul class="plain">
          {there.map((mention) => (
            <li key={mention.documentId}>
              <button type="button" onClick={() => jump(mention)}>
                {mention.title}
              </button>{' '}
              <span class="quiet">{say('codex.times', { count: mention.count })}</span>
            </li>
          ))}
        </ul>
      </details>
    </>
  );
}
