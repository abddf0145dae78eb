// A project's named texts, each when it is asked for: style guide, outline and preferences by their names, others with memory.
import type { Ref } from '../../core/model/fragment.js';
import { chapterNumber } from '../documents/chapter-number.js';
import { outlineExcerpt } from '../documents/outline-excerpt.js';
import type { LayerBody } from './layer-body.js';
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
        ...said(section, key, text),
      });
    },
  });

  function said(section: SectionId, key: string, text: string): { body: LayerBody; ref?: Ref } {
    if (section === 'project-settings') return { body: { kind: 'setting', name: key, text } };
    if (section === 'preferences') return { body: { kind: 'preferences', text } };
    if (section !== 'outline' || wanted.outline === 'whole') return { body: { kind: 'passage', text } };
    const excerpt = outlineExcerpt(text, chapterNumber(scene.title) ?? scene.chapter);
    const body = { kind: 'passage', text: excerpt.text } as const;
    return excerpt.lines === undefined
      ? { body }
      : { body, ref: { path: `settings/${key}`, lines: excerpt.lines } };
  }
};

function sectionOf(key: string, wanted: Wanted): SectionId | undefined {
  switch (key) {
    case 'style_guide':
      return wanted.styleGuide ? 'style-guide' : undefined;
    case 'outline':
      return wanted.outline === 'none' ? undefined : 'outline';
    case 'user_preferences':
      return wanted.preferences ? 'preferences' : undefined;
    default:
      return wanted.memory ? 'project-settings' : undefined;
  }
}
