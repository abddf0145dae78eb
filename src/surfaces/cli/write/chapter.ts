// Which chapter is meant: its path, its number, or words of its title that fit only one.
import { GalleyError, isGalleyError } from '../../../core/model/error.js';
import type { PromptLanguage } from '../../../skills/prompt-language.js';
import { chapterNumber } from '../../../writing/documents/chapter-number.js';
import { textLanguage } from '../../../writing/documents/text-language.js';
import { wholeNumber } from '../shell/read-input.js';
import type { WriteOptions, WriteProject } from './write-project.js';

interface Entry {
  readonly documentId: string;
  readonly title: string;
  readonly order: number;
}

export async function findChapter(desk: WriteProject, words: string): Promise<Entry> {
  const { documents } = await desk.call<{ documents: readonly Entry[] }>('documents:list');
  const path = words.replaceAll('\\', '/').replace(/^\.\//, '');
  const exact = documents.find(({ documentId }) => documentId === path);
  if (exact !== undefined) return exact;
  const [inPath, inTitle] = [path.toLowerCase(), words.toLowerCase()];
  const named = documents.filter(
    ({ documentId, title }) =>
      documentId.toLowerCase().includes(inPath) || title.toLowerCase().includes(inTitle),
  );
  const numbered = documents.filter((entry) => chapterNumberOf(entry) === wantedNumber(words));
  const isNumber = /^\d+$/.test(words) && numbered.length > 0;
  const found = isNumber || named.length === 0 ? numbered : named;
  if (found.length === 1 && found[0] !== undefined) return found[0];
  const names = (found.length > 1 ? found : documents).slice(0, 8).map(({ documentId }) => documentId);
  throw new GalleyError(
    'NOT_FOUND',
    found.length > 1
      ? `Several chapters fit; name one of ${names.join(', ')}.`
      : `No chapter fits; ${names.length === 0 ? 'there are no Markdown or text files here' : `there are ${names.join(', ')}`}.`,
  );
}

/** What a chapter is called by: the number in its title, else its place. */
export function chapterNumberOf({ title, order }: Pick<Entry, 'title' | 'order'>): number {
  return chapterNumber(title) ?? order;
}

/** 7, 第七章, chapter 7: a number and nothing else; 第七章 also finds 第七回. */
function wantedNumber(words: string): number | undefined {
  const isOrdinal = /^\s*(?:第\s*\S{1,8}\s*[回章节卷部幕集话篇折出]|[a-z]+\s+\S+|\d+)\s*$/iu.test(words);
  return isOrdinal ? chapterNumber(words) : undefined;
}

/** Code points; the end of the chapter unless told. */
export function cursorOf(text: string | undefined): number {
  if (text === undefined || text === 'end') return Number.MAX_SAFE_INTEGER;
  const value = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(value)) return value;
  throw new GalleyError(
    'INVALID_ARGUMENT',
    '--cursor must be "end" or a number of characters from the start.',
  );
}

// In which language is the prompt of a chapter set? As the flag says, else as the chapter and the constraints are written.
export interface LanguageOptions {
  readonly language?: string;
}

/** The field of the request; without it where nothing is written yet. */
export async function languageField(
  desk: WriteProject,
  documentId: string,
  { language: wish }: LanguageOptions,
): Promise<{ language?: string }> {
  const language = wish ?? (await languageOf(desk, documentId));
  return language === undefined ? {} : { language };
}

async function languageOf(desk: WriteProject, documentId: string): Promise<PromptLanguage | undefined> {
  try {
    const [document, { constraints }] = await Promise.all([
      desk.call<{ title: string; text: string }>('documents:get', { documentId }),
      desk.call<{ constraints: readonly { text: string }[] }>('constraints:list'),
    ]);
    return textLanguage([document.title, document.text, ...constraints.map(({ text }) => text)]);
  } catch (error) {
    // What cannot be read is told by the command itself, which may do without it.
    if (isGalleyError(error)) return undefined;
    throw error;
  }
}

// The request of a skill run, from the flags that `write run` and `write skills show` share.
export interface SkillRunFlags extends WriteOptions, LanguageOptions {
  readonly cursor?: string;
  readonly select?: string;
  readonly ask?: string;
  readonly model?: string;
  readonly budget?: string;
  readonly explain?: boolean;
}

interface NamedSkill {
  readonly skill: string;
  readonly chapter: string;
}

export async function skillRequest(
  desk: WriteProject,
  { skill: skillId, chapter }: NamedSkill,
  options: SkillRunFlags,
): Promise<object> {
  const { documentId } = await findChapter(desk, chapter);
  return {
    skillId,
    documentId,
    ...(await languageField(desk, documentId, options)),
    ...(options.select === undefined ? {} : { selection: rangeOf(options.select) }),
    ...(options.cursor === undefined ? {} : { cursorPosition: cursorOf(options.cursor) }),
    ...(options.ask === undefined ? {} : { additionalInput: options.ask }),
    ...(options.model === undefined ? {} : { model: options.model }),
    ...(options.budget === undefined
      ? {}
      : { budget: { tokens: wholeNumber(options.budget, '--budget', 1) } }),
  };
}

function rangeOf(text: string): { start: number; end: number } {
  const [, start, end] = /^(\d+)[:-](\d+)$/.exec(text) ?? [];
  if (start !== undefined && end !== undefined) return { start: Number(start), end: Number(end) };
  throw new GalleyError('INVALID_ARGUMENT', '--select must be two numbers of characters, such as 120:180.');
}
