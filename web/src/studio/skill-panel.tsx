// A skill works on what is selected or at the cursor; its text streams in and becomes a draft that waits for the writer.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { AnswerOf } from '../../../src/operations/table.js';
import { call, stream } from '../shell/call.js';
import { project } from '../shell/start.js';
import { Trouble } from '../shell/trouble.js';
import { asked, current, revision, selected, settled, toCodePoints } from './book.js';
import { DraftView } from './draft-view.js';
import { handled } from './handled.js';
import { languageOf } from './prompt-language.js';
import { chosenSkill, isRunWanted, SkillChoice } from './skill-choice.js';
import { say } from './words.js';

type Listed = AnswerOf<'drafts:list'>['drafts'][number];

export function SkillPanel() {
  const failure = useSignal<unknown>(undefined);
  const said = useSignal('');
  const report = useSignal('');
  const running = useSignal<AbortController | undefined>(undefined);
  const input = useSignal('');
  const variants = useSignal(1);
  const shown = useSignal<string | undefined>(undefined);
  /** What the text that streams in stands in place of. */
  const before = useSignal('');
  const chapter = current.value;

  const run = async () => {
    if (chapter === undefined || running.value !== undefined) return;
    const control = new AbortController();
    running.value = control;
    said.value = '';
    report.value = '';
    failure.value = undefined;
    try {
      if (!(await settled())) return;
      const text = chapter.editor.text();
      const { from, to } = selected.peek();
      before.value = text.slice(from, to);
      const [start, end] = [toCodePoints(text, from), toCodePoints(text, to)];
      const request = {
        ...{
          ...asked(),
          documentId: chapter.documentId,
          skillId: chosenSkill.value,
          language: languageOf(text),
          variants: variants.value,
          ...handled.peek(),
        },
        ...(start < end ? { selection: { start, end } } : { cursorPosition: end }),
        ...(input.value.trim() === '' ? {} : { additionalInput: input.value }),
      };
      const answer = await stream('ai:skill:run', request, {
        signal: control.signal,
        onText: (more) => {
          said.value += more;
        },
      });
      if (answer.dryRun) return;
      shown.value = answer.draft;
      if (answer.draft === undefined) report.value = answer.text;
      revision.value += 1;
    } catch (error) {
      if (!control.signal.aborted) failure.value = error;
    } finally {
      running.value = undefined;
      said.value = '';
    }
  };

  useEffect(() => {
    if (!isRunWanted.value) return;
    isRunWanted.value = false;
    void run();
  }, [isRunWanted.value]);

  return (
    <section aria-labelledby="write">
      <h2 id="write">{say('skill.title')}</h2>
      <SkillChoice />
      <SelectionLine />
      <label>
        {say('skill.input')}{' '}
        <textarea
          rows={2}
          value={input.value}
          onInput={(event) => {
            input.value = event.currentTarget.value;
          }}
        />
      </label>
      <label>
        {say('skill.variants')}{' '}
        <input
          type="number"
          min={1}
          max={8}
          value={variants.value}
          onInput={(event) => {
            variants.value = Math.min(8, Math.max(1, Number(event.currentTarget.value) || 1));
          }}
        />
      </label>
      {project.value.hasModel ? null : <p class="quiet">{say('skill.no-model')}</p>}
      <div class="row">
        <button
          type="button"
          class="primary"
          disabled={chapter === undefined || running.value !== undefined || !project.value.hasModel}
          onClick={() => void run()}
        >
          {say('skill.run')}
        </button>
        {running.value === undefined ? null : (
          <button type="button" onClick={() => running.value?.abort()}>
            {say('skill.stop')}
          </button>
        )}
        <span role="status">{running.value === undefined ? '' : say('skill.writing')}</span>
      </div>
      {failure.value === undefined ? null : <Trouble error={failure.value} />}
      {said.value === '' ? null : (
        <div class="piece">
          {before.value === '' ? null : <del>{before.value}</del>}
          <ins>{said.value}</ins>
        </div>
      )}
      {report.value === '' ? null : (
        <>
          <h3>{say('skill.report')}</h3>
          <p class="streamed">{report.value}</p>
        </>
      )}
      {chapter === undefined ? null : (
        <Drafts
          documentId={chapter.documentId}
          shown={shown.value}
          onShow={(draft) => {
            shown.value = draft;
          }}
        />
      )}
    </section>
  );
}

/** By itself, since it is drawn at every key. */
function SelectionLine() {
  const { from, to } = selected.value;
  return <p class="quiet">{from < to ? say('selection', { count: to - from }) : say('selection.none')}</p>;
}

function Drafts({
  documentId,
  shown,
  onShow,
}: {
  documentId: string;
  shown: string | undefined;
  onShow(draft: string): void;
}) {
  const drafts = useSignal<readonly Listed[]>([]);
  const failure = useSignal<unknown>(undefined);
  useEffect(() => {
    call('drafts:list', { ...asked(), documentId }).then(
      (answer) => {
        drafts.value = answer.drafts;
      },
      (error: unknown) => {
        failure.value = error;
      },
    );
  }, [documentId, revision.value]);
  const open = drafts.value.filter(({ state }) => state === 'open' || state === 'partly applied');
  const listed = drafts.value.find(({ draft }) => draft === shown);
  return (
    <>
      <h2>{say('drafts.title')}</h2>
      {failure.value === undefined ? null : <Trouble error={failure.value} />}
      {open.length === 0 ? <p class="quiet">{say('draft.none')}</p> : null}
      <ul class="plain">
        {open.map(({ draft, state, words }) => (
          <li key={draft}>
            <button type="button" aria-pressed={draft === shown} onClick={() => onShow(draft)}>
              {draft}
            </button>{' '}
            <span class="quiet">
              {say('count', { count: words })} · {say(`draft.state.${state}`)}
            </span>
          </li>
        ))}
      </ul>
      {shown === undefined || listed === undefined ? null : <DraftView key={shown} draft={shown} />}
    </>
  );
}
