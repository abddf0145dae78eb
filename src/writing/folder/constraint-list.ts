// Constraints from a Markdown list: one for each item, its kind from the nearest heading, pinned with a leading 📌 or 【固定】.
import type { Constraint, ConstraintKind } from '../../store/tables/constraints.js';

const kinds: readonly (readonly [RegExp, ConstraintKind])[] = [
  [/叙述|narrat/iu, 'narrative'],
  [/角色|人物|character/iu, 'character'],
  [/世界|world/iu, 'world'],
  [/情节|剧情|plot/iu, 'plot'],
  [/风格|文风|style/iu, 'style'],
];
const pin = /^(?:📌|【固定】|\[pinned\])\s*/iu;

/** The id of a constraint is where it stands. */
export function readConstraintList(text: string, path: string): Constraint[] {
  const constraints: Constraint[] = [];
  let kind: ConstraintKind = 'style';
  text.split('\n').forEach((line, index) => {
    const heading = /^\s{0,3}#{1,6}\s+(.+)$/.exec(line)?.[1];
    if (heading !== undefined) kind = kinds.find(([words]) => words.test(heading))?.[1] ?? kind;
    const item = /^\s*(?:[-*+]|\d+[.、)])\s*(.+?)\s*$/u.exec(line)?.[1];
    if (item === undefined) return;
    const words = item.replace(pin, '');
    // Said twice in a list is said once.
    if (words === '' || constraints.some((known) => known.kind === kind && known.text === words)) return;
    constraints.push({
      id: `${path}#L${index + 1}`,
      kind,
      origin: 'project',
      priority: 0,
      pinned: pin.test(item),
      text: words,
      version: 1,
    });
  });
  return constraints;
}
