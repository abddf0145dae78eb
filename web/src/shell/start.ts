// What the page knows of the project before anything is asked: what the folder is, and whether this browser was let in.
import { signal } from '@preact/signals';
import type { PageStart } from '../../../src/surfaces/page/page-door.js';
import { go, place } from './router.js';

export type Standing = 'asking' | 'in' | 'closed' | 'offline';

export const standing = signal<Standing>('asking');
/** Only read where `standing` is `in`. */
export const project = signal<PageStart>({
  version: '',
  name: '',
  projectId: '',
  hasStore: false,
  isRepository: false,
  isBook: false,
  isBegun: false,
  hasModel: false,
  recent: [],
});

export async function begin(): Promise<void> {
  try {
    const answer = await fetch('/page/start');
    if (answer.status === 401) {
      standing.value = 'closed';
      return;
    }
    project.value = (await answer.json()) as PageStart;
    standing.value = 'in';
    if (place.value.path === '' || place.value.path === 'closed')
      go(homeOf(project.value), { replace: true });
  } catch {
    standing.value = 'offline';
  }
}

/** Asked by trying: a browser that refuses cookies may still say of itself that it takes them. */
export function takesCookies(): boolean {
  if (!navigator.cookieEnabled) return false;
  // biome-ignore lint/suspicious/noDocumentCookie: the other way to set one is there only over HTTPS.
  document.cookie = 'galley_try=1; SameSite=Strict; Max-Age=9';
  return document.cookie.includes('galley_try=1');
}

/** What the folder is decides where one lands. */
function homeOf({ isBook, isRepository }: PageStart): string {
  if (isBook) return 'write';
  return isRepository ? 'review' : 'projects';
}
