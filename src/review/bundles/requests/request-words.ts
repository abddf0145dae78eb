// Which words a request looks for, so that all requests of an answer can be looked up together.
import { type ExtraRequest, requestSubject } from '../../plan/extra-request.js';
import type { ReviewUnit } from '../../units/unit.js';

const longest = 200;

/** What the request is about; without a word of its own, the unit's symbol. */
export function subjectOf(request: ExtraRequest, unit: ReviewUnit): string | undefined {
  const said = requestSubject(request);
  const subject = said ?? (unit.symbol ?? unit.oldSymbol)?.name;
  if (subject === undefined || request.type === 'search' || request.type === 'search_config_usage')
    return subject;
  // `Store.open()` and `pkg/store.open` are about open.
  return /([\p{L}_$][\p{L}\p{N}_$]*)\s*(?:\(.*)?$/u.exec(subject)?.[1] ?? subject;
}

export function requestWords(request: ExtraRequest, unit: ReviewUnit): string[] {
  const subject = subjectOf(request, unit);
  if (subject === undefined || request.type === 'previous_version') return [];
  const words = request.type === 'search_config_usage' ? configWords(subject) : [subject];
  return words.filter((word) => word.length > 0 && word.length <= longest && !/[\0\n]/.test(word));
}

/** A key as it stands, its last part, and as the name of an environment variable. */
export function configWords(key: string): string[] {
  const last = key.slice(Math.max(key.lastIndexOf('.'), key.lastIndexOf('/')) + 1);
  const upper = key
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toUpperCase();
  return [...new Set([key, last, upper])].filter((word) => word.length > 2);
}
