// The codex: who and what the book knows, when it holds, and what a sentence would call up.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { AnswerOf } from '../../../src/operations/table.js';
import { call } from '../shell/call.js';
import { Trouble } from '../shell/trouble.js';
import { word } from '../shell/words/word.js';
import { asked, type Card, cards, editCard, edited, revision } from './book.js';
import { CardForm } from './card-form.js';
import { SentenceBox } from './sentence-box.js';
import { MentionLine, mentionsOf, StoryBar } from './story-line.js';
import { say } from './words.js';

export function CodexPanel() {
  const done = () => {
    edited.value = undefined;
  };
  const kinds = [...new Set(cards.value.map(({ kind }) => kind))];
  return (
    <section aria-labelledby="codex">
      <h2 id="codex">{say('codex.title')}</h2>
      <SentenceBox />
      {edited.value === '' ? (
        <CardForm card={undefined} onDone={done} />
      ) : (
        <button
          type="button"
          onClick={() => {
            edited.value = '';
          }}
        >
          {say('card.new')}
        </button>
      )}
      {cards.value.length === 0 ? <p class="quiet">{say('codex.none')}</p> : null}
      {kinds.map((kind) => (
        <section key={kind} aria-label={kind}>
          {kinds.length === 1 ? null : <h3>{kind === '' ? say('codex.other') : kind}</h3>}
          {cards.value
            .filter((card) => card.kind === kind)
            .map((card) =>
              card.id === edited.value ? (
                <CardForm key={`${card.id} form`} card={card} onDone={done} />
              ) : (
                <CardView key={card.id} card={card} />
              ),
            )}
        </section>
      ))}
    </section>
  );
}

type Found = AnswerOf<'documents:search'>;

/** One at a time: many open cards must not keep the rest of the page waiting. */
let searching = Promise.resolve();

function CardView({ card }: { card: Card }) {
  const isOpen = useSignal(false);
  const found = useSignal<Found | undefined>(undefined);
  const failure = useSignal<unknown>(undefined);
  useEffect(() => {
    if (!isOpen.value) return;
    let isLeft = false;
    searching = searching.then(async () => {
      if (isLeft) return;
      try {
        found.value = await call('documents:search', { ...asked(), query: card.name, limit: 2_000 });
      } catch (error) {
        failure.value = error;
      }
    });
    return () => {
      isLeft = true;
    };
  }, [isOpen.value, revision.value]);
  const { name, aliases, description, facts, secrets, relations } = card;
  return (
    <details
      class="layer piece"
      onToggle={(event) => {
        isOpen.value = event.currentTarget.open;
      }}
    >
      <summary>
        <strong>{name}</strong> <span class="quiet">{aliases.join(' · ')}</span>
      </summary>
      {failure.value === undefined ? null : <Trouble error={failure.value} />}
      {found.value === undefined ? (
        isOpen.value && failure.value === undefined ? (
          <p role="status">{word('loading')}</p>
        ) : null
      ) : (
        <MentionLine mentions={mentionsOf(found.value)} />
      )}
      <p class="streamed">{description}</p>
      <ul class="plain">
        {facts.map(({ text, from, until }) => (
          <li key={`${text} ${from} ${until}`}>
            {text} <span class="tag">{spanWords(from, until)}</span>
            <StoryBar
              kind="fact"
              {...(from === undefined ? {} : { from })}
              {...(until === undefined ? {} : { until })}
            />
          </li>
        ))}
        {secrets.map(({ text, hiddenUntil }) => (
          <li key={`${text} ${hiddenUntil}`}>
            {text} <span class="tag secret">{say('codex.hidden', { chapter: hiddenUntil })}</span>
            <StoryBar kind="secret" until={hiddenUntil - 1} />
          </li>
        ))}
        {relations.map(({ to, label }) => (
          <li key={`${to} ${label}`}>
            {label} → {to}
          </li>
        ))}
      </ul>
      <div class="row">
        <button type="button" aria-label={say('card.edit.label', { name })} onClick={() => editCard(card)}>
          {say('card.edit')}
        </button>
        <code class="quiet">{card.id}</code>
      </div>
    </details>
  );
}

function spanWords(from: number | undefined, until: number | undefined): string {
  if (from !== undefined && until !== undefined) return say('codex.chapters', { from, until });
  if (from !== undefined) return say('codex.from', { from });
  return until === undefined ? say('codex.always') : say('codex.until', { until });
}
