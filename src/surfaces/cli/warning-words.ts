// A warning for people: what it means in their language, with the sentence that came where they can read it, since that one
// names the details.
import { factWords, spokenLanguage } from './words/word.js';

export function warningWords({
  code = '',
  message,
}: {
  readonly code?: string;
  readonly message: string;
}): string {
  const came = message.startsWith(`${code}: `) ? message.slice(code.length + 2) : message;
  const known = factWords(`warning.${code}`, '');
  if (known === '') return came;
  if (spokenLanguage() === 'zh') return came === code ? known : `${known}（${came}）`;
  return known;
}

/** A warning as answers hold it: a bare code, or a code and a sentence. */
export function warningLine(line: string): string {
  const [, code = '', message = ''] = /^([A-Z][A-Z_]+)(?:: (.*))?$/s.exec(line) ?? [];
  return code === '' ? line : `${warningWords({ code, message: message === '' ? code : message })} (${code})`;
}
