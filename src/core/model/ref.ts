// Where a fragment comes from: a path inside the project, never an absolute one.

export interface Ref {
  readonly path: string;
  /** One-based and inclusive. */
  readonly lines?: { readonly start: number; readonly end: number };
  readonly blob?: string;
}

export function isProjectRelative(path: string): boolean {
  if (path === '' || path.startsWith('/') || path.startsWith('\\') || /^[A-Za-z]:/.test(path)) return false;
  return !path.split(/[\\/]/).includes('..');
}

export function formatRef(ref: Ref): string {
  const lines = ref.lines === undefined ? '' : `#L${ref.lines.start}-L${ref.lines.end}`;
  return `ref:${ref.path}${lines}`;
}
