// A review or a receipt in one file, opened from disk: the same view, with its data beside it and nobody to ask.
import { type ComponentChildren, render } from 'preact';
import type { Saved } from '../../src/surfaces/page/saved-page.js';
import type { SavedReceipt } from '../../src/surfaces/page/saved-review.js';
import { Inspector } from './inspector/inspector.js';
import { isReceipt, sheetOf } from './inspector/sheet.js';
import { say as sayOfPrompt } from './inspector/words.js';
import { ReviewBoard } from './review/review-board.js';
import { openReview } from './review/review-state.js';
import { savedDesk } from './review/saved-desk.js';
import { say } from './review/words.js';
import { LanguageButton } from './shell/language-button.js';
import { moment } from './shell/words/word.js';
import './shell/style.css';
import './review/review.css';

const data = document.getElementById('galley-saved')?.textContent;
const place = document.getElementById('page');
if (data && place !== null) {
  const saved = JSON.parse(data) as Saved;
  if ('receipt' in saved) render(<ReceiptPage {...saved.receipt} />, place);
  else {
    const { review: kept } = saved;
    const review = openReview(savedDesk(kept), kept.change, kept.changes);
    render(<ReviewPage name={kept.name} review={review} />, place);
  }
}

function Frame({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <>
      <header class="bar">
        <strong class="brand">Galley</strong>
        <span class="project">{name}</span>
        <LanguageButton />
      </header>
      {children}
    </>
  );
}

function ReviewPage({ name, review }: { name: string; review: ReturnType<typeof openReview> }) {
  const { mode, base, head, commit } = review.change;
  return (
    <Frame name={name}>
      <main class="review">
        <h1>{say('title')}</h1>
        <p>
          {say(`change.${mode}`)} <code>{[base, head, commit].filter(Boolean).join(' … ')}</code>
        </p>
        <ReviewBoard review={review} />
      </main>
    </Frame>
  );
}

function ReceiptPage({ id, operation, createdAt, seal, value }: SavedReceipt) {
  return (
    <Frame name={operation}>
      <main>
        <h1>{sayOfPrompt('runs.receipt')}</h1>
        <p>
          <time>{moment(createdAt)}</time> <code>{id}</code>
        </p>
        {seal === 'altered' ? (
          <p class="trouble" role="alert">
            {sayOfPrompt('runs.failed')}
          </p>
        ) : null}
        <p class="quiet">{sayOfPrompt('runs.notext')}</p>
        {isReceipt(value) ? <Inspector sheet={sheetOf(value)} /> : <p>{sayOfPrompt('runs.other')}</p>}
      </main>
    </Frame>
  );
}
