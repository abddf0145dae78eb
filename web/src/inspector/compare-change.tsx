// One change beside another as the reviewer would get them: another branch, or the same one some commits ago.
import { useEffect, useState } from 'preact/hooks';
import type { ReviewedChange } from '../review/desk.js';
import { go, place } from '../shell/router.js';
import { Trouble } from '../shell/trouble.js';
import { word } from '../shell/words/word.js';
import { changeSource } from './change-source.js';
import { DifferenceOf } from './difference.js';
import type { Sheet } from './sheet.js';
import { say } from './words.js';

/** The same kind of change, of another head. */
function otherChange({ mode, base }: ReviewedChange, revision: string): ReviewedChange {
  if (mode === 'pr') return { mode, ...(base === undefined ? {} : { base }), head: revision };
  return { mode: 'commit', commit: revision };
}

export function CompareChange({ change }: { change: ReviewedChange }) {
  const { path, query } = place.value;
  const against = query.get('against') ?? '';
  const [sheets, setSheets] = useState<{ before: Sheet; after: Sheet }>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    setSheets(undefined);
    setError(undefined);
    if (against === '') return;
    const controller = new AbortController();
    const load = (each: ReviewedChange) => changeSource(each).load({}, controller.signal);
    Promise.all([load(otherChange(change, against)), load(change)]).then(
      ([before, after]) => setSheets({ before, after }),
      (thrown) => controller.signal.aborted || setError(thrown),
    );
    return () => controller.abort();
  }, [against, JSON.stringify(change)]);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const next = new URLSearchParams(query);
    const revision = String(form.get('against') ?? '').trim();
    if (revision === '') next.delete('against');
    else next.set('against', revision);
    go(`${path}?${next}`);
  };
  return (
    <>
      <form class="row" onSubmit={submit}>
        <label>
          {say('compare.with')}{' '}
          <input name="against" key={against} defaultValue={against} size={16} spellcheck={false} />
        </label>
        <button type="submit">{say('compare.show')}</button>
      </form>
      {error === undefined ? null : <Trouble error={error} />}
      {against === '' || error !== undefined ? null : sheets === undefined ? (
        <p role="status">{word('loading')}</p>
      ) : (
        <DifferenceOf {...sheets} isOpen />
      )}
    </>
  );
}
