// What works on the manuscript, one panel at a time; the code of each comes when it is first shown.
import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { Trouble } from '../shell/trouble.js';
import { word } from '../shell/words/word.js';
import { chosenPanel, type PanelName, trouble } from './book.js';
import { say } from './words.js';

const panels = {
  'knows.title': async () => (await import('./knows-panel.js')).KnowsPanel,
  'skill.title': async () => (await import('./skill-panel.js')).SkillPanel,
  'history.title': async () => (await import('./history-panel.js')).HistoryPanel,
  'scene.title': async () => (await import('./scene-panel.js')).ScenePanel,
  'codex.title': async () => (await import('./codex-panel.js')).CodexPanel,
  'check.title': async () => (await import('./check-panel.js')).CheckPanel,
} as const satisfies Record<PanelName, () => Promise<ComponentType>>;
const panelNames = Object.keys(panels) as PanelName[];

const loaded = signal<Partial<Record<PanelName, ComponentType>>>({});

export function Panels() {
  const name = chosenPanel.value;
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
              chosenPanel.value = each;
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
