// What this page notes about a chapter while it is written: whether text is on its way to the file, which texts were sent, and the text
// itself where the server does not take it at once. All of it is one record of the browser's database, changed in one step: local storage
// forgets the last seconds of a browser that is killed, so that what was dropped there comes back, and what was kept is gone.
const storeName = 'records';
/** Between the last key that was saved and the note that nobody writes. */
const restMs = 2000;
/** A database that takes longer must not hold up the file. */
const patienceMs = 500;

export const pageId = crypto.randomUUID();

/** Text that no file has yet. */
export interface KeptText {
  readonly text: string;
  /** Hash of the chapter it was typed over; absent where there was none. */
  readonly hash?: string | undefined;
  readonly at: number;
}

/** A text that was sent and may have arrived. */
export interface SentText {
  readonly mark: number;
  /** When it was taken from the editor. */
  readonly at: number;
}

export interface PageRecord {
  readonly isWriting: boolean;
  /** When the newest text that is saved, or that another page took over, was in the editor. */
  readonly savedAt: number;
  /** Since the last answer. */
  readonly sent: readonly SentText[];
  readonly kept?: KeptText | undefined;
}

/** Tells texts apart; no two that one person types in a row have the same. */
export function markOf(text: string): number {
  let [a, b] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    a = Math.imul(a ^ unit, 2654435761);
    b = Math.imul(b ^ unit, 1597334677);
  }
  return 4294967296 * (2097151 & b) + (a >>> 0);
}

export const prefixOf = (project: string, document: string): string =>
  `${JSON.stringify([project, document])} `;

let opened: Promise<IDBDatabase> | undefined;

function database(): Promise<IDBDatabase> {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open('galley.writing', 1);
    request.onupgradeneeded = () => request.result.createObjectStore(storeName);
    request.onsuccess = () => {
      // A page of a newer version may need it.
      request.result.onversionchange = () => request.result.close();
      resolve(request.result);
    };
    request.onerror = () => reject(request.error);
  });
  return opened;
}

/** One step, done when it outlives this browser; undefined where there is no database. */
export async function inDatabase<Result>(
  work: (records: IDBObjectStore) => IDBRequest<Result>,
): Promise<{ readonly result: Result } | undefined> {
  try {
    const step = (await database()).transaction(storeName, 'readwrite');
    const request = work(step.objectStore(storeName));
    await new Promise<void>((resolve, reject) => {
      step.oncomplete = () => resolve();
      step.onabort = () => reject(step.error);
    });
    return { result: request.result };
  } catch {
    return undefined;
  }
}

/** What a page that is closed leaves at once, in local storage: the database may be too late for it. */
export const closingKey = (prefix: string, page: string): string => `galley.closed ${prefix}${page}`;

export type Closing = Pick<PageRecord, 'sent' | 'kept'>;

/** Of a page that begins now, maybe with what another left. */
export function beginRecord({ sent, kept }: Closing = { sent: [] }): PageRecord {
  const at = Date.now();
  // Whatever local storage still has of this chapter is older.
  return { isWriting: false, savedAt: at - 1, sent, kept: kept === undefined ? undefined : { ...kept, at } };
}

export interface OwnRecord {
  raise(): void;
  /** Known to whoever comes next before the text leaves. */
  sending(sent: SentText): Promise<void>;
  /** False where this browser keeps nothing, or no more. */
  keep(kept: KeptText): Promise<boolean>;
  /** What was sent at this time is in the file; what was typed since stays kept, over the new hash. */
  saved(at: number, hash: string, isAll: boolean): void;
  /** Everything is saved; the note goes when it stays so. */
  lower(): void;
  /** The page is closed by its reader, who was told if anything was not saved. */
  close(kept: KeptText | undefined): void;
}

export function ownRecord(project: string, document: string, begun: PageRecord): OwnRecord {
  const prefix = prefixOf(project, document);
  const key = prefix + pageId;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let record = begun;
  const note = async (change: Partial<PageRecord>): Promise<boolean> => {
    record = { ...record, ...change };
    const put = record;
    return (await inDatabase((records) => records.put(put, key))) !== undefined;
  };
  return {
    raise: () => {
      clearTimeout(timer);
      if (!record.isWriting) void note({ isWriting: true });
    },
    sending: async (sent) => {
      const noted = note({ sent: [...record.sent, sent] });
      await Promise.race([noted, new Promise((resolve) => setTimeout(resolve, patienceMs))]);
    },
    keep: (kept) => note({ kept }),
    saved: (at, hash, isAll) => {
      const { kept } = record;
      void note({
        savedAt: at,
        sent: [],
        kept: isAll || kept === undefined || kept.at <= at ? undefined : { ...kept, hash },
      });
    },
    lower: () => {
      clearTimeout(timer);
      if (record.isWriting) timer = setTimeout(() => void note({ isWriting: false }), restMs);
    },
    close: (kept) => {
      clearTimeout(timer);
      const closing: Closing = { sent: record.sent, kept: kept ?? record.kept };
      if (record.isWriting || closing.kept !== undefined)
        try {
          localStorage.setItem(closingKey(prefix, pageId), JSON.stringify(closing));
        } catch {
          // Then the next page goes by the database alone.
        }
      void note({ ...closing, isWriting: false });
    },
  };
}
