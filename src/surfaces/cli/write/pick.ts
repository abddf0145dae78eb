// Which item of a list is meant: by the number it has in the list, by its words or a part of them that only one has. Who goes by a
// name is meant by the whole of it alone.
import { GalleyError } from '../../../core/model/error.js';
import { closestWord } from '../shell/read-input.js';

interface Listed {
  readonly id: string;
}

interface Picking<Row> {
  saidBy(row: Row): readonly string[];
  /** Lists what there is. */
  readonly command: string;
}

export function pick<Row extends Listed>(
  rows: readonly Row[],
  words: string,
  { saidBy, command }: Picking<Row>,
): Row {
  const numbered = rowOfNumber(rows, words);
  if (numbered !== undefined) return numbered;
  const wanted = folded(words);
  const named = (fits: (said: string) => boolean) =>
    rows.filter((row) => row.id === words || saidBy(row).some((said) => fits(folded(said))));
  const whole = named((said) => said === wanted);
  const found = whole.length > 0 || wanted === '' ? whole : named((said) => said.includes(wanted));
  return onlyOne(found, rows) ?? refuse(`Nothing there fits; ${command} lists what there is.`);
}

/** A part of a name is somebody else's as easily: it is answered with those it fits, and nobody is taken for them. */
export function pickNamed<Row extends Listed>(
  rows: readonly Row[],
  name: string,
  { saidBy, command }: Picking<Row>,
): Row {
  const wanted = folded(name);
  const called = rows.filter((row) => row.id === name || saidBy(row).some((said) => folded(said) === wanted));
  const found = onlyOne(called, rows) ?? rowOfNumber(rows, name);
  if (found !== undefined) return found;
  const near = rows.filter(
    (row) => wanted !== '' && saidBy(row).some((said) => folded(said).includes(wanted)),
  );
  const nearest = closestWord(name, rows.flatMap(saidBy));
  const meant = near.length > 0 ? near.map((row) => saidBy(row)[0] ?? row.id) : [nearest ?? ''];
  const some = meant.slice(0, mostNamed).join(', ');
  const rest = meant.length > mostNamed ? ` or one of ${meant.length - mostNamed} more` : '';
  const advice = some === '' ? '' : `; did you mean ${some}${rest}?`;
  return refuse(`Nobody and nothing is called that${advice || '.'} ${command} lists the names.`);
}

const mostNamed = 8;

function rowOfNumber<Row>(rows: readonly Row[], words: string): Row | undefined {
  const number = /^#?(\d+)$/u.exec(words.trim())?.[1];
  return number === undefined ? undefined : rows[Number(number) - 1];
}

function onlyOne<Row>(found: readonly Row[], rows: readonly Row[]): Row | undefined {
  if (found.length < 2) return found[0];
  const numbers = found.map((row) => rows.indexOf(row) + 1).join(', ');
  throw new GalleyError('INVALID_ARGUMENT', `Several fit; say the number, one of ${numbers}.`);
}

function refuse(why: string): never {
  throw new GalleyError('NOT_FOUND', why);
}

export function folded(words: string): string {
  return words.normalize('NFKC').trim().replace(/\s+/gu, ' ').toLowerCase();
}
