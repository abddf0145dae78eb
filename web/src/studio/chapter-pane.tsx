// One chapter: the editor, what became of its text, and both sides where the file was changed by somebody else.
import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { place } from '../shell/router.js';
import { project } from '../shell/start.js';
import { Trouble } from '../shell/trouble.js';
import { word } from '../shell/words/word.js';
import { chapters, current, goToChapter, loadBook, nameList, selected, toCodeUnits } from './book.js';
import { followRules } from './judging.js';
import { lazyComponent } from './lazy.js';
import { type Opened, openChapter } from './open-chapter.js';
import type { Saver } from './saving.js';
import { skillButtons } from './skill-choice.js';
import { say } from './words.js';

const ConflictView = lazyComponent(async () => (await import('./conflict-view.js')).ConflictView);

export function ChapterPane({ documentId }: { documentId: string }) {
  const opened = useSignal<Opened | undefined>(undefined);
  const isMerging = useSignal(false);
  const failure = useSignal<unknown>(undefined);
  const host = useRef<HTMLDivElement>(null);
  const title = chapters.value?.find((each) => each.documentId === documentId)?.title ?? documentId;

  useEffect(() => {
    let isLeft = false;
    const open = async () => {
      const [found, { openEditor }] = await Promise.all([
        openChapter(project.value.projectId, documentId),
        import('./manuscript.js'),
      ]);
      if (isLeft || host.current === null) return found.saver.close();
      const { saver, text } = found;
      const editor = openEditor(host.current, {
        ...{ text, label: say('editor.label', { title }), names: nameList.value },
        tools: project.value.hasModel ? skillButtons : undefined,
        onTyped: () => saver.changed(),
        onSelected: ({ from, to }) => {
          selected.value = { from, to };
        },
      });
      saver.attach(editor);
      current.value = { documentId, editor, saver };
      selected.value = { from: 0, to: 0 };
      opened.value = found;
      editor.view.focus();
    };
    open().catch((error: unknown) => {
      failure.value = error;
    });
    return () => {
      isLeft = true;
      opened.value?.saver.close();
      current.value?.editor.close();
      current.value = undefined;
    };
  }, [documentId]);

  useEffect(() => (current.value === undefined ? undefined : followRules(current.value)), [opened.value]);
  useEffect(() => nameList.subscribe((names) => current.value?.editor.setNames(names)), [opened.value]);
  useEffect(() => {
    const { editor } = current.value ?? {};
    const { query } = place.value;
    const [at, line] = [query.get('at'), query.get('line')];
    if (editor === undefined) return;
    if (line !== null) return editor.revealLine(Number(line));
    if (at === null) return;
    const text = editor.text();
    const to = Number(query.get('to') ?? at);
    editor.reveal(toCodeUnits(text, Number(at)), toCodeUnits(text, to));
  }, [place.value, opened.value]);

  return (
    <>
      <header class="row studio-head">
        <h1>{title}</h1>
        {opened.value === undefined ? null : <SaveLine {...opened.value} />}
      </header>
      {failure.value === undefined ? null : <Trouble error={failure.value} />}
      {opened.value === undefined && failure.value === undefined ? (
        <p role="status">{word('loading')}</p>
      ) : null}
      {opened.value === undefined ? null : <Clash saver={opened.value.saver} merging={isMerging} />}
      <div class="manuscript" ref={host} hidden={isMerging.value} />
    </>
  );
}

/** Always there: what became of the text. */
function SaveLine({ saver, isRecovered, isCutOff }: Omit<Opened, 'text'>) {
  const state = saver.state.value;
  const isSafe = state.kind === 'saved';
  const isWaiting = state.kind === 'saving' || state.kind === 'unsaved';
  const text = state.kind === 'refused' ? say('save.refused', { why: state.why }) : say(`save.${state.kind}`);
  const kept = isSafe || isWaiting ? '' : say(saver.isKept.value ? 'save.kept' : 'save.lost');
  return (
    <p class={`save ${isSafe ? 'good' : isWaiting ? 'quiet' : 'bad'}`} role="status" data-state={state.kind}>
      {text}
      {kept === '' ? '' : ` (${kept})`}
      {isRecovered ? <span class="tag">{say('recovered')}</span> : null}
      {isCutOff ? <span class="tag">{say('cut-off')}</span> : null}
    </p>
  );
}

function Clash({ saver, merging }: { saver: Saver; merging: Signal<boolean> }) {
  const conflict = saver.conflict.value;
  const failure = useSignal<unknown>(undefined);
  useEffect(() => {
    // One text to write in: the merged one while there is one.
    if (conflict === undefined) merging.value = false;
  }, [conflict]);
  if (conflict === undefined) return null;
  const follow = async (renamed: string) => {
    try {
      await saver.followRenamed(renamed);
      await loadBook();
      goToChapter(renamed);
    } catch (error) {
      failure.value = error;
    }
  };
  const { theirs, isKept, renamed } = conflict;
  const text = theirs === undefined ? 'conflict.gone' : isKept ? 'conflict.kept' : 'conflict.text';
  return (
    <section class="conflict" role="alert">
      <p>
        {say(text)} {renamed === undefined ? '' : say('conflict.renamed', { name: renamed })}
      </p>
      {failure.value === undefined ? null : <Trouble error={failure.value} />}
      <div class="row">
        {renamed === undefined ? null : (
          <button type="button" class="primary" onClick={() => void follow(renamed)}>
            {say('conflict.follow')}
          </button>
        )}
        <button
          type="button"
          class={renamed === undefined ? 'primary' : ''}
          onClick={() => void saver.keepMine()}
        >
          {say(theirs === undefined ? 'conflict.write' : 'conflict.mine')}
        </button>
        {theirs === undefined ? null : (
          <>
            <button type="button" onClick={() => saver.takeTheirs()}>
              {say('conflict.theirs')}
            </button>
            <button
              type="button"
              aria-expanded={merging.value}
              onClick={() => {
                merging.value = !merging.value;
              }}
            >
              {say('conflict.merge')}
            </button>
          </>
        )}
      </div>
      {merging.value && theirs !== undefined ? <ConflictView theirs={theirs.text} saver={saver} /> : null}
    </section>
  );
}
