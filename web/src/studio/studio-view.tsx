// The studio: chapters on the left, the manuscript in the middle, and what works on it on the right.
import { useEffect } from 'preact/hooks';
import { project } from '../shell/start.js';
import { Trouble } from '../shell/trouble.js';
import { word } from '../shell/words/word.js';
import { BeginView } from './begin-view.js';
import { chapters, documentHere, loadBook, trouble } from './book.js';
import { ChapterList } from './chapter-list.js';
import { ChapterPane } from './chapter-pane.js';
import { takesDrops } from './exchange.js';
import './studio.css';
import { Panels } from './studio-panels.js';
import { say } from './words.js';

export function StudioView() {
  const isBegun = project.value.isBegun;
  useEffect(() => {
    if (isBegun) void loadBook();
  }, [isBegun]);
  if (!isBegun) return <BeginView />;
  const document = documentHere.value;
  if (trouble.value !== undefined && chapters.value === undefined)
    return (
      <>
        <Trouble error={trouble.value} />
        <button type="button" onClick={() => void loadBook()}>
          {word('again')}
        </button>
      </>
    );
  return (
    <div class={document === '' ? 'studio' : 'studio has-chapter'} {...takesDrops}>
      <ChapterList />
      <section class="studio-text" aria-label={say('chapters')}>
        {document === '' ? (
          <p class="quiet">{say('chapter.pick')}</p>
        ) : (
          <ChapterPane key={document} documentId={document} />
        )}
      </section>
      <Panels />
    </div>
  );
}
