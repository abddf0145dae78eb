// Does a constraint say who tells the story?
import type { DeclaredCheck } from './check.js';
import { clausesOf, forbidding } from './constraint-wording.js';

const first = /第一人称|\b(?:first|1st)[- ]person\b/iu;
const third = /第三人称|\b(?:third|3rd)[- ]person\b/iu;
const teller =
  /以([\p{sc=Han}]{2,4}?)的?第一人称|主角(?:是|为|叫|名叫)[“「]?([\p{sc=Han}]{2,4}?)[”」]?(?=$|[，。；])/u;

export function readPerson(wording: string): DeclaredCheck | undefined {
  const wanted = new Set<'first' | 'third'>();
  const unwanted = new Set<'first' | 'third'>();
  for (const clause of clausesOf(wording)) {
    for (const [person, pattern] of [
      ['first', first],
      ['third', third],
    ] as const) {
      const index = clause.search(pattern);
      if (index < 0) continue;
      const isForbidden =
        forbidding.test(clause.slice(0, index)) ||
        /^[^，。]{0,8}(?:禁止|不可|不允许|is forbidden|not allowed)/iu.test(clause.slice(index + 4));
      (isForbidden ? unwanted : wanted).add(person);
    }
  }
  if (wanted.size > 1) return undefined;
  const person =
    [...wanted][0] ?? (unwanted.size === 1 ? (unwanted.has('first') ? 'third' : 'first') : undefined);
  if (person === undefined) return undefined;
  const named = teller.exec(wording);
  const protagonist = named?.[1] ?? named?.[2];
  const isName =
    protagonist !== undefined && !/^(?:主角|主人公|男主|女主|严格|固定|统一|作者)/u.test(protagonist);
  return { kind: 'narrative-person', person, ...(isName ? { protagonist } : {}) };
}
