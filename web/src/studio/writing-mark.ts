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

export interface Mark {
  readonly isWriting: boolean;
  /** When the newest text that is saved was in the editor. */
  readonly savedAt: number;
  /** The text that was sent last and may have arrived. */
  readonly sent?: { readonly mark: number; readonly at: number };
}

export interface WritingMark {
  raise(): void;
  sending(mark: number, at: number): void;
  /** What was sent last is in the file. */
  saved(): void;
  /** Everything is saved; the mark goes when it stays so. */
  lower(): void;
  /** The page is closed by its reader, who was told if anything was not saved. */
  close(): void;
}

export function writingMark(project: string, document: string): WritingMark {
  const key = prefixOf(project, document) + pageId;
  let isUp = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let known: Omit<Mark, 'isWriting'> = { savedAt: 0 };
  const note = (isWriting: boolean) => {
    isUp = isWriting;
    void inStore((marks) => marks.put({ isWriting, ...known } satisfies Mark, key));
  };
  return {
    raise: () => {
      clearTimeout(timer);
      if (!isUp) note(true);
    },
    sending: (mark, at) => {
      known = { ...known, sent: { mark, at } };
      note(isUp);
    },
    saved: () => {
      known = { ...known, savedAt: known.sent?.at ?? 0 };
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
  /** Of pages that are gone. */
  readonly marks: ReadonlyMap<string, Mark>;
}

/** Nobody's local storage forgets for so long. */
const longMs = 7 * 24 * 3_600_000;

/** Everything that the page left is in the file; should its browser remember it once more, it is old. */
export const settlePage = (project: string, document: string, page: string): void =>
  void inStore((marks) =>
    marks.put({ isWriting: false, savedAt: Date.now() } satisfies Mark, prefixOf(project, document) + page),
  );

/** The marks of pages that are gone; each tells once that its page was cut off. */
export async function takeLeftMarks(
  project: string,
  document: string,
  living: ReadonlySet<string>,
): Promise<LeftMarks> {
  const prefix = prefixOf(project, document);
  const keys = (await inStore((marks) => marks.getAllKeys())) ?? [];
  const found = new Map<string, Mark>();
  let isCutOff = false;
  for (const key of keys.map(String)) {
    const page = key.slice(prefix.length);
    if (!key.startsWith(prefix) || living.has(page)) continue;
    const mark = (await inStore((marks) => marks.get(key))) as Mark | undefined;
    if (mark === undefined) continue;
    const isLongAgo = !mark.isWriting && mark.savedAt < Date.now() - longMs;
    if (isLongAgo) await inStore((marks) => marks.delete(key));
    else await inStore((marks) => marks.put({ ...mark, isWriting: false } satisfies Mark, key));
    found.set(page, mark);
    if (mark.isWriting && !wasClosed(page)) isCutOff = true;
  }
  return { isCutOff, marks: found };
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
