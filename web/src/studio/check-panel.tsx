// Every chapter held against the rules, without a model: a list that leads to each place.
import { useSignal } from '@preact/signals';
import type { AnswerOf } from '../../../src/operations/table.js';
import { call } from '../shell/call.js';
import { Trouble } from '../shell/trouble.js';
import { asked, goToPlace, settled } from './book.js';
import { say } from './words.js';

type Checked = AnswerOf<'book:check'>;

export function CheckPanel() {
  const checked = useSignal<Checked | undefined>(undefined);
  const failure = useSignal<unknown>(undefined);
  const isBusy = useSignal(false);
  const check = async () => {
    isBusy.value = true;
    failure.value = undefined;
    try {
      await settled();
      checked.value = await call('book:check', asked());
    } catch (error) {
      failure.value = error;
    }
    isBusy.value = false;
  };
  const { findings = [], unchecked = [] } = checked.value ?? {};
  return (
    <section aria-labelledby="check">
      <h2 id="check">{say('check.title')}</h2>
      <button type="button" class="primary" disabled={isBusy.value} onClick={() => void check()}>
        {isBusy.value ? say('busy') : say('check.run')}
      </button>
      {failure.value === undefined ? null : <Trouble error={failure.value} />}
      <p role="status">{checked.value !== undefined && findings.length === 0 ? say('check.none') : ''}</p>
      {unchecked.length === 0 ? null : (
        <p class="quiet">{say('check.unchecked', { count: unchecked.length })}</p>
      )}
      <ul class="plain">
        {findings.map(
          ({ documentId, title, line, start, end, before, quote, after, message, rule, intended }) => (
            <li key={`${documentId} ${start} ${rule}`} class="piece">
              <button type="button" onClick={() => goToPlace(documentId, start, end)}>
                {title}, {say('find.place', { line })}
              </button>{' '}
              {intended ? <span class="tag">{say('check.intended')}</span> : null}
              <br />
              {before}
              <mark>{quote}</mark>
              {after}
              <br />
              <span class="quiet">{message}</span>
            </li>
          ),
        )}
      </ul>
    </section>
  );
}
