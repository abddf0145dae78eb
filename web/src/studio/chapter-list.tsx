// Chapters in reading order with their lengths and summaries, a search through the whole book, and books that come in and go out.
import { useSignal } from '@preact/signals';
import { useState } from 'preact/hooks';
import type { AnswerOf } from '../../../src/operations/table.js';
import { call } from '../shell/call.js';
import { Trouble } from '../shell/trouble.js';
import { grouped, word } from '../shell/words/word.js';
import {
  asked,
  chapters,
  documentHere,
  goToChapter,
  goToPlace,
  linkToChapter,
  loadBook,
  settled,
  summaryStates,
  trouble,
} from './book.js';
import { Exchange } from './exchange.js';
import { say } from './words.js';

export function ChapterList() {
  return (
    <nav class="studio-chapters" aria-label={say('chapters')}>
      <Search />
      <h2>{say('chapters')}</h2>
      {chapters.value === undefined ? (
        <p role="status">{word('loading')}</p>
      ) : chapters.value.length === 0 ? (
        <p class="quiet">{say('chapter.none')}</p>
      ) : (
        <ol class="plain studio-list">
          {chapters.value.map(({ documentId, title, words }) => {
            const state = summaryStates.value[documentId] ?? 'none';
            return (
              <li key={documentId}>
                <a
                  href={linkToChapter(documentId)}
                  aria-current={documentId === documentHere.value ? 'page' : undefined}
                >
                  {title}
                </a>
                <span class="quiet">
                  {words === undefined ? '…' : say('count', { count: grouped(words) })} ·{' '}
                  {say(`summary.${state}`)}
                </span>
              </li>
            );
          })}
        </ol>
      )}
      <NewChapter />
      <Exchange />
    </nav>
  );
}

function NewChapter() {
  const [name, setName] = useState<string | undefined>(undefined);
  const [error, setError] = useState<unknown>();
  const make = async () => {
    const documentId = /\.(md|markdown|txt)$/i.test(name ?? '') ? (name ?? '') : `${name}.md`;
    try {
      setError(undefined);
      await call('documents:write', {
        ...asked(),
        documentId,
        text: `# ${documentId.replace(/\.\w+$/, '')}\n\n`,
      });
      setName(undefined);
      await loadBook();
      goToChapter(documentId);
    } catch (refusal) {
      setError(refusal);
    }
  };
  if (name === undefined)
    return (
      <button type="button" onClick={() => setName('')}>
        {say('chapter.new')}
      </button>
    );
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault();
        void make();
      }}
    >
      <label>
        {say('chapter.new.name')}{' '}
        <input value={name} onInput={(event) => setName(event.currentTarget.value)} />
      </label>
      <button type="submit" disabled={name.trim() === ''}>
        {say('chapter.new')}
      </button>
      <button type="button" onClick={() => setName(undefined)}>
        {say('cancel')}
      </button>
      {error === undefined ? null : <Trouble error={error} />}
    </form>
  );
}

type Found = AnswerOf<'documents:search'>;

function Search() {
  const query = useSignal('');
  const found = useSignal<Found | undefined>(undefined);
  const waited = useSignal<string | undefined>(undefined);
  const search = async () => {
    // Finds that go later would take the focus of a keyboard with them.
    found.value = undefined;
    const asks = query.value;
    waited.value = asks.trim() === '' ? undefined : asks;
    if (waited.value === undefined) return;
    try {
      await settled();
      const answer = await call('documents:search', { ...asked(), query: asks, limit: 100 });
      if (waited.value === asks) found.value = answer;
    } catch (error) {
      trouble.value = error;
    }
    if (waited.value === asks) waited.value = undefined;
  };
  return (
    <search>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          void search();
        }}
      >
        <input
          type="search"
          aria-label={say('find.title')}
          placeholder={say('find.title')}
          value={query.value}
          onInput={(event) => {
            query.value = event.currentTarget.value;
            if (query.value === '') found.value = waited.value = undefined;
          }}
        />
      </form>
      <div role="status" aria-live="polite">
        {found.value === undefined
          ? waited.value && word('loading')
          : found.value.total === 0
            ? say('find.none')
            : say('find.total', { count: grouped(found.value.total) })}
      </div>
      {found.value === undefined || found.value.hits.length === 0 ? null : (
        <ul class="plain studio-hits">
          {found.value.hits.map((hit) => {
            const points = [...hit.sentence];
            return (
              <li key={`${hit.documentId} ${hit.start}`}>
                <button type="button" onClick={() => goToPlace(hit.documentId, hit.start, hit.end)}>
                  {points.slice(0, hit.from).join('')}
                  <mark>{points.slice(hit.from, hit.to).join('')}</mark>
                  {points.slice(hit.to).join('')}
                  <span class="quiet">
                    {' '}
                    {hit.title}, {say('find.place', { line: hit.line })}
                  </span>
                </button>
              </li>
            );
          })}
        </ul>
      )}
    </search>
  );
}
