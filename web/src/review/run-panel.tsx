// What a review costs before it is asked for, how far it is, and what it came to.
import { useSignal } from '@preact/signals';
import { Trouble } from '../shell/trouble.js';
import { grouped } from '../shell/words/word.js';
import type { ReviewSheet } from './desk.js';
import { fail, type Review, runReview } from './review-state.js';
import { wish, wishFor, wishWords } from './run-wish.js';
import { showHidden } from './shown-text.js';
import { coverageOfRun, say } from './words.js';

export function RunPanel({ review }: { review: Review }) {
  const { sheet, run, going, desk, failures } = review;
  const model = useSignal('');
  const priced = useSignal<ReviewSheet['estimate'] | undefined>(undefined);
  const { acts } = desk;
  const estimate = priced.value ?? sheet.value?.estimate;
  const named = model.value.trim() === '' ? undefined : model.value.trim();
  const price = async () => {
    priced.value = undefined;
    if (named === undefined) return;
    try {
      priced.value = (await desk.sheet(review.change, { model: named })).estimate;
    } catch (error) {
      fail(review, 'run', error);
    }
  };
  return (
    <section class="panel" aria-label={say('run.title')}>
      <h2>{say('run.title')}</h2>
      <p>{estimate === undefined ? say('price.waiting') : priceWords(estimate)}</p>
      {acts === undefined ? null : <NextRun change={review.change} />}
      {acts === undefined ? null : (
        <form
          class="row"
          onSubmit={(event) => {
            event.preventDefault();
            void runReview(review, named);
          }}
        >
          <label>
            {say('model')}{' '}
            <input
              value={model.value}
              onInput={(event) => {
                model.value = event.currentTarget.value;
              }}
              onChange={() => void price()}
              placeholder={acts.model ?? 'cli/claude'}
              required={acts.model === undefined}
              size={20}
              spellcheck={false}
            />
          </label>
          {going.value === undefined ? (
            <button type="submit" class="primary">
              {say(run.value === undefined ? 'run' : 'run.again')}
            </button>
          ) : (
            <button type="button" onClick={() => going.value?.stop()}>
              {say('cancel')}
            </button>
          )}
        </form>
      )}
      {going.value === undefined ? null : (
        <p role="status" class="row">
          <progress
            aria-label={say('run.title')}
            value={going.value.done}
            max={Math.max(1, going.value.total)}
          />
          {say('run.going', { done: going.value.done, total: going.value.total })}
        </p>
      )}
      <LivePages review={review} />
      {failures.value.run === undefined ? null : <Trouble error={failures.value.run} />}
      <Done review={review} />
    </section>
  );
}

/** How each page of the run went; those that were not reviewed are named at once. */
function LivePages({ review: { live } }: { review: Review }) {
  const pages = Object.values(live.value);
  if (pages.length === 0) return null;
  const failed = pages.filter(({ status }) => status !== 'reviewed' && status !== 'kept');
  const found = pages.reduce((sum, { findings }) => sum + findings.length, 0);
  return (
    <div class="live">
      <p class="quiet">{say('run.sofar', { n: found })}</p>
      <ol class="page-states" aria-label={say('page')}>
        {pages.map(({ page, status, findings }) => (
          <li key={page} class={status} title={say(`page.${status}`)}>
            {page}
            <span class="said">{`: ${say(`page.${status}`)}, ${say('findings')} ${findings.length}`}</span>
          </li>
        ))}
      </ol>
      {failed.map(({ page, code, status }) => (
        <p key={page} class="trouble">
          {say('run.missing', { page, code: code ?? status })}
        </p>
      ))}
    </div>
  );
}

/** How the next run differs from the usual one. */
function NextRun({ change }: { change: Review['change'] }) {
  const words = wishWords(wishFor(change));
  if (words === '') return null;
  return (
    <p class="row">
      <span>{say('wish', { words })}</span>
      <button type="button" onClick={() => wish(change, {})}>
        {say('wish.forget')}
      </button>
    </p>
  );
}

function Done({ review: { run, sheet } }: { review: Review }) {
  if (run.value === undefined) return null;
  const { model, findings, spent, missing, coverage, coverageTold = coverage, held } = run.value;
  const told = coverageOfRun(coverage, sheet.value) ?? coverageTold;
  const dollars = spent.dollars === undefined ? '' : `, ${dollarWords(spent.dollars)}`;
  return (
    <div role="status">
      <p>{say('run.done', { model, findings: findings.length, calls: spent.calls, dollars })}</p>
      {held === 0 ? null : <p class="quiet">{say('findings.held', { n: held })}</p>}
      {missing.map(({ page, code, status }) => (
        <p key={page} class="trouble">
          {say('run.missing', { page, code: code ?? status })}
        </p>
      ))}
      <p class="quiet">{showHidden(told)}</p>
    </div>
  );
}

function priceWords({ pages, calls, inputTokens, dollars }: ReviewSheet['estimate']): string {
  const facts = { pages: grouped(pages), calls: grouped(calls), tokens: grouped(inputTokens) };
  const cost =
    dollars === undefined ? say('price.unknown') : say('price.dollars', { dollars: dollarWords(dollars) });
  return say('price', facts) + cost;
}

const dollarWords = (dollars: number): string =>
  dollars === 0 ? '$0' : `$${dollars.toFixed(dollars < 0.1 ? 4 : 2)}`;
