// The page of `galley --help`, set once when the package is built so that it comes at once.
// A narrow terminal, or a checkout that was not built, has it set on the spot.
import { readFileSync } from 'node:fs';
import type { SpokenLanguage } from './words/language.js';

export function prebuiltHelp(language: SpokenLanguage): string | undefined {
  if (helpWidth() < fullHelpWidth) return undefined;
  try {
    return readFileSync(new URL(`help.${language}.txt`, import.meta.url), 'utf8');
  } catch {
    return undefined;
  }
}

/** Lines of help are no longer than this; wider ones are harder to read. */
const fullHelpWidth = 80;

export function helpWidth(): number {
  return Math.min(process.stdout.columns ?? fullHelpWidth, fullHelpWidth);
}
