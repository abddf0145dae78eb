// A review in one file, opened from disk: the same view, with its data beside it and nobody to ask.
import { render } from 'preact';
import type { SavedReview } from '../../src/surfaces/page/saved-review.js';
import { ReviewBoard } from './review/review-board.js';
import { openReview } from './review/review-state.js';
import { savedDesk } from './review/saved-desk.js';
import { say } from './review/words.js';
import { LanguageButton } from './shell/language-button.js';
import './shell/style.css';
import './review/review.css';

const data = document.getElementById('galley-review')?.textContent;
const place = document.getElementById('page');
if (data && place !== null) {
  const saved = JSON.parse(data) as SavedReview;
  const review = openReview(savedDesk(saved), saved.change, saved.changes);
  render(<SavedView name={saved.name} review={review} />, place);
}

function SavedView({ name, review }: { name: string; review: ReturnType<typeof openReview> }) {
  const { mode, base, head, commit } = review.change;
  return (
    <>
      <header class="bar">
        <strong class="brand">Galley</strong>
        <span class="project">{name}</span>
        <LanguageButton />
      </header>
      <main class="review">
        <h1>{say('title')}</h1>
        <p>
          {say(`change.${mode}`)} <code>{[base, head, commit].filter(Boolean).join(' … ')}</code>
        </p>
        <ReviewBoard review={review} />
      </main>
    </>
  );
}
