// Does a constraint say how a name must not be written?

import type { StoryEntity } from '../entities/entity.js';
import type { DeclaredCheck, Hit, RuleOf } from './check.js';
import { quotedTerms } from './constraint-wording.js';
import { findWord } from './words.js';

const wrongly =
  /(?:不要|不得|不能|不可|切勿|请勿|勿|别|不应|不|禁止|而非|而不是|不是)(?:再)?(?:错|误)?(?:写成|写作|写为|叫成|叫做|称为|称作|拼成|拼作|混写为|错写成|写错成|误写为|误作)|\b(?:never|not|don['’]t|do not)\b(?: (?:be )?(?:spell(?:ed)?|writ(?:e|ten)|call(?:ed)?|as|it|him|her|them))*/iu;
const bareChinese = /([\p{sc=Han}]{2,4}?)$/u;

export function readNames(wording: string): DeclaredCheck | undefined {
  const match = wrongly.exec(wording);
  if (match === null) return undefined;
  const chinese = /[写叫称拼误]/u.test(match[0]);
  const terms = quotedTerms(wording);
  const names = terms.filter((term) => term.index < match.index).map((term) => term.text);
  const variants = terms
    .filter((term) => term.index >= match.index + match[0].length)
    .map((term) => term.text);
  const aboutNames = names.length > 0 || /名|姓|称|角色|人物/u.test(wording.slice(0, match.index));
  if (variants.length > 0 && aboutNames) return { kind: 'name-variants', names, variants };
  if (!chinese) return undefined;
  const rest = wording.slice(match.index + match[0].length);
  const unquoted = rest.split(/[、，。；或和]/u).filter((term) => /^\p{sc=Han}{2,4}$/u.test(term));
  const name = bareChinese.exec(
    wording
      .slice(0, match.index)
      .replace(/[，、\s]+$/u, '')
      .replace(/的(?:名字|姓名)$/u, ''),
  )?.[1];
  if (name === undefined) return undefined;
  // A spelling slip keeps most of the name.
  const slips = unquoted.filter(
    (term) => term.length === name.length && [...term].some((point) => name.includes(point)),
  );
  return slips.length === 0 ? undefined : { kind: 'name-variants', names: [name], variants: slips };
}

// Where is a name written in a way that was declared wrong? A right name that contains the wrong one is not touched.
export function findNameVariants(
  text: string,
  rule: RuleOf<'name-variants'>,
  entities: readonly StoryEntity[],
): readonly Hit[] {
  const meant = entities.filter(({ id }) => rule.entityId === undefined || id === rule.entityId);
  const variants = [
    ...rule.variants,
    ...(rule.variants.length > 0 && rule.entityId === undefined
      ? []
      : meant.flatMap((entity) => entity.forbiddenVariants ?? [])),
  ];
  const right = [...rule.names, ...meant.flatMap((entity) => [entity.name, ...(entity.aliases ?? [])])];
  const rightPlaces = right.flatMap((name) => findWord(text, name));
  const hits = variants.flatMap((variant) => findWord(text, variant));
  return hits
    .filter((hit) => !rightPlaces.some((place) => place.start <= hit.start && hit.end <= place.end))
    .map(({ start, end }) => ({
      start,
      end,
      message: {
        zh: right[0] === undefined ? '名字的写法有误。' : `名字的写法有误，应为“${right[0]}”。`,
        en:
          right[0] === undefined
            ? 'A wrong spelling of a name.'
            : `A wrong spelling of the name "${right[0]}".`,
      },
    }));
}
