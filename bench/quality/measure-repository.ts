// Loads a repository and puts its questions to a visitor, one after the other.
import type { Instance } from './instance.js';
import { loadInstances } from './load-instances.js';
import { askedRows } from './protocol.js';
import type { Row } from './read-rows.js';
import { gitDirectory } from './repositories.js';
import { openLibrary, type SheetLibrary } from './sheet-library.js';

export async function visitRepository(
  name: string,
  kinds: readonly Row['kind'][],
  visit: (instance: Instance, library: SheetLibrary, row: Row) => Promise<void>,
): Promise<number> {
  const directory = gitDirectory(name);
  const rows = kinds.flatMap((kind) => askedRows(name, kind));
  if (directory === undefined || rows.length === 0) return 0;
  const loaded = await loadInstances(name, directory, rows);
  const entries = loaded.instances.flatMap((instance) => instance.tree);
  const library = await openLibrary(name, directory, { entries, overlays: loaded.overlays });
  for (const [at, instance] of loaded.instances.entries()) await visit(instance, library, rows[at]!);
  return loaded.instances.length;
}
