// The book as it goes out: its chapters in reading order, each as blocks. Notes that no reader is to see stay behind and are counted.
import type { Store } from '../../../store/store.js';
import { textLanguage } from '../../documents/text-language.js';
import { type Block, wordsOf } from '../book/blocks.js';
import { readMarkdown } from '../book/read-markdown.js';
import { readPlain } from '../book/read-plain.js';

export interface OutgoingChapter {
  readonly title: string;
  readonly blocks: readonly Block[];
  /** As it stands, where a format takes it so; undefined where it has to be written anew. */
  readonly source: { readonly format: 'md' | 'txt'; readonly text: string };
}

export interface OutgoingBook {
  readonly title: string;
  readonly author?: string | undefined;
  /** A tag of BCP 47. */
  readonly language: string;
  /** Milliseconds since 1970; files carry it as the time of their last change. */
  readonly modified: number;
  readonly chapters: readonly OutgoingChapter[];
  /** Comments and front matter that were left out. */
  readonly notes: number;
}

export interface BookFacts {
  readonly title: string;
  readonly author?: string | undefined;
  readonly language?: string | undefined;
  readonly modified: number;
}

export async function gatherBook(store: Store, project: string, facts: BookFacts): Promise<OutgoingBook> {
  const chapters: OutgoingChapter[] = [];
  let notes = 0;
  for (const { id, title } of await store.documents.list(project)) {
    const { text } = await store.documents.get(project, id);
    const read = readChapter({ id, title, text });
    notes += read.notes;
    chapters.push(read.chapter);
  }
  const language = facts.language ?? languageTag(chapters);
  return { ...facts, language, chapters, notes };
}

function readChapter({ id, title, text }: { id: string; title: string; text: string }) {
  const format = formatOf(id, text);
  const { blocks, notes } = format === 'md' ? readMarkdown(text) : { blocks: readPlain(text), notes: 0 };
  // A file says its title itself, or is named after it; an application may keep the title beside the text.
  const isFile = /\.(?:md|markdown|txt)$/i.test(id);
  const isSaid =
    isFile || title === id || blocks.slice(0, 3).some((block) => wordsOf(block).trim() === title.trim());
  const heading: Block = { kind: 'heading', level: 2, spans: [{ text: title }] };
  const chapter = {
    title,
    blocks: isSaid ? blocks : [heading, ...blocks],
    source: { format, text: isSaid ? text : `${format === 'md' ? '## ' : ''}${title}\n\n${text}` },
  } as const;
  return { chapter, notes };
}

function formatOf(id: string, text: string): 'md' | 'txt' {
  if (/\.(?:md|markdown)$/i.test(id)) return 'md';
  if (/\.txt$/i.test(id)) return 'txt';
  return /^\s{0,3}#{1,6}\s+\S/mu.test(text.slice(0, 4_000)) ? 'md' : 'txt';
}

const traditional = /[這個們來為國時會對發後裡說過還麼從當嗎聽]/u;
const simplified = /[这个们来为国时会对发后里说过还么从当吗听]/u;

/** The script matters for Chinese: readers choose the font by it. */
function languageTag(chapters: readonly OutgoingChapter[]): string {
  const sample = chapters.slice(0, 5).map(({ source }) => source.text.slice(0, 20_000));
  if (textLanguage(sample) !== 'zh') return 'en';
  const text = sample.join('');
  const count = (signs: RegExp) => text.match(new RegExp(signs, 'gu'))?.length ?? 0;
  return count(traditional) > count(simplified) ? 'zh-Hant' : 'zh-Hans';
}
