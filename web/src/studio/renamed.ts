// A chapter whose file is gone may only have another name: the one with the same words is it.
import { call } from '../shell/call.js';

export async function findRenamed(project: string, text: string): Promise<string | undefined> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  const hash = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const { documents } = await call('documents:list', { projectId: project, lengths: true });
  return documents.find(({ contentHash }) => contentHash === hash)?.documentId;
}
