// The hidden first line by which we find our own comment again, and see whether there is anything new to say.
import { hashText } from '../../meters/content-hash.js';

export interface CommentMarker {
  /** Which of several reviews of one change this comment belongs to. */
  readonly key: string;
  /** SHA-256 of everything below the marker. */
  readonly digest: string;
}

const pattern = /^<!-- galley:review key=([\w.-]{1,64}) digest=([0-9a-f]{64}) -->(?:\r?\n|$)/;

export function markComment(body: string, key = 'default'): string {
  const safe =
    key
      .replace(/[^\w.-]+/g, '-')
      .replace(/-{2,}/g, '-')
      .slice(0, 64) || 'default';
  return `<!-- galley:review key=${safe} digest=${hashText(body)} -->\n${body}`;
}

/** Only a first line counts: quoted text further down cannot pretend to be ours. */
export function readMarker(comment: string): CommentMarker | undefined {
  const match = pattern.exec(comment);
  return match === null ? undefined : { key: match[1]!, digest: match[2]! };
}

/** What to do with the comment of the last push: nothing new means silence. */
export function commentAction(existing: string | undefined, next: string): 'create' | 'update' | 'keep' {
  if (existing === undefined) return 'create';
  const [before, after] = [readMarker(existing), readMarker(next)];
  return before !== undefined && before.key === after?.key && before.digest === after.digest
    ? 'keep'
    : 'update';
}
