// Where is a name written in a way that was declared wrong? A right name that contains the wrong one is not touched.
import type { Entity } from '../entities/entity.js';
import type { Hit, RuleOf } from './check.js';
import { findWord } from './word-search.js';

export function findNameVariants(
  text: string,
  rule: RuleOf<'name-variants'>,
  entities: readonly Entity[],
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
