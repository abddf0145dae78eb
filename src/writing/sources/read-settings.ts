// A project's named texts, each when it is asked for: style guide, outline and preferences by their names, others with memory.
import type { Ref } from '../../core/model/fragment.js';
import { chapterNumber } from '../documents/numerals.js';
import { checkPrefix } from '../folder/material.js';
import type { ContextNeeds } from '../layers/context-needs.js';
import { type LayerBody, layerFragment, readOnce, soundRows, textOf } from '../layers/layer-fragment.js';
import type { ReadLayer } from '../layers/layer-source.js';
import type { SectionId } from '../layers/layered-recipe.js';

/** Above what was only learned with some confidence. */
const writtenRank = 2;

export const readSettings: ReadLayer = async ({ store, scene, wanted, note }) => {
  const { project, title } = scene;
  const rows = await store.settings.list(project);
  const chapter = chapterNumber(title) ?? scene.chapter;
  const { preferences, memory, styleGuide, outline } = wanted;
  const name = `settings ${JSON.stringify([preferences, memory, styleGuide, outline, chapter, project])}`;
  return readOnce(rows, name, {
    note,
    read: (toNote) =>
      soundRows(rows, 'settings', {
        note: toNote,
        read: ({ key, text: stored }, position) => {
          const section = sectionOf(textOf(key), wanted);
          const text = textOf(stored);
          if (section === undefined || text === '') return undefined;
          return layerFragment(project, {
            id: `setting:${key}`,
            source: 'settings',
            layer: 'settings',
            section,
            rank: writtenRank,
            position,
            ...said(section, key, text),
          });
        },
      }),
  });

  function said(section: SectionId, key: string, text: string): { body: LayerBody; ref?: Ref } {
    if (section === 'project-settings') return { body: { kind: 'setting', name: key, text } };
    if (section === 'preferences') return { body: { kind: 'preferences', text } };
    if (section !== 'outline' || outline === 'whole') return { body: { kind: 'passage', text } };
    const excerpt = outlineExcerpt(text, chapter);
    const body = { kind: 'passage', text: excerpt.text } as const;
    return excerpt.lines === undefined
      ? { body }
      : { body, ref: { path: `settings/${key}`, lines: excerpt.lines } };
  }
};

function sectionOf(key: string, wanted: ContextNeeds): SectionId | undefined {
  switch (key) {
    case 'style_guide':
      return wanted.styleGuide ? 'style-guide' : undefined;
    case 'outline':
      return wanted.outline === 'none' ? undefined : 'outline';
    case 'user_preferences':
      return wanted.preferences ? 'preferences' : undefined;
    default:
      if (key.startsWith(checkPrefix)) return undefined;
      return wanted.memory ? 'project-settings' : undefined;
  }
}

// Where in the outline is the writer? The entries of this chapter and the next, with the lines they stand on; the whole outline
// where that cannot be told.
interface OutlineExcerpt {
  readonly text: string;
  /** One-based and inclusive; undefined for the whole. */
  readonly lines?: { readonly start: number; readonly end: number };
}

interface Entry {
  readonly number: number;
  readonly start: number;
  end: number;
}

const entryLine = /^\s*(?:#{1,6}\s+|[-*+]\s+|\d+[.、)]\s*)?(第.{1,9}[回章节话]|chapter\b.*)/iu;

export function outlineExcerpt(outline: string, chapter: number | undefined): OutlineExcerpt {
  const lines = outline.split('\n');
  const entries = entriesOf(lines);
  const at = entries.findIndex(({ number }) => number === chapter);
  if (at < 0) return { text: outline.trim() };
  const first = entries[at]!;
  const last = entries[at + 1] ?? first;
  const text = lines.slice(first.start, last.end).join('\n').trim();
  return { text, lines: { start: first.start + 1, end: last.end } };
}

/** Half-open ranges of lines, without blank lines at their end. */
function entriesOf(lines: readonly string[]): Entry[] {
  const entries: Entry[] = [];
  lines.forEach((line, index) => {
    const name = entryLine.exec(line)?.[1];
    const number = name === undefined ? undefined : chapterNumber(name);
    if (number !== undefined) entries.push({ number, start: index, end: index + 1 });
    else if (line.trim() !== '' && entries.length > 0 && !/^#{1,2}\s/.test(line))
      entries.at(-1)!.end = index + 1;
  });
  return entries;
}
