// galley write search: every place where something is said, chapter by chapter, with the sentence around it.
import type { AnswerOf } from '../../../operations/table.js';
import { wholeNumber } from '../shell/read-input.js';
import { colours } from '../terminal/colours.js';
import { padded } from '../terminal/table.js';
import { print, printJson, sayWarnings } from '../terminal/talk.js';
import { counted, word } from '../words/word.js';
import { findChapter } from './chapter.js';
import { type WriteOptions, withWriteProject } from './write-project.js';

export interface SearchOptions extends WriteOptions {
  readonly in?: string;
  readonly most?: string;
  readonly exact?: boolean;
  readonly wholeWord?: boolean;
  readonly near?: string;
}

type Found = AnswerOf<'documents:search'>;
type Hit = Found['hits'][number];

const maxRest = 8;

export async function searchCommand(query: string, options: SearchOptions): Promise<void> {
  await withWriteProject(options, 'reads', async (project) => {
    sayWarnings((await project.follow())?.warnings ?? []);
    const { in: chapter, most, near, exact, wholeWord } = options;
    const found = await project.call('documents:search', {
      query,
      ...(chapter === undefined ? {} : { documentId: (await findChapter(project, chapter)).documentId }),
      ...(most === undefined ? {} : { limit: wholeNumber(most, '--most', 1) }),
      ...(near === undefined ? {} : { near: wholeNumber(near, '--near', 1) }),
      ...(exact === true ? { exact } : {}),
      ...(wholeWord === true ? { wholeWord } : {}),
    });
    if (project.json) return printJson(found);
    print(found.total === 0 ? nothing(found) : pageOf(found));
  });
}

function nothing({ searched }: Found): string {
  return `${word('search.none', { chapters: counted(searched.chapters, 'chapter') })}\n`;
}

function pageOf(found: Found): string {
  let chapter: string | undefined;
  const lines = found.hits.map((hit) => {
    const head = hit.documentId === chapter ? '' : `\n${colours.bold(shown(hit.title))}\n`;
    chapter = hit.documentId;
    return `${head}${hitLine(hit)}\n`;
  });
  return `${lines.join('')}\n${told(found)}\n`;
}

function hitLine(hit: Hit): string {
  const points = [...hit.sentence];
  const part = (from: number, to?: number) => shown(points.slice(from, to).join(''));
  const dots = hit.isCut ? '…' : '';
  const words = colours.yellow(colours.bold(part(hit.from, hit.to)));
  const place = word('search.place', { paragraph: hit.paragraph, line: hit.line });
  return `  ${colours.dim(padded(place, 16))}  ${dots}${part(0, hit.from)}${words}${part(hit.to)}${dots}`;
}

/** On one line, and nothing that a terminal would obey. */
function shown(text: string): string {
  return text.replace(/\s+/gu, ' ').replace(/\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu, '?');
}

/** How it was looked for, how much there is, and where the rest stands. */
function told({ kind, words, total, hits, rest }: Found): string {
  const how = kind === 'words' ? '' : ` ${word(`search.${kind}`, { words: words.join('、') })}`;
  const count = word(total === 1 ? 'search.one' : 'search.many', {
    n: total,
    chapters: counted(new Set([...hits, ...rest].map(({ documentId }) => documentId)).size, 'chapter'),
  });
  if (rest.length === 0) return `${count}${how}`;
  const places = rest.slice(0, maxRest).map((chapter) => `${shown(chapter.title)} (${chapter.count})`);
  const more = rest.length > maxRest ? ` ${word('count.more', { n: rest.length - maxRest })}` : '';
  return `${count}${how}\n${word('search.rest', { shown: hits.length, places: `${places.join(' · ')}${more}` })}`;
}
