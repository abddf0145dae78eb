// The studio: chapters on the left, the manuscript in the middle, and what works on it on the right.
import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { project } from '../shell/start.js';
import { Trouble } from '../shell/trouble.js';
import { word } from '../shell/words/word.js';
import { BeginView } from './begin-view.js';
import { chapters, documentHere, loadBook, trouble } from './book.js';
import { ChapterList } from './chapter-list.js';
import { ChapterPane } from './chapter-pane.js';
import './studio.css';
import { say } from './words.js';

const panels = {
  'knows.title': async () => (await import('./knows-panel.js')).KnowsPanel,
  'skill.title': async () => (await import('./skill-panel.js')).SkillPanel,
  'history.title': async () => (await import('./history-panel.js')).HistoryPanel,
  'scene.title': async () => (await import('./scene-panel.js')).ScenePanel,
  'codex.title': async () => (await import('./codex-panel.js')).CodexPanel,
  'check.title': async () => (await import('./check-panel.js')).CheckPanel,
} as const;
type PanelName = keyof typeof panels;
const panelNames = Object.keys(panels) as PanelName[];

const chosen = signal<PanelName>('knows.title');
const loaded = signal<Partial<Record<PanelName, ComponentType>>>({});

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
    <div class={document === '' ? 'studio' : 'studio has-chapter'}>
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

function Panels() {
  const name = chosen.value;
  useEffect(() => {
    if (name in loaded.value) return;
    panels[name]().then(
      (panel) => {
        loaded.value = { ...loaded.value, [name]: panel };
      },
      (error: unknown) => {
        trouble.value = error;
      },
    );
  }, [name]);
  const Shown = loaded.value[name];
  return (
    <aside class="studio-side" aria-label={say('panels')}>
      <div class="row studio-tabs">
        {panelNames.map((each) => (
          <button
            key={each}
            type="button"
            aria-pressed={each === name}
            onClick={() => {
              chosen.value = each;
            }}
          >
            {say(each)}
          </button>
        ))}
      </div>
      {trouble.value === undefined ? null : <Trouble error={trouble.value} />}
      {Shown === undefined ? <p role="status">{word('loading')}</p> : <Shown />}
    </aside>
  );
}
