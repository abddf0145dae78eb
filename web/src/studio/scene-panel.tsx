// The scene card of the chapter, what is meant to happen in it, and the rules its text breaks.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { AnswerOf } from '../../../src/operations/table.js';
import { call } from '../shell/call.js';
import { Trouble } from '../shell/trouble.js';
import { afterChange, asked, current, type OpenChapter, revision, settled, toCodeUnits } from './book.js';
import { judge, judged } from './judging.js';
import { say } from './words.js';

type Scene = AnswerOf<'scenes:list'>['scenes'][number];
const fields = ['pov', 'place', 'time', 'people'] as const;

export function ScenePanel() {
  const chapter = current.value;
  if (chapter === undefined) return <p class="quiet">{say('chapter.pick')}</p>;
  return (
    <>
      <SceneCard key={chapter.documentId} documentId={chapter.documentId} />
      <Findings chapter={chapter} />
    </>
  );
}

function SceneCard({ documentId }: { documentId: string }) {
  const scene = useSignal<Scene | undefined>(undefined);
  const failure = useSignal<unknown>(undefined);
  const said = useSignal('');
  useEffect(() => {
    call('scenes:list', asked()).then(
      ({ scenes }) => {
        scene.value = scenes.find((each) => each.documentId === documentId);
      },
      (error: unknown) => {
        failure.value = error;
      },
    );
  }, [documentId, revision.value]);
  const save = async (form: HTMLFormElement) => {
    const given = new FormData(form);
    const lines = (name: string) => String(given.get(name) ?? '').trim();
    const beats = lines('beats')
      .split('\n')
      .filter((line) => line.trim() !== '');
    const changed = Object.fromEntries(
      fields.map((name) => [name, lines(name)]).filter(([, words]) => words !== ''),
    );
    if (beats.length === 0 && Object.keys(changed).length === 0) return;
    try {
      failure.value = undefined;
      // A card may stand at the head of the chapter itself.
      if (!(await settled())) return;
      const request = { ...asked(), documentId, ...changed, ...(beats.length === 0 ? {} : { beats }) };
      scene.value = await call('scenes:put', request);
      form.reset();
      said.value = say('scene.saved');
      await afterChange();
    } catch (error) {
      failure.value = error;
    }
  };
  return (
    <section aria-labelledby="scene">
      <h2 id="scene">{say('scene.title')}</h2>
      {scene.value === undefined ? (
        <p class="quiet">{say('scene.none')}</p>
      ) : (
        <p class="streamed">{scene.value.text}</p>
      )}
      {failure.value === undefined ? null : <Trouble error={failure.value} />}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save(event.currentTarget);
        }}
      >
        {fields.map((name) => (
          <label key={name}>
            {say(`scene.${name}`)} <input name={name} autocomplete="off" />
          </label>
        ))}
        <label>
          {say('scene.beats')} <textarea name="beats" rows={3} />
        </label>
        <button type="submit">{say('scene.save')}</button> <span role="status">{said.value}</span>
      </form>
    </section>
  );
}

function Findings({ chapter }: { chapter: OpenChapter }) {
  const failure = useSignal<unknown>(undefined);
  const look = () => {
    failure.value = undefined;
    judge(chapter).catch((error: unknown) => {
      failure.value = error;
    });
  };
  useEffect(look, [chapter, revision.value]);
  const found = judged.value?.findings;
  return (
    <section aria-labelledby="findings">
      <h2 id="findings">{say('findings.title')}</h2>
      <button type="button" onClick={look}>
        {say('findings.run')}
      </button>
      {failure.value === undefined ? null : <Trouble error={failure.value} />}
      {found?.length === 0 ? <p class="quiet">{say('findings.none')}</p> : null}
      <ul class="plain">
        {(found ?? []).map(({ start, end, evidence, message }) => (
          <li key={`${start} ${message}`} class="piece">
            <button
              type="button"
              onClick={() => {
                const text = chapter.editor.text();
                chapter.editor.reveal(toCodeUnits(text, start), toCodeUnits(text, end));
              }}
            >
              {evidence}
            </button>
            <br />
            {message}
          </li>
        ))}
      </ul>
    </section>
  );
}
