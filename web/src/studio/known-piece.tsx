// One piece of what the model is told: its words, why it is in or out, and what the writer can do about it.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { isPresent } from '../inspector/sheet.js';
import { call } from '../shell/call.js';
import { Trouble } from '../shell/trouble.js';
import { fact, reasonText } from '../shell/words/facts.js';
import { grouped } from '../shell/words/word.js';
import { asked, editCard, goToLine, revision } from './book.js';
import { Fold } from './fold.js';
import { handle, handled } from './handled.js';
import { cardOfPiece, nameOfPiece, type PieceLine, placeOfPiece, ruleOfPiece } from './pieces.js';
import { say } from './words.js';

const without = (list: readonly string[], id: string) => list.filter((each) => each !== id);

export function KnownPiece({ line, words }: { line: PieceLine; words: string }) {
  const isEditing = useSignal(false);
  const { source, verdict, reason, amount = 0 } = line;
  const isIn = isPresent(verdict);
  const isLater = reason === 'it comes later in the story';
  const isSecret = reason === 'it tells what is still a secret here';
  const name = nameOfPiece(line, words);
  const kind = source.split('/')[0] ?? source;
  return (
    <li class={isIn ? '' : 'left'}>
      <Fold
        summary={
          <>
            <strong>{name}</strong> <span class="tag">{fact(`source.${kind}`, kind)}</span>{' '}
            {isIn ? (
              say('knows.tokens', { count: grouped(amount) })
            ) : (
              <span class="tag">{say('knows.left')}</span>
            )}{' '}
            {isLater ? <span class="tag later">{say('knows.later')}</span> : null}
            {isSecret ? <span class="tag secret">{say('knows.secret')}</span> : null}{' '}
            <span class="quiet">{reasonText(reason)}</span>
          </>
        }
      >
        {() => (
          <>
            {words === '' ? null : <p class="streamed excerpt">{words}</p>}
            {isEditing.value ? (
              <RuleForm
                id={ruleOfPiece(line) ?? ''}
                onDone={() => {
                  isEditing.value = false;
                }}
              />
            ) : (
              <Handles
                line={line}
                name={name}
                isIn={isIn}
                onEdit={() => {
                  isEditing.value = true;
                }}
              />
            )}
          </>
        )}
      </Fold>
    </li>
  );
}

interface HandlesProps {
  line: PieceLine;
  name: string;
  isIn: boolean;
  onEdit(): void;
}

function Handles({ line, name, isIn, onEdit }: HandlesProps) {
  const { fragment, reason } = line;
  const { pin, without: out } = handled.value;
  const isPinned = pin.includes(fragment);
  const isOut = out.includes(fragment);
  // What stands whatever happens can be neither.
  const isFree = reason !== 'pinned' || isPinned;
  const card = cardOfPiece(line);
  const place = placeOfPiece(line);
  return (
    <div class="row">
      {!isFree || isOut ? null : (
        <button
          type="button"
          aria-pressed={isPinned}
          aria-label={say('knows.pin.label', { name })}
          onClick={() => handle({ pin: isPinned ? without(pin, fragment) : [...pin, fragment] })}
        >
          {say('knows.pin')}
        </button>
      )}
      {!isFree || isPinned || (!isIn && !isOut) ? null : (
        <button
          type="button"
          aria-pressed={isOut}
          aria-label={say('knows.drop.label', { name })}
          onClick={() => handle({ without: isOut ? without(out, fragment) : [...out, fragment] })}
        >
          {say('knows.drop')}
        </button>
      )}
      {card === undefined ? null : (
        <button type="button" aria-label={say('card.edit.label', { name })} onClick={() => editCard(card)}>
          {say('card.edit')}
        </button>
      )}
      {ruleOfPiece(line) === undefined ? null : (
        <button type="button" aria-label={say('card.edit.label', { name })} onClick={onEdit}>
          {say('card.edit')}
        </button>
      )}
      {place === undefined ? null : (
        <button type="button" onClick={() => goToLine(place.documentId, place.line)}>
          {say('knows.go')}
        </button>
      )}
    </div>
  );
}

/** A rule is one line of its file. */
function RuleForm({ id, onDone }: { id: string; onDone(): void }) {
  const text = useSignal<string | undefined>(undefined);
  const failure = useSignal<unknown>(undefined);
  useEffect(() => {
    call('constraints:list', asked()).then(
      ({ constraints }) => {
        text.value = constraints.find((each) => each.id === id)?.text ?? '';
      },
      (error: unknown) => {
        failure.value = error;
      },
    );
  }, [id]);
  const save = async () => {
    try {
      await call('constraints:update', { ...asked(), id, text: text.value ?? '' });
      revision.value += 1;
      onDone();
    } catch (error) {
      failure.value = error;
    }
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <textarea
        rows={3}
        aria-label={say('knows.rule')}
        // What was typed before the words came would be written over by them.
        disabled={text.value === undefined}
        value={text.value ?? ''}
        onInput={(event) => {
          text.value = event.currentTarget.value;
        }}
      />
      {failure.value === undefined ? null : <Trouble error={failure.value} />}
      <div class="row">
        <button type="submit" class="primary" disabled={(text.value ?? '').trim() === ''}>
          {say('knows.rule.save')}
        </button>
        <button type="button" onClick={onDone}>
          {say('cancel')}
        </button>
      </div>
    </form>
  );
}
