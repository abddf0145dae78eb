// From the editor to the file of the chapter: within a second of a key, over what was read and nothing else. What the server does
// not take at once the browser keeps, and what became of it is always said.
import { signal } from '@preact/signals';
import { CallRefused, call } from '../shell/call.js';
import { codeOf, findRenamed, isGone, type OnDisk, readChapter } from './chapter-file.js';
import { markOf, type OwnRecord, type SentText } from './page-record.js';

export type SaveState =
  | { readonly kind: 'saved' | 'unsaved' | 'saving' | 'offline' | 'closed' | 'changed' | 'gone' }
  | { readonly kind: 'refused'; readonly why: string };

/** Two texts and no way to know which is meant. */
export interface Conflict {
  /** Undefined where the file is gone. */
  readonly theirs: { readonly text: string; readonly hash: string } | undefined;
  /** The text of this side comes from a page that died. */
  readonly isKept: boolean;
  /** What the file is called now, where it is gone under its name only. */
  readonly renamed?: string;
}

/** What the saver asks of the editor. */
export interface Manuscript {
  text(): string;
  /** Replaces what differs; the cursor stays where it was. */
  show(text: string): void;
}

const pauseMs = 600;
const retryMs = 1000;
const lookMs = 2000;
/** What no file has for so long is kept by the browser; longer than a server takes that answers at once. */
const keepMs = 700;
/** A server that takes longer does not answer. */
const patienceMs = 10_000;

export type Saver = ReturnType<typeof openSaver>;

interface Setup {
  readonly disk: OnDisk | undefined;
  /** What the editor begins with; it may come later than the first save. */
  readonly text: string;
  readonly record: OwnRecord;
  /** Texts of the page before that may arrive yet, all of them within the text at hand. */
  readonly sent: readonly SentText[];
}

export function openSaver(project: string, document: string, { disk, text: begin, record, sent }: Setup) {
  const state = signal<SaveState>({ kind: disk === undefined ? 'gone' : 'saved' });
  const conflict = signal<Conflict | undefined>(undefined);
  /** Whether what is not saved is at least kept by the browser. */
  const isKept = signal(true);
  let manuscript: Manuscript = { text: () => begin, show: () => undefined };
  let isAttached = false;
  let known = disk?.hash;
  /** What the file holds under that hash. */
  let inFile = disk?.text;
  /** Since when there is text that was not sent. */
  let dirtySince: number | undefined;
  /** Since when there is text that neither file nor browser has. */
  let unkeptSince: number | undefined;
  let isClosed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let keeping: ReturnType<typeof setTimeout> | undefined;
  let running: Promise<void> | undefined;
  /** Of texts that were sent since the last answer; each may have arrived. */
  const unanswered = new Set(sent.map(({ mark }) => mark));
  const isDirty = () => dirtySince !== undefined;
  const textNow = () => manuscript.text().toWellFormed();

  const keep = async () => {
    unkeptSince = undefined;
    isKept.value = await record.keep({ text: textNow(), hash: known, at: Date.now() });
  };
  /** A server that answers at once needs nothing kept; while it does not, the newest text is, again and again. */
  const planKeep = () => {
    clearTimeout(keeping);
    if (unkeptSince === undefined || isClosed) return;
    keeping = setTimeout(() => void keep(), Math.max(0, unkeptSince + keepMs - Date.now()));
  };
  /** Nothing waits any more. */
  const settle = (at: number, hash: string) => {
    dirtySince = undefined;
    unkeptSince = undefined;
    planKeep();
    record.saved(at, hash, true);
    record.lower();
  };
  const plan = (ms: number) => {
    if (!isClosed) timer ??= setTimeout(() => void save(), ms);
  };
  const changed = () => {
    const now = Date.now();
    dirtySince ??= now;
    if (unkeptSince === undefined) {
      unkeptSince = now;
      planKeep();
    }
    record.raise();
    if (state.value.kind === 'saved') state.value = { kind: 'unsaved' };
    plan(pauseMs);
  };

  /** One at a time; what is typed meanwhile is saved by the next. */
  const save = (over: { hash?: string | undefined } = {}, force = false): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    running ??= (async () => {
      if (!isDirty() && !force) return;
      if (conflict.value !== undefined && !force) return;
      const text = textNow();
      const takenAt = Date.now();
      const since = dirtySince ?? takenAt;
      dirtySince = undefined;
      const mark = markOf(text);
      const isRetry = state.value.kind === 'offline' || state.value.kind === 'closed';
      if (!isRetry) state.value = { kind: 'saving' };
      try {
        if (!unanswered.has(mark)) await record.sending({ mark, at: takenAt });
        unanswered.add(mark);
        const hash = 'hash' in over ? over.hash : known;
        const request = {
          projectId: project,
          documentId: document,
          text,
          ...(hash === undefined ? {} : { hash }),
        };
        const signal = AbortSignal.timeout(patienceMs);
        known = (await call('documents:write', { ...request, keep: force }, { signal })).hash;
        inFile = text;
        conflict.value = undefined;
        unanswered.clear();
        record.saved(takenAt, known, !isDirty());
        unkeptSince = dirtySince;
        planKeep();
        state.value = { kind: isDirty() ? 'unsaved' : 'saved' };
        if (!isDirty()) record.lower();
      } catch (error) {
        dirtySince = since;
        await refused(error);
      }
    })().finally(() => {
      running = undefined;
      const isWaiting = state.value.kind === 'unsaved';
      if (isDirty()) plan(isWaiting ? Math.max(0, pauseMs - (Date.now() - (dirtySince ?? 0))) : retryMs);
    });
    return running;
  };

  const refused = async (error: unknown): Promise<void> => {
    const code = codeOf(error);
    if (code === 'OFFLINE' || code === 'TIMEOUT') state.value = { kind: 'offline' };
    else if (code === 'UNAUTHENTICATED') state.value = { kind: 'closed' };
    else if (code === 'NOT_FOUND') gone();
    else if (code === 'CHANGED_MEANWHILE') {
      const theirs = await readChapter(project, document).catch((again: unknown) => {
        if (isGone(again)) gone();
        else state.value = { kind: 'offline' };
        return undefined;
      });
      if (theirs === undefined) return;
      if (unanswered.has(markOf(theirs.text))) {
        // It was written, and the answer never arrived; or another tab has the same words.
        known = theirs.hash;
        inFile = theirs.text;
        state.value = { kind: 'unsaved' };
      } else clash(theirs);
    } else state.value = { kind: 'refused', why: error instanceof Error ? error.message : String(error) };
  };
  const clash = (theirs: OnDisk | undefined) => {
    conflict.value = { theirs, isKept: conflict.value?.isKept ?? false };
    state.value = { kind: 'changed' };
    void keep();
  };
  const gone = () => {
    if (state.value.kind === 'gone' && conflict.value !== undefined) return;
    const here: Conflict = { theirs: undefined, isKept: false };
    conflict.value = here;
    state.value = { kind: 'gone' };
    void keep();
    if (inFile === undefined) return;
    findRenamed(project, inFile).then(
      (renamed) => {
        if (renamed !== undefined && conflict.value === here) conflict.value = { ...here, renamed };
      },
      () => undefined,
    );
  };

  /** What others did to the file, while nothing waits here; a file that was away may come back. */
  const look = async (): Promise<void> => {
    const isStuck = conflict.value !== undefined && (state.value.kind !== 'gone' || conflict.value.isKept);
    if (isDirty() || running !== undefined || isStuck || !isAttached) return;
    try {
      const known0 = known;
      const isHere = known !== undefined && conflict.value === undefined;
      const asked = { projectId: project, documentId: document, ...(isHere ? { known } : {}) };
      const { text, hash } = await call('documents:read', asked);
      if (text === undefined || isDirty() || known !== known0 || isClosed) return;
      known = hash;
      inFile = text;
      if (conflict.value !== undefined) record.saved(Date.now(), hash, true);
      conflict.value = undefined;
      manuscript.show(text);
      state.value = { kind: 'saved' };
    } catch (error) {
      if (isDirty() || isClosed) return;
      if (isGone(error)) gone();
    }
  };
  const watch = setInterval(() => {
    if (globalThis.document.visibilityState === 'visible') void look();
  }, lookMs);
  const flushKept = () =>
    record.close(isDirty() ? { text: textNow(), hash: known, at: Date.now() } : undefined);
  addEventListener('pagehide', flushKept);
  // A page that nobody looks at has slow clocks.
  const onHidden = () => {
    if (globalThis.document.visibilityState === 'hidden' && isDirty()) void save();
  };
  globalThis.document.addEventListener('visibilitychange', onHidden);

  return {
    state,
    conflict,
    isKept,
    changed,
    look,
    attach: (editor: Manuscript) => {
      manuscript = editor;
      isAttached = true;
    },
    /** Everything typed so far is in the file; false where it could not be written. */
    flush: async (): Promise<boolean> => {
      await running;
      if (isDirty()) await save();
      return !isDirty();
    },
    keepMine: async (): Promise<void> => {
      await running;
      await save({ hash: conflict.value?.theirs?.hash }, true);
    },
    takeTheirs: () => {
      const theirs = conflict.value?.theirs;
      if (theirs === undefined) return;
      known = theirs.hash;
      inFile = theirs.text;
      conflict.value = undefined;
      manuscript.show(theirs.text);
      settle(Date.now(), theirs.hash);
      state.value = { kind: 'saved' };
    },
    /** The text goes to the file under its new name, over what it had under the old one. */
    followRenamed: async (renamed: string): Promise<void> => {
      await running;
      const asked = { projectId: project, documentId: renamed };
      const { hash } = await readChapter(project, renamed);
      const takenAt = Date.now();
      if (hash !== known) throw new CallRefused({ code: 'CHANGED_MEANWHILE', message: renamed });
      if (isDirty()) await call('documents:write', { ...asked, hash, text: textNow() });
      settle(takenAt, hash);
    },
    /** Whoever leaves the chapter leaves what is not written in the browser. */
    close: () => {
      flushKept();
      if (isDirty() && conflict.value === undefined) void save();
      isClosed = true;
      clearTimeout(timer);
      clearTimeout(keeping);
      clearInterval(watch);
      removeEventListener('pagehide', flushKept);
      globalThis.document.removeEventListener('visibilitychange', onHidden);
    },
  };
}
