// The states of the chapter that are kept, and the way back to each.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { AnswerOf } from '../../../src/operations/table.js';
import { call } from '../shell/call.js';
import { Trouble } from '../shell/trouble.js';
import { moment } from '../shell/words/word.js';
import { afterChange, asked, current, revision, settled } from './book.js';
import { say } from './words.js';

type History = AnswerOf<'documents:history'>;
type Version = History['versions'][number];

export function HistoryPanel() {
  const history = useSignal<History | undefined>(undefined);
  const failure = useSignal<unknown>(undefined);
  const said = useSignal('');
  const documentId = current.value?.documentId;
  useEffect(() => {
    if (documentId === undefined) return;
    call('documents:history', { ...asked(), documentId }).then(
      (found) => {
        history.value = found;
      },
      (error: unknown) => {
        failure.value = error;
      },
    );
  }, [documentId, revision.value]);
  const change = async (work: () => Promise<unknown>, words: string) => {
    try {
      failure.value = undefined;
      if (!(await settled())) return;
      await work();
      said.value = words;
      await afterChange();
    } catch (error) {
      failure.value = error;
    }
  };
  const restore = ({ version }: Version) =>
    change(
      () => call('documents:restore', { ...asked(), documentId, version: String(version) }),
      say('history.restored', { version }),
    );
  const undo = () => change(() => call('drafts:undo', { ...asked(), documentId }), say('history.undone'));
  if (documentId === undefined) return <p class="quiet">{say('chapter.pick')}</p>;
  const versions = [...(history.value?.versions ?? [])].reverse();
  return (
    <section aria-labelledby="history">
      <h2 id="history">{say('history.title')}</h2>
      <button type="button" onClick={() => void undo()}>
        {say('history.undo')}
      </button>
      <p role="status">{said.value}</p>
      {failure.value === undefined ? null : <Trouble error={failure.value} />}
      {versions.length === 0 ? <p class="quiet">{say('history.none')}</p> : null}
      <ul class="plain">
        {versions.map((each) => (
          <li key={each.version} class="row">
            <span>
              {each.version}. {moment(each.at)} <span class="quiet">{kindWords(each)}</span>
            </span>
            {each.hash === history.value?.current ? (
              <span class="tag">{say('history.current')}</span>
            ) : (
              <button
                type="button"
                aria-label={say('history.restore.label', { version: each.version })}
                onClick={() => void restore(each)}
              >
                {say('history.restore')}
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function kindWords({ kind, draft = '', name }: Version): string {
  if (name !== undefined) return name;
  if (kind === 'apply') return say('history.apply', { draft });
  if (kind === 'before') return say('history.before');
  return kind === 'snapshot'
    ? say('history.snapshot')
    : say(kind === 'undo' ? 'history.undone' : 'history.restore');
}
