// The page of `galley --help`, set once when the package is built so that it comes at once.
// A narrow terminal, or a checkout that was not built, has it set on the spot.
import { readFileSync } from 'node:fs';
import { fullHelpWidth, helpWidth } from './help-width.js';
import type { Language } from './words/language.js';

export function readyHelp(language: Language): string | undefined {
  if (helpWidth() < fullHelpWidth) return undefined;
  try {
    return readFileSync(new URL(`help.${language}.txt`, import.meta.url), 'utf8');
  } catch {
    return undefined;
  }
}
