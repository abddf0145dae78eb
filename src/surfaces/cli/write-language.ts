// In which language is the prompt of a chapter set? As the flag says, else as the chapter and the constraints are written.
import { isGalleyError } from '../../core/model/error.js';
import type { PromptLanguage } from '../../skills/skill.js';
import { textLanguage } from '../../writing/documents/text-language.js';
import type { WriteDesk } from './write-desk.js';

export interface LanguageOptions {
  readonly language?: string;
}

/** The field of the request; without it where nothing is written yet. */
export async function languageField(
  desk: WriteDesk,
  documentId: string,
  { language: wish }: LanguageOptions,
): Promise<{ language?: string }> {
  const language = wish ?? (await languageOf(desk, documentId));
  return language === undefined ? {} : { language };
}

async function languageOf(desk: WriteDesk, documentId: string): Promise<PromptLanguage | undefined> {
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
