// Where a fragment comes from, as a ref that is stable, relative to the project, and safe to show.
import { isProjectRelative, type Ref } from '../../core/model/ref.js';

const fileRow = /^(\.(?:galley|writenow)\/.+?)(?:#L(\d+))?$/u;

/** Rows made from files are named by their file; other rows by their kind and id. */
export function rowRef(kind: string, id: string): Ref {
  const [, path, line] = fileRow.exec(id) ?? [];
  if (path === undefined || !isProjectRelative(path)) return { path: `${kind}/${shortened(id)}` };
  return line === undefined ? { path } : { path, lines: { start: Number(line), end: Number(line) } };
}

export function documentRef(documentId: string, lines?: { start: number; end: number }): Ref {
  const path = isProjectRelative(documentId) ? documentId : `documents/${safe(documentId)}`;
  return lines === undefined ? { path } : { path, lines };
}

function shortened(id: string): string {
  const words = safe(id);
  // Generated ids are long; eight of their digits tell rows apart and cost a reader little.
  return /^[0-9a-f]{8}-[0-9a-f-]{27}$/u.test(words) ? words.slice(0, 8) : words;
}

function safe(words: string): string {
  const kept = words.replace(/[^\p{L}\p{N}\p{M}_.-]+/gu, '-').replace(/^\.+/u, '');
  return kept === '' ? '-' : kept;
}
