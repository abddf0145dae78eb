// How are constraints worded? Clauses, terms in quotation marks, and the words that forbid.

export const forbidding =
  /避免|不要|不用|不使用|不得|禁止|禁用|严禁|杜绝|勿|别用|别写|不可|不能|不许|不准|不应|不该|不出现|不含|不再|\b(?:avoid|no|never|don['’]?t|do not|does not|must not|cannot|can['’]?t|without|should not|shouldn['’]?t|may not|not|ban(?:ned)?|forbidden|forbid)\b/iu;

const quoted =
  /“([^”]{1,60})”|「([^」]{1,60})」|『([^』]{1,60})』|"([^"]{1,60})"|(?<![\p{L}])[‘']([^’']{1,60})[’'](?![\p{L}])/gu;

export interface QuotedTerm {
  readonly text: string;
  readonly index: number;
}

export function quotedTerms(wording: string): readonly QuotedTerm[] {
  return Array.from(wording.matchAll(quoted), (match) => ({
    text: (match.slice(1).find((group) => group !== undefined) ?? '').replace(/[.,!?，。]+$/u, '').trim(),
    index: match.index,
  })).filter((term) => term.text !== '');
}

/** Chinese clauses end at commas too; English lists use commas, so only stronger marks part them. */
export function clausesOf(wording: string): readonly string[] {
  const border = /\p{sc=Han}/u.test(wording) ? /[，,；;。！!\n]+/u : /[;.!\n]+(?=\s|$)|,?\s+but\s+/iu;
  const clauses: string[] = [];
  for (const clause of maskedSplit(wording, border)) {
    if (/^\s*(?:和|与|及|以及|也|如|例如|比如|譬如|包括)/u.test(clause) && clauses.length > 0)
      clauses.push(`${clauses.pop()}、${clause}`);
    else if (clause.trim() !== '') clauses.push(clause.trim());
  }
  return clauses;
}

const qualified =
  /开头|结尾|句首|句末|段首|段末|连续|连用|以上|过多|过度|滥用|频繁|大量|\b(?:start|begin|end)(?:s|ning|ing)?\b|too many|too often|overus|consecutive|in a row|more than/iu;

/** Clauses that forbid something altogether, not only too much of it or in one place. */
export function plainBans(wording: string): readonly string[] {
  return clausesOf(wording).filter((clause) => forbidding.test(clause) && !qualified.test(clause));
}

/** Marks inside quotation marks part nothing. */
function maskedSplit(wording: string, border: RegExp): readonly string[] {
  const masked = wording.replace(quoted, (term) => 'x'.repeat(term.length));
  const parts: string[] = [];
  let at = 0;
  for (const { index, 0: mark } of masked.matchAll(new RegExp(border, 'giu'))) {
    parts.push(wording.slice(at, index));
    at = index + mark.length;
  }
  return [...parts, wording.slice(at)];
}
