// A patch as it stands on a page: as git writes it, less the object ids, which cost many tokens and tell a reader nothing.
import type { FilePatch } from '../../git/patch/patch.js';
import { withoutIds } from '../../git/patch/select-lines.js';
import { writePatch } from '../../git/patch/write-patch.js';

export function patchBytes(patch: FilePatch): Buffer {
  const { kind, status } = patch.entry;
  // A submodule's mode stands only beside its ids.
  const needsIds = kind !== 'file' || status === 'unmerged';
  return writePatch(needsIds ? patch : { ...patch, header: withoutIds(patch.header) });
}
