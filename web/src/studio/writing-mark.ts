// Whether a page ended while somebody wrote in it. A browser that is killed may forget what it kept by itself in its last seconds, but
// not what its database has; so a mark stands there while text is on its way to the file, and whoever opens the chapter next is told.
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

export interface WritingMark {
  raise(): void;
  /** Everything is saved; the mark goes when it stays so. */
  lower(): void;
  /** The page is closed by its reader, who was told if anything was not saved. */
  close(): void;
}

export function writingMark(project: string, document: string): WritingMark {
  const key = prefixOf(project, document) + pageId;
  let isUp = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const takeDown = () => {
    isUp = false;
    void inStore((marks) => marks.delete(key));
  };
  return {
    raise: () => {
      clearTimeout(timer);
      if (isUp) return;
      isUp = true;
      void inStore((marks) => marks.put(true, key));
    },
    lower: () => {
      clearTimeout(timer);
      if (isUp) timer = setTimeout(takeDown, restMs);
    },
    close: () => {
      clearTimeout(timer);
      if (!isUp) return;
      takeDown();
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

/** Takes down the marks of pages that died, and says whether there were any. */
export async function wasCutOff(project: string, document: string): Promise<boolean> {
  const prefix = prefixOf(project, document);
  const keys = (await inStore((marks) => marks.getAllKeys())) ?? [];
  const living = await livingPages();
  const dead = keys
    .map(String)
    .filter((key) => key.startsWith(prefix) && !living.has(key.slice(prefix.length)));
  await Promise.all(dead.map((key) => inStore((marks) => marks.delete(key))));
  return dead.filter((key) => !wasClosed(key.slice(prefix.length))).length > 0;
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
