// A project's named texts, each when it is asked for: style guide, outline and preferences by their names, others with memory.
import type { Ref } from '../../core/model/fragment.js';
import { frontLength } from '../documents/front-matter.js';
import { chapterNumber } from '../documents/numerals.js';
import { textLanguage } from '../documents/text-language.js';
import type { ContextNeeds } from '../layers/context-needs.js';
import { type LayerBody, layerFragment, readOnce, soundRows, textOf } from '../layers/layer-fragment.js';
import type { ReadLayer } from '../layers/layer-source.js';
import type { SectionId } from '../layers/layered-recipe.js';
import { isOwnKey, noteKey } from '../notes/book-notes.js';
import { frontCard } from '../notes/scene-front.js';

/** Above what was only learned with some confidence. */
const writtenRank = 2;
/** What this very chapter is meant to do. */
const sceneRank = 3;

export const readSettings: ReadLayer = async ({ store, scene, wanted, note }) => {
  const { project, title } = scene;
  const rows = await store.settings.list(project);
  const chapter = chapterNumber(title) ?? scene.chapter;
  const { preferences, memory, styleGuide, outline } = wanted;
  const place = [chapter, scene.documentId, title];
  const name = `settings ${JSON.stringify([preferences, memory, styleGuide, outline, ...place, project])}`;
  const told = readOnce(rows, name, {
    note,
    read: (toNote) =>
      soundRows(rows, 'settings', {
        note: toNote,
        read: ({ key, text: stored }, position) => {
          const section = sectionOf(textOf(key), wanted, scene.documentId);
          const text = textOf(stored);
          if (section === undefined || text === '') return undefined;
          return layerFragment(project, {
            id: `setting:${key}`,
            source: 'settings',
            layer: 'settings',
            section,
            rank: key.startsWith('scene:') ? sceneRank : writtenRank,
            position,
            ...said(section, key, text),
          });
        },
      }),
  });
  const card = outline === 'none' ? undefined : cardInChapter(scene.indexed.text);
  if (card === undefined) return told;
  const own = layerFragment(project, {
    ...{ id: `front:${scene.documentId}`, source: 'settings', layer: 'settings', section: 'outline' },
    ...{ rank: sceneRank, position: rows.length },
    body: { kind: 'titled', title, text: card },
  });
  return [...told, own];

  function said(section: SectionId, key: string, text: string): { body: LayerBody; ref?: Ref } {
    if (section === 'project-settings') return { body: { kind: 'setting', name: key, text } };
    if (section === 'preferences') return { body: { kind: 'preferences', text } };
    if (key.startsWith('scene:')) return { body: { kind: 'titled', title, text: text.trim() } };
    if (section !== 'outline' || outline === 'whole') return { body: { kind: 'passage', text } };
    const excerpt = outlineExcerpt(text, chapter);
    const body = { kind: 'passage', text: excerpt.text } as const;
    return excerpt.lines === undefined
      ? { body }
      : { body, ref: { path: `settings/${key}`, lines: excerpt.lines } };
  }
};

/** The scene card in the front matter, in the language of the chapter. */
function cardInChapter(text: string): string | undefined {
  const length = frontLength(text);
  if (length === 0) return undefined;
  const language = textLanguage([text.slice(0, length), text.slice(length, length + 2_000)]) ?? 'en';
  return frontCard(text, language)?.trim();
}

function sectionOf(key: string, wanted: ContextNeeds, documentId: string): SectionId | undefined {
  if (key === noteKey('scene', documentId)) return wanted.outline === 'none' ? undefined : 'outline';
  switch (key) {
    case 'style_guide':
      return wanted.styleGuide ? 'style-guide' : undefined;
    case 'outline':
      return wanted.outline === 'none' ? undefined : 'outline';
    case 'user_preferences':
      return wanted.preferences ? 'preferences' : undefined;
    default:
      return wanted.memory && !isOwnKey(key) ? 'project-settings' : undefined;
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
