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
