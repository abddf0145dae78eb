// A card as it is written: names, words, facts and secrets with their chapters. Saving changes the lines of its file and no other.
import { useSignal } from '@preact/signals';
import { call } from '../shell/call.js';
import { Trouble } from '../shell/trouble.js';
import { asked, type Card, loadCards, revision } from './book.js';
import { say } from './words.js';

type Dated = { readonly text: string; readonly from: string; readonly until: string };

const inclusions = ['always', 'detected', 'manual', 'never'] as const;
const emptyLine: Dated = { text: '', from: '', until: '' };
const shown = (chapter: number | undefined) => (chapter === undefined ? '' : String(chapter));
const listed = (text: string) =>
  text
    .split(/[,，、\n]/)
    .map((each) => each.trim())
    .filter((each) => each !== '');
const chapterOf = (words: string) => (words.trim() === '' ? undefined : Number(words));

export function CardForm({ card, onDone }: { card: Card | undefined; onDone(saved?: Card): void }) {
  const failure = useSignal<unknown>(undefined);
  const isBusy = useSignal(false);
  const isSure = useSignal(false);
  const name = useSignal(card?.name ?? '');
  const kind = useSignal(card?.kind ?? '');
  const aliases = useSignal((card?.aliases ?? []).join(', '));
  const description = useSignal(card?.description ?? '');
  const inclusion = useSignal<Card['inclusion']>(card?.inclusion ?? 'detected');
  const facts = useSignal<readonly Dated[]>(
    (card?.facts ?? []).map(({ text, from, until }) => ({ text, from: shown(from), until: shown(until) })),
  );
  const secrets = useSignal<readonly Dated[]>(
    (card?.secrets ?? []).map(({ text, hiddenUntil }) => ({ text, from: '', until: shown(hiddenUntil) })),
  );

  const attempt = async (work: () => Promise<void>) => {
    isBusy.value = true;
    failure.value = undefined;
    try {
      await work();
      await loadCards();
      revision.value += 1;
    } catch (error) {
      failure.value = error;
    }
    isBusy.value = false;
  };
  const save = () =>
    attempt(async () => {
      const filled = (lines: readonly Dated[]) => lines.filter(({ text }) => text.trim() !== '');
      const saved = await call('entities:put', {
        ...asked(),
        ...(card === undefined ? {} : { id: card.id, version: card.version }),
        ...{ name: name.value.trim(), kind: kind.value.trim(), aliases: listed(aliases.value) },
        ...{ description: description.value, inclusion: inclusion.value },
        ...{ neverTrimmed: card?.neverTrimmed ?? false, relations: card?.relations ?? [] },
        facts: filled(facts.value).map(({ text, from, until }) => {
          const [first, last] = [chapterOf(from), chapterOf(until)];
          return {
            text: text.trim(),
            ...(first === undefined ? {} : { from: first }),
            ...(last === undefined ? {} : { until: last }),
          };
        }),
        secrets: filled(secrets.value).map(({ text, until }) => ({
          text: text.trim(),
          hiddenUntil: chapterOf(until) ?? 1,
        })),
      });
      onDone(saved);
    });
  const remove = () =>
    attempt(async () => {
      if (card !== undefined) await call('entities:delete', { ...asked(), id: card.id });
      onDone();
    });

  return (
    <form
      class="piece card-form"
      aria-label={card === undefined ? say('card.new') : say('card.edit.label', { name: card.name })}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <label>
        {say('card.name')}{' '}
        <input
          required
          autocomplete="off"
          value={name.value}
          onInput={(event) => {
            name.value = event.currentTarget.value;
          }}
        />
      </label>
      <div class="card-pair">
        <label>
          {say('card.kind')}{' '}
          <input
            autocomplete="off"
            value={kind.value}
            onInput={(event) => {
              kind.value = event.currentTarget.value;
            }}
          />
        </label>
        <label>
          {say('card.inclusion')}{' '}
          <select
            value={inclusion.value}
            onChange={(event) => {
              inclusion.value = event.currentTarget.value as Card['inclusion'];
            }}
          >
            {inclusions.map((each) => (
              <option key={each} value={each}>
                {say(`card.inclusion.${each}`)}
              </option>
            ))}
          </select>
        </label>
      </div>
      <label>
        {say('card.aliases')}{' '}
        <input
          autocomplete="off"
          value={aliases.value}
          onInput={(event) => {
            aliases.value = event.currentTarget.value;
          }}
        />
      </label>
      <label>
        {say('card.description')}{' '}
        <textarea
          rows={4}
          value={description.value}
          onInput={(event) => {
            description.value = event.currentTarget.value;
          }}
        />
      </label>
      <Lines
        of="fact"
        lines={facts.value}
        onChange={(next) => {
          facts.value = next;
        }}
      />
      <Lines
        of="secret"
        lines={secrets.value}
        onChange={(next) => {
          secrets.value = next;
        }}
      />
      {failure.value === undefined ? null : <Trouble error={failure.value} />}
      <div class="row">
        <button type="submit" class="primary" disabled={isBusy.value || name.value.trim() === ''}>
          {say('card.save')}
        </button>
        <button type="button" onClick={() => onDone()}>
          {say('cancel')}
        </button>
        {card === undefined ? null : (
          <button
            type="button"
            disabled={isBusy.value}
            onClick={() => {
              if (isSure.value) void remove();
              else isSure.value = true;
            }}
          >
            {isSure.value ? say('card.delete.sure') : say('card.delete')}
          </button>
        )}
      </div>
    </form>
  );
}

interface LinesProps {
  of: 'fact' | 'secret';
  lines: readonly Dated[];
  onChange(lines: readonly Dated[]): void;
}

/** Facts have a first and a last chapter, secrets the one in which they come out. */
function Lines({ of, lines, onChange }: LinesProps) {
  const set = (nth: number, change: Partial<Dated>) =>
    onChange(lines.map((line, index) => (index === nth ? { ...line, ...change } : line)));
  const ends = of === 'fact' ? (['from', 'until'] as const) : (['until'] as const);
  return (
    <fieldset>
      <legend>{say(`card.${of}s`)}</legend>
      {lines.map((line, nth) => (
        <div class="card-line" key={nth}>
          <textarea
            rows={2}
            aria-label={say(`card.${of}`, { number: nth + 1 })}
            value={line.text}
            onInput={(event) => set(nth, { text: event.currentTarget.value })}
          />
          {ends.map((end) => (
            <label key={end}>
              {say(`card.${of}.${end}` as 'card.fact.from')}{' '}
              <input
                type="number"
                min={1}
                step={1}
                required={of === 'secret' && line.text.trim() !== ''}
                value={line[end]}
                onInput={(event) => set(nth, { [end]: event.currentTarget.value })}
              />
            </label>
          ))}
          <button
            type="button"
            aria-label={say(`card.${of}.remove`, { number: nth + 1 })}
            onClick={() => onChange(lines.filter((_, index) => index !== nth))}
          >
            ×
          </button>
        </div>
      ))}
      <button type="button" onClick={() => onChange([...lines, emptyLine])}>
        {say(`card.${of}.add`)}
      </button>
    </fieldset>
  );
}
