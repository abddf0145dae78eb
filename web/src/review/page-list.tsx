// The pages as they would be sent: how much each weighs, which files are on it, and what stands there beside the diff.
import { useSignal } from '@preact/signals';
import { queryOf } from '../../../src/surfaces/page/saved-review.js';
import { grouped } from '../shell/words/word.js';
import type { ReviewSheet } from './desk.js';
import type { Review } from './review-state.js';
import { showHidden } from './shown-text.js';
import { say } from './words.js';

const mostAtOnce = 50;

export function PageList({ review: { sheet, desk, change } }: { review: Review }) {
  const most = useSignal(mostAtOnce);
  const pages = sheet.value?.pages ?? [];
  if (pages.length === 0) return null;
  return (
    <details class="pages">
      <summary>
        {say('pages.title')} ({grouped(pages.length)})
      </summary>
      {desk.acts === undefined ? null : <a href={`#/sent?${queryOf(change)}`}>{say('pages.sent')}</a>}
      {pages.slice(0, most.value).map((page) => (
        <PageFacts key={page.page} page={page} />
      ))}
      {pages.length <= most.value ? null : (
        <button
          type="button"
          onClick={() => {
            most.value += mostAtOnce;
          }}
        >
          … {grouped(pages.length - most.value)}
        </button>
      )}
    </details>
  );
}

function PageFacts({ page: { page, tokens, pieces, context } }: { page: ReviewSheet['pages'][number] }) {
  const files = new Set(pieces.map(({ path }) => path));
  return (
    <section aria-label={say('page.one', { n: page })}>
      <h3>
        {say('page.one', { n: page })}{' '}
        <span class="quiet">
          {say('pages.facts', { files: grouped(files.size), tokens: grouped(tokens) })}
        </span>
      </h3>
      <ul>
        {context.map(({ path, side, startLine, endLine, why }) => (
          <li key={`${side}:${path}:${startLine}`}>
            <code>
              {showHidden(path)}:{startLine}–{endLine}
            </code>{' '}
            {showHidden(why)}
          </li>
        ))}
      </ul>
    </section>
  );
}
