// A project's named texts: style guide, outline and preferences when asked for, everything else always.

import { layerFragment, soundRows, words } from './layer-fragment.js';
import type { ReadLayer } from './layer-source.js';
import type { SectionId } from './layered-recipe.js';
import type { Wanted } from './wanted.js';

/** Above what was only learned with some confidence. */
const writtenRank = 2;

export const readSettings: ReadLayer = async ({ store, scene, wanted, note }) => {
  const rows = await store.settings.list(scene.project);
  return soundRows(rows, 'settings', {
    note,
    read: ({ key, text: stored }, position) => {
      const section = sectionOf(words(key), wanted);
      const text = words(stored);
      if (section === undefined || text === '') return undefined;
      return layerFragment(scene.project, {
        id: `setting:${key}`,
        source: 'settings',
        layer: 'settings',
        section,
        rank: writtenRank,
        position,
        body:
          section === 'project-settings'
            ? { kind: 'setting', name: key, text }
            : section === 'preferences'
              ? { kind: 'note', text }
              : { kind: 'passage', text },
      });
    },
  });
};

function sectionOf(key: string, wanted: Wanted): SectionId | undefined {
  switch (key) {
    case 'style_guide':
      return wanted.styleGuide ? 'style-guide' : undefined;
    case 'outline':
      return wanted.outline ? 'outline' : undefined;
    case 'user_preferences':
      return wanted.preferences ? 'preferences' : undefined;
    default:
      return 'project-settings';
  }
}
