// Which item of a list is meant: by the number it has in the list, by its words or a part of them that only one has.
import { GalleyError } from '../../../core/model/error.js';

interface Listed {
  readonly id: string;
}

/** `command` lists what there is. */
export function pick<Row extends Listed>(
  rows: readonly Row[],
  words: string,
  { saidBy, command }: { saidBy(row: Row): readonly string[]; command: string },
): Row {
  const number = /^#?(\d+)$/u.exec(words.trim())?.[1];
  const numbered = number === undefined ? undefined : rows[Number(number) - 1];
  if (numbered !== undefined) return numbered;
  const wanted = folded(words);
  const named = (fits: (said: string) => boolean) =>
    rows.filter((row) => row.id === words || saidBy(row).some((said) => fits(folded(said))));
  const whole = named((said) => said === wanted);
  const found = whole.length > 0 || wanted === '' ? whole : named((said) => said.includes(wanted));
  const [first, ...others] = found;
  if (first !== undefined && others.length === 0) return first;
  if (first === undefined)
    throw new GalleyError('NOT_FOUND', `Nothing there fits; ${command} lists what there is.`);
  const numbers = found.map((row) => rows.indexOf(row) + 1).join(', ');
  throw new GalleyError('INVALID_ARGUMENT', `Several fit; say the number, one of ${numbers}.`);
}

function folded(words: string): string {
  return words.normalize('NFKC').trim().replace(/\s+/gu, ' ').toLowerCase();
}
