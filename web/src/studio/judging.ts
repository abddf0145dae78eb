// The rules that the chapter breaks, underlined where it breaks them, without a model: looked for when it is opened and whenever
// it was saved and nobody typed for a moment.
import { effect, signal } from '@preact/signals';
import type { AnswerOf } from '../../../src/operations/table.js';
import { call } from '../shell/call.js';
import { asked, current, type OpenChapter, toCodeUnits } from './book.js';

type Judged = AnswerOf<'constraints:judge'>;

const restMs = 1500;
/** A longer one is judged when somebody asks for it. */
const mostUnasked = 100_000;

/** Of the chapter at hand; undefined until it was judged. */
export const judged = signal<Judged | undefined>(undefined);

export async function judge(chapter: OpenChapter): Promise<void> {
  const text = chapter.editor.text().toWellFormed();
  const found = await call('constraints:judge', { ...asked(), documentId: chapter.documentId, text });
  if (current.peek() !== chapter || chapter.editor.text() !== text) return;
  judged.value = found;
  chapter.editor.underline(
    found.findings.map(({ start, end, message }) => ({
      from: toCodeUnits(text, start),
      to: toCodeUnits(text, end),
      title: message,
    })),
  );
}

/** Until it is called back. */
export function followRules(chapter: OpenChapter): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = effect(() => {
    clearTimeout(timer);
    if (chapter.saver.state.value.kind !== 'saved') return;
    timer = setTimeout(() => {
      // What cannot be judged now is judged after the next pause.
      if (chapter.editor.view.state.doc.length <= mostUnasked) judge(chapter).catch(() => undefined);
    }, restMs);
  });
  return () => {
    clearTimeout(timer);
    stop();
    judged.value = undefined;
  };
}
