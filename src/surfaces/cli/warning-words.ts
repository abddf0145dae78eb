// A warning for people: what it means in their language, with the sentence that came, since that one names the details.
import { factWords } from './words/word.js';

export function warningWords({
  code,
  message,
}: {
  readonly code?: string;
  readonly message: string;
}): string {
  const known = factWords(`warning.${code ?? ''}`, message);
  return known === message ? message : `${known}（${message}）`;
}
