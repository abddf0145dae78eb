// One changed path, as git's raw records tell it: known before any patch is made.

export type EntryStatus =
  | 'added'
  | 'modified'
  | 'deleted'
  | 'renamed'
  | 'copied'
  | 'type-changed'
  | 'unmerged'
  | 'mode-changed';

export type EntryKind = 'file' | 'symlink' | 'submodule' | 'lfs-pointer';

export interface LfsPointer {
  readonly oid: string;
  readonly size: number;
}

export interface ChangeEntry {
  /** Bytes that are not UTF-8 are written as \xNN; `rawPath` then holds the true bytes. */
  readonly path: string;
  readonly rawPath?: Buffer;
  readonly oldPath?: string;
  readonly rawOldPath?: Buffer;
  readonly status: EntryStatus;
  readonly kind: EntryKind;
  /** Percent, for renames and copies. */
  readonly similarity?: number;
  readonly oldMode?: string;
  readonly newMode?: string;
  /** For submodules the commit. */
  readonly oldBlob?: string;
  readonly newBlob?: string;
  /** In bytes; absent for submodules and for objects that are not here. */
  readonly oldSize?: number;
  readonly newSize?: number;
  /** A side's content is not in this (partial) clone, so no patch can be made. */
  readonly missing: boolean;
  /** The submodule's own working tree has changes that no commit holds. */
  readonly dirty: boolean;
  readonly lfs?: { readonly old?: LfsPointer; readonly new?: LfsPointer };
}
