// In which language is something written? Told by the share of Chinese characters among its letters; without letters nobody knows.
import type { PromptLanguage } from '../../skills/skill.js';

/** A Chinese character says about as much as four letters: at this share half of what is said is said in Chinese. */
const chineseFrom = 0.2;
/** Code units of each text: its beginning tells enough. */
const mostRead = 100_000;

export function textLanguage(texts: readonly string[]): PromptLanguage | undefined {
  let han = 0;
  let letters = 0;
  for (const text of texts) {
    const read = text.slice(0, mostRead);
    han += read.match(/\p{sc=Han}/gu)?.length ?? 0;
    letters += read.match(/\p{L}/gu)?.length ?? 0;
  }
  if (letters === 0) return undefined;
  return han >= chineseFrom * letters ? 'zh' : 'en';
}
