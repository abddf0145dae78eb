// The codex: who and what the book knows, when it holds, and what a sentence would call up.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { AnswerOf } from '../../../src/operations/table.js';
import { isPresent } from '../inspector/sheet.js';
import { call } from '../shell/call.js';
import { Trouble } from '../shell/trouble.js';
import { asked, type Card, cards, chapters, current, goToPlace } from './book.js';
import { say } from './words.js';

export function CodexPanel() {
  return (
    <section aria-labelledby="codex">
      <h2 id="codex">{say('codex.title')}</h2>
      <SentenceBox />
      {cards.value.length === 0 ? <p class="quiet">{say('codex.none')}</p> : null}
      {cards.value.map((card) => (
        <CardView key={card.id} card={card} />
      ))}
    </section>
  );
}

type Set = AnswerOf<'context:inspect'>;
const restMs = 400;

/** As if the sentence were the chapter so far, and somebody went on with it. */
function SentenceBox() {
  const sentence = useSignal('');
  const set = useSignal<Set | undefined>(undefined);
  const failure = useSignal<unknown>(undefined);
  const chapter = current.value;
  useEffect(() => {
    if (sentence.value.trim() === '' || chapter === undefined) {
      set.value = undefined;
      return;
    }
    const leaving = new AbortController();
    const timer = setTimeout(async () => {
      const text = sentence.value.toWellFormed();
      const place = { documentId: chapter.documentId, skillId: 'continue' };
      const request = { ...asked(), ...place, text, cursorPosition: [...text].length, layout: 'exact' };
      try {
        set.value = await call('context:inspect', request, { signal: leaving.signal });
        failure.value = undefined;
      } catch (error) {
        if (!leaving.signal.aborted) failure.value = error;
      }
    }, restMs);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [sentence.value, chapter]);
  const called = (set.value?.receipt.ledger ?? []).filter(
    ({ source, verdict }) => (source === 'entities' || source === 'retrieval') && isPresent(verdict),
  );
  return (
    <>
      <label>
        {say('codex.box')}{' '}
        <textarea
          rows={2}
          aria-describedby="codex-help"
          value={sentence.value}
          onInput={(event) => {
            sentence.value = event.currentTarget.value;
          }}
        />
      </label>
      <p id="codex-help" class="quiet">
        {chapter === undefined ? say('chapter.pick') : say('codex.box.help')}
      </p>
      {failure.value === undefined ? null : <Trouble error={failure.value} />}
      <ul class="plain called" aria-live="polite" aria-label={say('codex.calls')}>
        {called.map(({ fragment, ref, source, reason }) => (
          <li key={fragment}>
            <strong>{nameOf(ref ?? fragment)}</strong> <span class="tag">{source}</span>{' '}
            <span class="quiet">{reason}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

function nameOf(ref: string): string {
  const card = cards.value.find(({ id }) => ref === id || ref.endsWith(`:${id}`));
  return card?.name ?? ref;
}

type Found = AnswerOf<'documents:search'>;

function CardView({ card }: { card: Card }) {
  const isOpen = useSignal(false);
  const found = useSignal<Found | undefined>(undefined);
  useEffect(() => {
    if (!isOpen.value || found.value !== undefined) return;
    call('documents:search', { ...asked(), query: card.name, limit: 2_000 }).then(
      (answer) => {
        found.value = answer;
      },
      () => undefined,
    );
  }, [isOpen.value]);
  const { name, kind, aliases, description, facts, secrets, relations } = card;
  return (
    <details
      class="layer piece"
      onToggle={(event) => {
        isOpen.value = event.currentTarget.open;
      }}
    >
      <summary>
        <strong>{name}</strong>{' '}
        <span class="quiet">{[kind, ...aliases].filter((each) => each !== '').join(' · ')}</span>
      </summary>
      {found.value === undefined ? null : <TimeLine found={found.value} />}
      <p class="streamed">{description}</p>
      <ul class="plain">
        {facts.map(({ text, from, until }) => (
          <li key={text}>
            {text} <span class="tag">{spanWords(from, until)}</span>
          </li>
        ))}
        {secrets.map(({ text, hiddenUntil }) => (
          <li key={text}>
            {text} <span class="tag secret">{say('codex.hidden', { chapter: hiddenUntil })}</span>
          </li>
        ))}
        {relations.map(({ to, label }) => (
          <li key={`${to} ${label}`}>
            {label} → {to}
          </li>
        ))}
      </ul>
    </details>
  );
}

function spanWords(from: number | undefined, until: number | undefined): string {
  if (from !== undefined && until !== undefined) return say('codex.chapters', { from, until });
  if (from !== undefined) return say('codex.from', { from });
  return until === undefined ? '–' : say('codex.until', { until });
}

/** The chapters in a row: where the name stands. */
function TimeLine({ found }: { found: Found }) {
  return (
    <div class="time-line">
      {(chapters.value ?? []).map(({ documentId, order }) => {
        const hits = found.hits.filter((hit) => hit.documentId === documentId);
        const count = hits.length + (found.rest.find((each) => each.documentId === documentId)?.count ?? 0);
        const label = say('codex.open', { chapter: order, count });
        return (
          <button
            key={documentId}
            type="button"
            class={count > 0 ? 'there' : ''}
            title={label}
            aria-label={label}
            disabled={hits[0] === undefined}
            onClick={() => goToPlace(documentId, hits[0]?.start ?? 0, hits[0]?.end)}
          />
        );
      })}
    </div>
  );
}
