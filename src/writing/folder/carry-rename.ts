// A chapter file under another name: what stands about the chapter goes with it. Its scene card and summary are moved, lists that name
// it name it as it is called now, and the history has a line that says so.
import { join } from 'node:path';
import { hashText } from '../../meters/content-hash.js';
import { noteKinds, notePath } from '../notes/book-notes.js';
import { withNotesRenamed } from '../told/list-file.js';
import { realDisk } from './disk.js';
import { thisProcess, withFolderLock, withLock } from './folder-lock.js';
import { changeFile } from './write-within.js';

export interface Rename {
  readonly from: string;
  readonly to: string;
}

interface Known {
  readonly id: string;
  readonly contentHash: string;
}

/** One file gone and one come with the very same words, and no other like them. */
export function renamesIn(
  gone: readonly Known[],
  come: readonly { readonly path: string; readonly text: string }[],
): readonly Rename[] {
  const arrived = come
    .filter(({ text }) => text.trim() !== '')
    .map(({ path, text }) => ({ path, hash: hashText(text) }));
  return gone.flatMap(({ id, contentHash }) => {
    const alike = arrived.filter(({ hash }) => hash === contentHash);
    const twins = gone.filter((other) => other.contentHash === contentHash);
    const [only] = alike;
    return only === undefined || alike.length > 1 || twins.length > 1 ? [] : [{ from: id, to: only.path }];
  });
}

const place = '.galley';
const lists = ['promises.md', 'intended.md', 'episodes.md'];

export async function carryRename(folder: string, rename: Rename): Promise<void> {
  await withFolderLock(folder, async () => {
    for (const kind of noteKinds)
      await moveFile(folder, notePath(place, kind, rename.from), notePath(place, kind, rename.to));
    for (const name of lists)
      await changeFile(folder, `${place}/${name}`, (text) =>
        text === undefined ? text : withNotesRenamed(text, rename),
      );
  });
  await noteInHistory(folder, rename);
}

/** What has the new name already stays, and so does what had the old one. */
async function moveFile(folder: string, from: string, to: string): Promise<void> {
  let text: string | undefined;
  const read = (known: string | undefined) => {
    text = known;
    return known;
  };
  await changeFile(folder, from, read);
  if (text === undefined) return;
  const isMoved = await changeFile(folder, to, (known) => known ?? text);
  if (isMoved) await changeFile(folder, from, () => undefined);
}

/** Steps before this line speak of the chapter by its old name. */
async function noteInHistory(folder: string, { from, to }: Rename): Promise<void> {
  const log = join(folder, place, 'history', 'log.jsonl');
  const lock = { path: join(folder, place, 'history', 'lock'), disk: realDisk, owner: thisProcess() };
  if ((await realDisk.read(log)) === undefined) return;
  await withLock(lock, async () => {
    const known = await realDisk.read(log);
    // Behind a line that was cut off a new one begins.
    const gap = known === undefined || known.length === 0 || known.at(-1) === 0x0a ? '' : '\n';
    await realDisk.append(log, Buffer.from(`${gap}${JSON.stringify({ renamed: from, to })}\n`));
  });
}
