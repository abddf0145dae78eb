// The file of a chapter as the server hands it out, and what its refusals mean.
import { CallRefused, call } from '../shell/call.js';

export interface OnDisk {
  readonly text: string;
  readonly hash: string;
}

export async function readChapter(project: string, document: string): Promise<OnDisk> {
  const { text = '', hash } = await call('documents:read', { projectId: project, documentId: document });
  return { text, hash };
}

export function codeOf(error: unknown): string {
  if (error instanceof CallRefused) return error.refusal.code;
  return error instanceof Error && error.name === 'TimeoutError' ? 'TIMEOUT' : 'PAGE';
}

export const isGone = (error: unknown) => codeOf(error) === 'NOT_FOUND';

/** A file that is gone may only have another name: the one with the same words is it. */
export async function findRenamed(project: string, text: string): Promise<string | undefined> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  const hash = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const { documents } = await call('documents:list', { projectId: project, lengths: true });
  return documents.find(({ contentHash }) => contentHash === hash)?.documentId;
}
