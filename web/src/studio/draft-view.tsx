// A draft as a difference to the chapter: taken in whole, piece by piece, or not at all.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { AnswerOf } from '../../../src/operations/table.js';
import { call } from '../shell/call.js';
import { Trouble } from '../shell/trouble.js';
import { afterChange, asked, revision, settled } from './book.js';
import { say } from './words.js';

type Draft = AnswerOf<'drafts:get'>;

export function DraftView({ draft }: { draft: string }) {
  const shown = useSignal<Draft | undefined>(undefined);
  const failure = useSignal<unknown>(undefined);
  const chosen = useSignal<ReadonlySet<number>>(new Set());
  const attempt = async (work: () => Promise<unknown>) => {
    try {
      failure.value = undefined;
      await work();
    } catch (error) {
      failure.value = error;
    }
  };
  useEffect(() => {
    void attempt(async () => {
      const found = await call('drafts:get', { ...asked(), draft });
      shown.value = found;
      const open = found.pieces.filter(({ isApplied }) => !isApplied);
      chosen.value = new Set(open.map(({ piece }) => piece));
    });
  }, [draft, revision.value]);
  const apply = (pieces: readonly number[]) =>
    attempt(async () => {
      if (!(await settled())) return;
      await call('drafts:apply', { ...asked(), draft, pieces });
      await afterChange();
    });
  const discard = () =>
    attempt(async () => {
      await call('drafts:discard', { ...asked(), draft });
      revision.value += 1;
    });
  if (shown.value === undefined)
    return failure.value === undefined ? null : <Trouble error={failure.value} />;
  const { pieces, isStale, state } = shown.value;
  const open = pieces.filter(({ isApplied }) => !isApplied);
  const picked = open.filter(({ piece }) => chosen.value.has(piece)).map(({ piece }) => piece);
  return (
    <section aria-label={draft}>
      {failure.value === undefined ? null : <Trouble error={failure.value} />}
      {isStale && state === 'open' ? <p class="quiet">{say('draft.stale')}</p> : null}
      {pieces.map(({ piece, before, after, line, isApplied }) => (
        <div class="piece" key={piece}>
          <label>
            <input
              type="checkbox"
              checked={isApplied || chosen.value.has(piece)}
              disabled={isApplied}
              onChange={() => {
                const next = new Set(chosen.value);
                if (!next.delete(piece)) next.add(piece);
                chosen.value = next;
              }}
            />{' '}
            {say('draft.piece', { piece, line })}{' '}
            {isApplied ? <span class="tag">{say('draft.applied')}</span> : null}
          </label>
          {before === '' ? null : <del>{before}</del>}
          {after === '' ? null : <ins>{after}</ins>}
        </div>
      ))}
      <div class="row">
        <button
          type="button"
          class="primary"
          disabled={picked.length === 0}
          onClick={() => void apply(picked)}
        >
          {picked.length === open.length ? say('accept') : say('accept.chosen')}
        </button>
        <button type="button" onClick={() => void discard()}>
          {say('draft.discard')}
        </button>
      </div>
    </section>
  );
}
