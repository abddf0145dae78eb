// Which change is looked at; the answer goes into the address.
import { useState } from 'preact/hooks';
import { queryOf } from '../../../src/surfaces/page/saved-review.js';
import { go } from '../shell/router.js';
import type { ReviewedChange } from './desk.js';
import { say } from './words.js';

const modes = ['working', 'staged', 'commit', 'pr'] as const;

interface Choice {
  /** Where the change is shown. */
  readonly view: 'review' | 'sent';
  again(): void;
}

export function ChangeChoice({ change, ...choice }: { change: ReviewedChange | undefined } & Choice) {
  const key = JSON.stringify(change ?? null);
  return <Form key={key} change={change ?? { mode: 'working' }} {...choice} />;
}

function Form({ change, view, again }: { change: ReviewedChange } & Choice) {
  const [mode, setMode] = useState(change.mode);
  const field = (name: 'base' | 'head' | 'commit', label: string, hint: string) => (
    <label>
      {label}{' '}
      <input name={name} defaultValue={change[name] ?? ''} placeholder={hint} size={14} spellcheck={false} />
    </label>
  );
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const text = (name: string) => String(form.get(name) ?? '').trim();
    const chosen: ReviewedChange = {
      mode,
      ...(mode === 'pr' ? { base: text('base'), head: text('head') } : {}),
      ...(mode === 'commit' ? { commit: text('commit') || 'HEAD' } : {}),
      ...(change.paths === undefined ? {} : { paths: change.paths }),
    };
    const before = location.hash;
    go(`${view}?${queryOf(chosen)}`);
    if (location.hash === before) again();
  };
  return (
    <form class="row change-choice" onSubmit={submit}>
      <label>
        {say('change')}{' '}
        <select
          name="mode"
          value={mode}
          onChange={(event) => setMode(event.currentTarget.value as typeof mode)}
        >
          {modes.map((each) => (
            <option key={each} value={each}>
              {say(`change.${each}`)}
            </option>
          ))}
        </select>
      </label>
      {mode === 'pr' ? field('base', say('base'), say('base.any')) : null}
      {mode === 'pr' ? field('head', say('head'), 'HEAD') : null}
      {mode === 'commit' ? field('commit', say('revision'), 'HEAD') : null}
      {change.paths === undefined ? null : <code>-- {change.paths.join(' ')}</code>}
      <button type="submit">{say('show.change')}</button>
    </form>
  );
}
