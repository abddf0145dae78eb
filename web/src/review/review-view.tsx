// The review of a change: which one, what a model would get of it and why, and what it found.
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { place } from '../shell/router.js';
import { Trouble } from '../shell/trouble.js';
import { word } from '../shell/words/word.js';
import { changeOf } from './change.js';
import { ChangeChoice } from './change-choice.js';
import type { ReviewedChange } from './desk.js';
import { firstChange } from './first-change.js';
import { ReviewBoard } from './review-board.js';
import { openReview, type Review } from './review-state.js';
import { serverDesk } from './server-desk.js';
import { say } from './words.js';
import './review.css';

const opened = signal<Review | undefined>(undefined);
const failure = signal<unknown>(undefined);
const isReading = signal(false);
let newest = 0;

async function read(asked: ReviewedChange | undefined): Promise<void> {
  newest += 1;
  const own = newest;
  isReading.value = true;
  failure.value = undefined;
  try {
    const { change, changes } = await firstChange(asked);
    if (own === newest) opened.value = openReview(serverDesk, change, changes);
  } catch (error) {
    if (own === newest) {
      failure.value = error;
      opened.value = undefined;
    }
  } finally {
    if (own === newest) isReading.value = false;
  }
}

export function ReviewView() {
  const asked = changeOf(place.value.query);
  const key = JSON.stringify(asked ?? null);
  useEffect(() => void read(asked), [key]);
  const review = opened.value;
  return (
    <div class="review">
      <h1>{say('title')}</h1>
      <ChangeChoice view="review" change={asked ?? review?.change} again={() => void read(asked)} />
      {failure.value === undefined ? null : <Trouble error={failure.value} />}
      {isReading.value ? <p role="status">{word('loading')}</p> : null}
      {review === undefined || isReading.value ? null : <ReviewBoard review={review} />}
    </div>
  );
}
