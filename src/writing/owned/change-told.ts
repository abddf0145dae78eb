// One row of a list added, changed or taken out, in the file it stands in.
import { GalleyError, isGalleyError } from '../../core/model/error.js';
import { notFound } from '../../store/tables/checked.js';
import { materialPath } from '../folder/material.js';
import { changeFile } from '../folder/write-within.js';
import { withChangedItem, withEntry, withoutItems } from '../told/list-file.js';
import { nameInList, readTold, type ToldList, type ToldRow } from '../told/told-lists.js';

type Told = { readonly id: string };

/** How a kind of row is called in refusals. */
export interface ToldFile<Row extends Told> {
  readonly list: ToldList<Row>;
  readonly kind: string;
  readonly folder: string;
}

/** Gives the id of the row; one that is there already is refused, and its id told. */
export async function addTold<Row extends Told>(
  { list, kind, folder }: ToldFile<Row>,
  draft: Omit<Row, 'id'>,
  id?: string,
): Promise<string> {
  const path = await materialPath(folder, list.file);
  const entry = list.entry(draft, id);
  const made = list.row(entry, path).id;
  await changeFile(folder, path, (text) => {
    if (findTold(readTold(list, text ?? '', path), made) !== undefined) throw isThere(kind, made);
    return inFile(path, () => withEntry(text, list.form, entry));
  });
  return made;
}

export async function changeTold<Row extends Told>(
  { list, kind, folder }: ToldFile<Row>,
  id: string,
  change: (row: Row) => Omit<Row, 'id'>,
): Promise<string> {
  const path = await materialPath(folder, list.file);
  let changed = id;
  await changeFile(folder, path, (text = '') => {
    const rows = readTold(list, text, path);
    const found = findTold(rows, id);
    const [item, ...twins] = found?.items ?? [];
    if (found === undefined || item === undefined) throw notFound(kind);
    const entry = list.entry(change(found.row), item.notes.id);
    changed = list.row(entry, path).id;
    if (changed !== found.row.id && findTold(rows, changed) !== undefined) throw isThere(kind, changed);
    const said = inFile(path, () => withChangedItem(text, list.form, item, entry));
    if (twins.length === 0 || changed === found.row.id) return said;
    const left = readTold(list, said, path).find(({ row }) => row.id === found.row.id);
    return left === undefined ? said : inFile(path, () => withoutItems(said, list.form, left.items));
  });
  return changed;
}

export async function removeTold<Row extends Told>(
  { list, kind, folder }: ToldFile<Row>,
  id: string,
): Promise<void> {
  const path = await materialPath(folder, list.file);
  await changeFile(folder, path, (text = '') => {
    const found = findTold(readTold(list, text, path), id);
    if (found === undefined) throw notFound(kind);
    return inFile(path, () => withoutItems(text, list.form, found.items));
  });
}

/** A list knows nothing of the file it stands in. */
function inFile(path: string, change: () => string): string {
  try {
    return change();
  } catch (error) {
    if (!isGalleyError(error)) throw error;
    throw new GalleyError(error.code, `${path}: ${error.message}`, { details: { path }, cause: error });
  }
}

/** By its whole id, or by the name a caller gave it. */
function findTold<Row extends Told>(rows: readonly ToldRow<Row>[], id: string): ToldRow<Row> | undefined {
  return rows.find(({ row }) => row.id === id) ?? rows.find(({ row }) => nameInList(row.id) === id);
}

function isThere(kind: string, id: string): GalleyError {
  return new GalleyError('ALREADY_EXISTS', `This ${kind} is there already; change that one.`, {
    details: { kind, field: 'id', id },
  });
}
