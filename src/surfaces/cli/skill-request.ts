// The request of a skill run, from the flags that `write run` and `write skills show` share.
import { GalleyError } from '../../core/model/error.js';
import { wholeNumber } from './whole-number.js';
import { cursorOf, findChapter } from './write-chapter.js';
import type { WriteDesk, WriteOptions } from './write-desk.js';
import { type LanguageOptions, languageField } from './write-language.js';

export interface SkillRunOptions extends WriteOptions, LanguageOptions {
  readonly cursor?: string;
  readonly select?: string;
  readonly ask?: string;
  readonly model?: string;
  readonly budget?: string;
  readonly explain?: boolean;
}

export interface AskedSkill {
  readonly skill: string;
  readonly chapter: string;
}

export async function skillRequest(
  desk: WriteDesk,
  { skill: skillId, chapter }: AskedSkill,
  options: SkillRunOptions,
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
