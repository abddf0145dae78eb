// Which chapters make a part? Those of one folder, where the book has more than one; and what is told of all of them together.
import { byCodePoint } from '../../core/model/code-points.js';
import { hashText } from '../../meters/content-hash.js';

interface Titled {
  readonly id: string;
  readonly title: string;
}

export interface BookPart<Chapter extends Titled> {
  /** Folder with a slash behind it: no document is called so. */
  readonly about: string;
  readonly title: string;
  readonly chapters: readonly Chapter[];
}

const fewest = 3;

export function partsOf<Chapter extends Titled>(chapters: readonly Chapter[]): BookPart<Chapter>[] {
  const byFolder = new Map<string, Chapter[]>();
  for (const chapter of chapters) {
    const folder = chapter.id.includes('/') ? chapter.id.slice(0, chapter.id.lastIndexOf('/') + 1) : '';
    byFolder.set(folder, [...(byFolder.get(folder) ?? []), chapter]);
  }
  const parts = [...byFolder].filter(([folder, own]) => folder !== '' && own.length >= fewest);
  if (byFolder.size < 2) return [];
  return parts
    .map(([about, own]) => ({ about, title: about.replace(/\/$/, '').split('/').at(-1)!, chapters: own }))
    .sort((left, right) => byCodePoint(left.about, right.about));
}

/** What a part or a book is summed up from; its hash binds the summary to all of it. */
export function toldTogether(chapters: readonly { readonly title: string; readonly summary: string }[]): {
  readonly text: string;
  readonly hash: string;
} {
  const text = chapters.map(({ title, summary }) => `${title}\n${summary}`).join('\n\n');
  return { text, hash: hashText(text) };
}
