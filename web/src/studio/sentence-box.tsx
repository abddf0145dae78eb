// Which cards and passages a sentence would call up, while it is typed.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { AnswerOf } from '../../../src/operations/table.js';
import { isPresent } from '../inspector/sheet.js';
import { call } from '../shell/call.js';
import { Trouble } from '../shell/trouble.js';
import { fact, reasonText } from '../shell/words/facts.js';
import { asked, chapters, current, revision } from './book.js';
import { nameOfPiece, wordsOfPieces } from './pieces.js';
import { languageOf } from './prompt-language.js';
import { say } from './words.js';

type Set = AnswerOf<'context:inspect'>;
const restMs = 300;

/** As if the sentence were the chapter so far, and somebody went on with it. */
export function SentenceBox() {
  const sentence = useSignal('');
  const set = useSignal<Set | undefined>(undefined);
  const failure = useSignal<unknown>(undefined);
  // Without an open chapter the sentence stands in the last one, where everything told so far may be known.
  const documentId = current.value?.documentId ?? chapters.value?.at(-1)?.documentId;
  useEffect(() => {
    if (sentence.value.trim() === '' || documentId === undefined) {
      set.value = undefined;
      return;
    }
    const leaving = new AbortController();
    const timer = setTimeout(async () => {
      const text = sentence.value.toWellFormed();
      const place = { documentId, skillId: 'continue' };
      const form = { layout: 'exact', language: languageOf(text) };
      const request = { ...asked(), ...place, ...form, text, cursorPosition: [...text].length };
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
  }, [sentence.value, documentId, revision.value]);
  const words = wordsOfPieces(set.value);
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
        {documentId === undefined ? say('chapter.none') : say('codex.box.help')}
      </p>
      {failure.value === undefined ? null : <Trouble error={failure.value} />}
      {set.value !== undefined && called.length === 0 ? <p class="quiet">{say('codex.calls.none')}</p> : null}
      <ul class="plain called" aria-live="polite" aria-label={say('codex.calls')}>
        {called.map((line) => (
          <li key={line.fragment}>
            <details class="piece">
              <summary>
                <strong>{nameOfPiece(line)}</strong>{' '}
                <span class="tag">{fact(`source.${line.source}`, line.source)}</span>{' '}
                <span class="quiet">{reasonText(line.reason)}</span>
              </summary>
              <p class="streamed excerpt">{words.get(line.fragment)}</p>
            </details>
          </li>
        ))}
      </ul>
    </>
  );
}
