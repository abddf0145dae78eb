// Both texts side by side: the file on the left, the writer's on the right, to be edited until it says what is meant.
import { MergeView } from '@codemirror/merge';
import { EditorState } from '@codemirror/state';
import { useEffect, useRef } from 'preact/hooks';
import { current } from './book.js';
import { editorBasics } from './manuscript.js';
import type { Saver } from './saving.js';
import { say } from './words.js';

/** The arrow between the texts: takes what the file has at this place. */
function takeControl(): HTMLElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = '⇝';
  button.title = say('conflict.take');
  button.setAttribute('aria-label', button.title);
  return button;
}

export function ConflictView({ theirs, saver }: { theirs: string; saver: Saver }) {
  const host = useRef<HTMLDivElement>(null);
  const merge = useRef<MergeView | undefined>(undefined);
  useEffect(() => {
    if (host.current === null) return;
    const shown = new MergeView({
      parent: host.current,
      a: {
        doc: theirs,
        extensions: [editorBasics(say('conflict.theirs.label')), EditorState.readOnly.of(true)],
      },
      b: { doc: current.value?.editor.text() ?? '', extensions: editorBasics(say('conflict.mine.label')) },
      revertControls: 'a-to-b',
      renderRevertControl: takeControl,
      collapseUnchanged: { margin: 2 },
      diffConfig: { scanLimit: 5000, timeout: 1500 },
    });
    merge.current = shown;
    return () => shown.destroy();
  }, [theirs]);
  return (
    <>
      <p class="row quiet studio-sides">
        <span>{say('conflict.theirs.label')}</span>
        <span>{say('conflict.mine.label')}</span>
      </p>
      <div class="merge" ref={host} />
      <button
        type="button"
        class="primary"
        onClick={() => {
          current.value?.editor.show(merge.current?.b.state.doc.toString() ?? '');
          void saver.keepMine();
        }}
      >
        {say('conflict.use')}
      </button>
    </>
  );
}
