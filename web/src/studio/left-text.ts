// What pages that are gone left of a chapter: text they could not save, which texts of theirs may be in the file, and whether one of
// them was cut off while somebody wrote.
import {
  beginRecord,
  type Closing,
  closingKey,
  inDatabase,
  type KeptText,
  type PageRecord,
  pageId,
  prefixOf,
  type SentText,
} from './page-record.js';

const lockOf = (id: string) => `galley.page ${id}`;

// Held as long as this page lives, however it ends.
void navigator.locks?.request(lockOf(pageId), () => new Promise(() => undefined));

/** Other pages of this browser that are open. */
async function livingPages(): Promise<ReadonlySet<string>> {
  const { held = [] } = (await navigator.locks?.query()) ?? {};
  const pages = new Set(held.map(({ name = '' }) => name.replace(/^galley\.page /, '')));
  // Whoever comes back to a chapter finds what this same page left there.
  pages.delete(pageId);
  return pages;
}

export interface LeftText {
  readonly kept: KeptText;
  /** Texts of that page that may have arrived. */
  readonly sent: readonly SentText[];
  /** It is in the file or older than the file; should local storage remember it once more, it is known as such. */
  settle(): Promise<void>;
  /** This page has it from now on. */
  takeOver(): Promise<PageRecord>;
}

export interface Left {
  /** A page died while text was on its way. */
  readonly isCutOff: boolean;
  /** Newest first. */
  readonly texts: readonly LeftText[];
}

/** No local storage forgets for so long. */
const longMs = 7 * 24 * 3_600_000;

/** Tells once that a page was cut off. */
export async function takeLeft(project: string, document: string): Promise<Left> {
  const prefix = prefixOf(project, document);
  const living = await livingPages();
  const records = await recordsOf(prefix);
  const closings = closingsOf(prefix);
  let isCutOff = false;
  const texts: LeftText[] = [];
  for (const page of new Set([...records.keys(), ...closings.keys()])) {
    if (living.has(page)) continue;
    const { isWriting, savedAt, kept, sent } = records.get(page) ?? nothing;
    const closing = closings.get(page);
    if (isWriting && closing === undefined) isCutOff = true;
    const last = [kept, closing?.kept]
      .filter((each) => each !== undefined && each.at > savedAt)
      .sort((a, b) => (b?.at ?? 0) - (a?.at ?? 0))[0];
    const settle = async (taken?: PageRecord) => {
      const settled: PageRecord = { ...nothing, savedAt: Math.max(savedAt, last?.at ?? 0) };
      await inDatabase((store) => {
        if (settled.savedAt < Date.now() - longMs) store.delete(prefix + page);
        else store.put(settled, prefix + page);
        if (taken !== undefined) store.put(taken, prefix + pageId);
        return store.count();
      });
      removeClosing(prefix, page);
    };
    if (last === undefined) await settle();
    else {
      const all = [...sent, ...(closing?.sent ?? [])];
      const takeOver = async () => {
        const within = all.filter(({ at }) => at <= last.at);
        const taken = beginRecord({ sent: within, kept: last });
        await settle(taken);
        return taken;
      };
      texts.push({ kept: last, sent: all, settle: () => settle(), takeOver });
    }
  }
  return { isCutOff, texts: texts.sort((a, b) => b.kept.at - a.kept.at) };
}

const nothing: PageRecord = { isWriting: false, savedAt: 0, sent: [] };

async function recordsOf(prefix: string): Promise<Map<string, PageRecord>> {
  const within = IDBKeyRange.bound(prefix, `${prefix}\uffff`);
  let keys: IDBRequest<IDBValidKey[]> | undefined;
  const records = await inDatabase<PageRecord[]>((store) => {
    keys = store.getAllKeys(within);
    return store.getAll(within);
  });
  const pages = (keys?.result ?? []).map((key) => String(key).slice(prefix.length));
  return new Map((records?.result ?? []).map((record, nth) => [pages[nth] ?? '', record]));
}

function closingsOf(prefix: string): Map<string, Closing> {
  const found = new Map<string, Closing>();
  const begin = closingKey(prefix, '');
  try {
    for (const key of Object.keys(localStorage).filter((each) => each.startsWith(begin)))
      found.set(key.slice(begin.length), JSON.parse(localStorage.getItem(key) ?? '{}') as Closing);
  } catch {
    // Where nothing can be kept, nothing is there.
  }
  return found;
}

function removeClosing(prefix: string, page: string): void {
  try {
    localStorage.removeItem(closingKey(prefix, page));
  } catch {
    // Settled in the database.
  }
}
