// Which chapter is meant, in which language its prompt is set, and the request of a skill run on it.
import { GalleyError, isGalleyError } from '../../../core/model/error.js';
import type { AnswerOf } from '../../../operations/table.js';
import type { PromptLanguage } from '../../../skills/skill.js';
import { chapterNumber } from '../../../writing/documents/numerals.js';
import { placeAfter, selectionIn } from '../../../writing/documents/select.js';
import { textLanguage } from '../../../writing/documents/text-language.js';
import { closestWord, wholeNumber } from '../shell/read-input.js';
import type { WriteOptions, WriteProject } from './write-project.js';

type Chapter = AnswerOf<'documents:list'>['documents'][number];

const mostNamed = 8;

/** Where chapters are asked for. */
export type ChapterProject = Pick<WriteProject, 'call'>;

/** By its path, its number, or words of its title that fit only one. */
export async function findChapter(project: ChapterProject, words: string): Promise<Chapter> {
  const { documents } = await project.call('documents:list');
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
  const all = (found.length > 1 ? found : documents).map(({ documentId }) => documentId);
  const more = all.length > mostNamed ? ` … and ${all.length - mostNamed} more` : '';
  const names = `${all.slice(0, mostNamed).join(', ')}${more}`;
  throw new GalleyError(
    'NOT_FOUND',
    found.length > 1
      ? `Several chapters fit; name one of ${names}.`
      : `No chapter fits; ${all.length === 0 ? 'there are no Markdown or text files here' : `there are ${names}`}.`,
  );
}

/** What a chapter is called by: the number in its title, else its place. */
export function chapterNumberOf({ title, order }: Pick<Chapter, 'title' | 'order'>): number {
  return chapterNumber(title) ?? order;
}

/** 7, 第七章, chapter 7: a number and nothing else; 第七章 also finds 第七回. */
export function wantedNumber(words: string): number | undefined {
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

export interface LanguageOptions {
  readonly language?: string;
}

/** As the flag says, else as the chapter and the constraints are written; without the field where nothing is written yet. */
export async function languageField(
  project: ChapterProject,
  documentId: string,
  { language: wish }: LanguageOptions,
): Promise<{ language?: string }> {
  const language = wish ?? (await languageOf(project, documentId));
  return language === undefined ? {} : { language };
}

async function languageOf(project: ChapterProject, documentId: string): Promise<PromptLanguage | undefined> {
  try {
    const [document, { constraints }] = await Promise.all([
      project.call('documents:get', { documentId }),
      project.call('constraints:list'),
    ]);
    return textLanguage([document.title, document.text, ...constraints.map(({ text }) => text)]);
  } catch (error) {
    // What cannot be read is told by the command itself, which may do without it.
    if (isGalleyError(error)) return undefined;
    throw error;
  }
}

/** The flags that `write run` and `write skills show` share. */
export interface SkillRunFlags extends WriteOptions, LanguageOptions {
  readonly cursor?: string;
  /** A quotation behind which the cursor is. */
  readonly after?: string;
  readonly select?: string;
  readonly from?: string;
  readonly to?: string;
  readonly paragraph?: string;
  readonly lines?: string;
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
  project: WriteProject,
  { skill: skillId, chapter }: NamedSkill,
  options: SkillRunFlags,
): Promise<object> {
  const { documentId } = await findChapter(project, chapter);
  await mustKnow(project, skillId);
  return {
    skillId,
    documentId,
    ...(await languageField(project, documentId, options)),
    ...(await placeFields(project, documentId, options)),
    ...(options.ask === undefined ? {} : { additionalInput: options.ask }),
    ...(options.model === undefined ? {} : { model: options.model }),
    ...(options.budget === undefined
      ? {}
      : { budget: { tokens: wholeNumber(options.budget, '--budget', 1) } }),
  };
}

async function mustKnow(project: WriteProject, skill: string): Promise<void> {
  const ids = (await project.call('skills:list')).skills.map(({ id }) => id);
  if (ids.includes(skill)) return;
  const meant = closestWord(skill, ids);
  const advice = meant === undefined ? '.' : `; did you mean ${meant}?`;
  throw new GalleyError('NOT_FOUND', `No skill is called ${skill}${advice} galley write skills lists them.`);
}

/** Where the skill works: as it is quoted, counted or given in characters. */
async function placeFields(
  project: WriteProject,
  documentId: string,
  options: SkillRunFlags,
): Promise<{ selection?: object; cursorPosition?: number }> {
  const { select, cursor, after, from, to, paragraph: paragraphs, lines } = options;
  if (select !== undefined) return { selection: rangeOf(select) };
  if (cursor !== undefined) return { cursorPosition: cursorOf(cursor) };
  if ([after, from, to, paragraphs, lines].every((flag) => flag === undefined)) return {};
  const { text } = await project.call('documents:get', { documentId });
  if (after !== undefined) return { cursorPosition: placeAfter(text, after) };
  const selection = selectionIn(text, { from, to, paragraphs, lines });
  return selection === undefined ? {} : { selection };
}

function rangeOf(text: string): { start: number; end: number } {
  const [, start, end] = /^(\d+)[:-](\d+)$/.exec(text) ?? [];
  if (start !== undefined && end !== undefined) return { start: Number(start), end: Number(end) };
  throw new GalleyError('INVALID_ARGUMENT', '--select must be two numbers of characters, such as 120:180.');
}
