// Whether a page ended while somebody wrote in it, and what it had saved until then. A browser that is killed forgets what became of its
// local storage in the last seconds, but not what its database has; so a mark stands there while text is on its way to the file, and
// whoever opens the chapter next is told.
const store = 'writing';
/** Between the last key that was saved and the taking down of the mark. */
const restMs = 2000;

export const pageId = crypto.randomUUID();
const lockOf = (id: string) => `galley.page ${id}`;
const closedKey = (id: string) => `galley.closed ${id}`;

// Held as long as this page lives, however it ends.
void navigator.locks?.request(lockOf(pageId), () => new Promise(() => undefined));

/** Other pages of this browser that are open. */
export async function livingPages(): Promise<ReadonlySet<string>> {
  const { held = [] } = (await navigator.locks?.query()) ?? {};
  return new Set(held.map(({ name = '' }) => name.replace(/^galley\.page /, '')));
}

function database(): Promise<IDBDatabase> {
  const request = indexedDB.open('galley', 1);
  request.onupgradeneeded = () => request.result.createObjectStore(store);
  return answerOf(request);
}

const answerOf = <Result>(request: IDBRequest<Result>) =>
  new Promise<Result>((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

let opened: Promise<IDBDatabase> | undefined;

/** Where a browser has no database, nothing is marked. */
async function inStore<Result>(
  work: (marks: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result | undefined> {
  try {
    opened ??= database();
    return await answerOf(work((await opened).transaction(store, 'readwrite').objectStore(store)));
  } catch {
    return undefined;
  }
}

interface Mark {
  readonly isWriting: boolean;
  /** When the newest text that is saved was in the editor. */
  readonly savedAt: number;
}

export interface WritingMark {
  raise(): void;
  /** The text of that moment is in the file. */
  saved(at: number): void;
  /** Everything is saved; the mark goes when it stays so. */
  lower(): void;
  /** The page is closed by its reader, who was told if anything was not saved. */
  close(): void;
}

export function writingMark(project: string, document: string): WritingMark {
  const key = prefixOf(project, document) + pageId;
  let isUp = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let savedAt = 0;
  const note = (isWriting: boolean) => {
    isUp = isWriting;
    const mark: Mark = { isWriting, savedAt };
    void inStore((marks) => marks.put(mark, key));
  };
  return {
    raise: () => {
      clearTimeout(timer);
      if (!isUp) note(true);
    },
    saved: (at) => {
      savedAt = at;
      note(isUp);
    },
    lower: () => {
      clearTimeout(timer);
      if (isUp) timer = setTimeout(() => note(false), restMs);
    },
    close: () => {
      clearTimeout(timer);
      if (!isUp) return;
      note(false);
      // The database may be too late for a page that goes away.
      try {
        localStorage.setItem(closedKey(pageId), '1');
      } catch {
        // Then one is told once too often.
      }
    },
  };
}

const prefixOf = (project: string, document: string) => `${JSON.stringify([project, document])} `;

export interface LeftMarks {
  /** A page died while text was on its way. */
  readonly isCutOff: boolean;
  /** By page that died: when the newest text that it saved was in its editor. */
  readonly savedAt: ReadonlyMap<string, number>;
}

/** Takes down the marks of pages that are gone. */
export async function takeLeftMarks(
  project: string,
  document: string,
  living: ReadonlySet<string>,
): Promise<LeftMarks> {
  const prefix = prefixOf(project, document);
  const keys = (await inStore((marks) => marks.getAllKeys())) ?? [];
  const savedAt = new Map<string, number>();
  let isCutOff = false;
  for (const key of keys.map(String)) {
    const page = key.slice(prefix.length);
    if (!key.startsWith(prefix) || living.has(page)) continue;
    const mark = (await inStore((marks) => marks.get(key))) as Mark | undefined;
    await inStore((marks) => marks.delete(key));
    savedAt.set(page, mark?.savedAt ?? 0);
    if (mark?.isWriting === true && !wasClosed(page)) isCutOff = true;
  }
  return { isCutOff, savedAt };
}

function wasClosed(id: string): boolean {
  try {
    const isMarked = localStorage.getItem(closedKey(id)) !== null;
    localStorage.removeItem(closedKey(id));
    return isMarked;
  } catch {
    return false;
  }
}
