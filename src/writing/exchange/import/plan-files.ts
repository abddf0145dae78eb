// Which files will an import write? Chapters get names that sort as they are read, cards go where the writer sees them, and
// nothing that exists is written over: the same bytes are there already, other ones get a number.
import { byCodePoint } from '../../../core/model/code-points.js';
import type { PromptLanguage } from '../../../skills/skill.js';
import { arrangeChapters } from '../../documents/chapters.js';
import type { IncomingChapter } from './incoming.js';

export interface PlannedFile {
  readonly path: string;
  readonly text: string;
}

const longestName = 60;

/** Signs that some file system does not take; a name never begins with a dot or ends with one. */
export function fileNameOf(title: string, fallback: string): string {
  const plain = title
    .normalize('NFC')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
    .replace(/[\u0000-\u001f\u007f<>:"/\\|?*#%]+/gu, ' ')
    .replace(/[\s\u3000]+/gu, ' ')
    .replace(/^[\s.~-]+|[\s.]+$/gu, '');
  const short = [...plain].slice(0, longestName).join('').trim();
  const isReserved = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i.test(short);
  return short === '' || isReserved ? fallback : short;
}

export function planChapters(
  chapters: readonly IncomingChapter[],
  { into, language, name }: { into: string; language: PromptLanguage | undefined; name: string },
): PlannedFile[] {
  const opening = language === 'en' ? 'Opening' : '卷首';
  const single = chapters.length === 1 && chapters[0]?.path === undefined;
  if (single) {
    const [only] = chapters as [IncomingChapter];
    return [
      { path: joined(into, `${fileNameOf(only.title ?? name, name)}.${only.format}`), text: only.text },
    ];
  }
  const places = placesOf(chapters);
  const width = Math.max(3, String(chapters.length).length);
  const named = (isPlain: boolean, isFlat: boolean) =>
    chapters.map((chapter, index): PlannedFile => {
      if (chapter.path !== undefined) return { path: joined(into, chapter.path), text: chapter.text };
      const { folder, number } = places[index] ?? { folder: '', number: index };
      const digits = String(isFlat ? index : number).padStart(width, '0');
      const title = chapter.title === undefined ? opening : fileNameOf(chapter.title, '');
      const file = isPlain || title === '' ? digits : `${digits} ${title}`;
      const path = `${isFlat ? '' : folder}${file}.${chapter.format}`;
      return { path: joined(into, path), text: chapter.text };
    });
  const pretty = named(false, false);
  if (isInOrder(pretty)) return pretty;
  const plain = named(true, false);
  return isInOrder(plain) ? plain : named(true, true);
}

/** A folder for each volume, in which chapters are counted from 1; what stands before the first of them is 0. */
function placesOf(chapters: readonly IncomingChapter[]): { folder: string; number: number }[] {
  const folders = new Map<string | undefined, { folder: string; next: number }>();
  return chapters.map(({ volume, title }) => {
    const volumes = [...folders.keys()].filter((each) => each !== undefined).length;
    const place = folders.get(volume) ?? {
      folder: volumeFolder(volume, volumes + 1),
      next: title === undefined ? 0 : 1,
    };
    folders.set(volume, { ...place, next: place.next + 1 });
    return { folder: place.folder, number: place.next };
  });
}

function volumeFolder(volume: string | undefined, number: number): string {
  if (volume === undefined) return '';
  return `${[String(number).padStart(2, '0'), fileNameOf(volume, '')].join(' ').trim()}/`;
}

/** Read as the folder reads them: 第一章 of the second volume must not come before the first one's 第二章. */
function isInOrder(files: readonly PlannedFile[]): boolean {
  const bytes = files.map(({ path, text }) => ({
    path,
    bytes: new TextEncoder().encode(text.slice(0, 4_000)),
  }));
  const { chapters } = arrangeChapters(bytes);
  return chapters.every(({ path }, index) => path === files[index]?.path);
}

export function joined(folder: string, path: string): string {
  return folder === '' || folder === '.' ? path : `${folder}/${path}`;
}

/** Another name for each file that is taken: `name (2).md`. Two files of one import never share a name either. */
export function freeNames(
  files: readonly PlannedFile[],
  isTaken: (path: string, text: string) => 'free' | 'same' | 'other',
): {
  readonly files: readonly (PlannedFile & { readonly isThere: boolean })[];
  readonly renamed: readonly string[];
} {
  // File systems may take A.md and a.md for one.
  const used = new Set<string>();
  const renamed: string[] = [];
  const placed = files.map((file) => {
    for (let number = 1; ; number += 1) {
      const path = number === 1 ? file.path : file.path.replace(/(\.[^./]+)?$/u, ` (${number})$1`);
      const folded = path.normalize('NFC').toLowerCase();
      const state = used.has(folded) ? 'other' : isTaken(path, file.text);
      if (state === 'other') continue;
      used.add(folded);
      if (number > 1) renamed.push(path);
      return { path, text: file.text, isThere: state === 'same' };
    }
  });
  return { files: placed, renamed: renamed.sort(byCodePoint) };
}
