// From the editor to the file of the chapter: within a second of a key, over what was read and nothing else. What the server does
// not take at once the browser keeps, and what became of it is always said.
import { signal } from '@preact/signals';
import { CallRefused, call } from '../shell/call.js';
import { type Keeper, keeperOf, markOf } from './kept-text.js';
import { livingPages, settlePage, takeLeftMarks, type WritingMark, writingMark } from './writing-mark.js';

export type SaveState =
  | { readonly kind: 'saved' | 'unsaved' | 'saving' | 'offline' | 'closed' | 'changed' | 'gone' }
  | { readonly kind: 'refused'; readonly why: string };

/** Two texts and no way to know which is meant. */
export interface Conflict {
  /** Undefined where the file is gone. */
  readonly theirs: { readonly text: string; readonly hash: string } | undefined;
  /** The text of this side comes from a page that died. */
  readonly isKept: boolean;
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
/** An answer that takes longer may never come. */
const answerMs = 400;
/** A server that takes longer does not answer. */
const patienceMs = 10_000;

export type Saver = ReturnType<typeof openSaver>;

export interface Opened {
  readonly saver: Saver;
  /** What the editor begins with. */
  readonly text: string;
  readonly isRecovered: boolean;
  /** A page before this one ended while text was on its way; what was typed in its last second may be missing. */
  readonly isCutOff: boolean;
}

/** Reads the chapter, and brings back what a page before this one could not save. */
export async function openChapter(project: string, document: string): Promise<Opened> {
  const keeper = keeperOf(project, document);
  const living = await livingPages();
  const { isCutOff, marks } = await takeLeftMarks(project, document, living);
  const left = keeper.left(living);
  const disk = await read(project, document).catch((error: unknown) => {
    if (isGone(error) && left.length > 0) return undefined;
    throw error;
  });
  const onDisk = disk === undefined ? undefined : markOf(disk.text);
  // A browser that was killed may have forgotten that it dropped what was saved since.
  const isOld = ({ page, kept }: (typeof left)[number]) => {
    const { savedAt = 0, sent } = marks.get(page) ?? {};
    return kept.at <= Math.max(savedAt, sent !== undefined && sent.mark === onDisk ? sent.at : 0);
  };
  for (const old of left.filter(isOld)) old.drop();
  const last = left.find((each) => !isOld(each));
  const mark = writingMark(project, document);
  const adopted = last?.page;
  const saver = openSaver(project, document, {
    ...{ disk, keeper, mark },
    onSaved: () => {
      if (adopted !== undefined) settlePage(project, document, adopted);
    },
  });
  if (last === undefined || disk?.text === last.kept.text) {
    last?.drop();
    return { saver, text: disk?.text ?? '', isRecovered: false, isCutOff };
  }
  const { text } = last.kept;
  const { hash, sent } = last.kept;
  const isOwn =
    disk !== undefined &&
    (disk.hash === hash || onDisk === sent || onDisk === marks.get(last.page)?.sent?.mark);
  keeper.keep(last.kept);
  last.drop();
  if (isOwn) saver.changed();
  else {
    saver.conflict.value = { theirs: disk, isKept: true };
    saver.state.value = { kind: disk === undefined ? 'gone' : 'changed' };
  }
  return { saver, text, isRecovered: isOwn, isCutOff };
}

interface OnDisk {
  readonly text: string;
  readonly hash: string;
}

async function read(project: string, document: string): Promise<OnDisk> {
  const { text = '', hash } = await call('documents:read', { projectId: project, documentId: document });
  return { text, hash };
}

function codeOf(error: unknown): string {
  if (error instanceof CallRefused) return error.refusal.code;
  return error instanceof Error && error.name === 'TimeoutError' ? 'TIMEOUT' : 'PAGE';
}

const isGone = (error: unknown) => codeOf(error) === 'NOT_FOUND';

interface Setup {
  readonly disk: OnDisk | undefined;
  readonly keeper: Keeper;
  readonly mark: WritingMark;
  onSaved(): void;
}

function openSaver(project: string, document: string, { disk, keeper, mark, onSaved }: Setup) {
  const state = signal<SaveState>({ kind: disk === undefined ? 'gone' : 'saved' });
  const conflict = signal<Conflict | undefined>(undefined);
  /** Whether what is not saved is at least kept by the browser. */
  const isKept = signal(true);
  let manuscript: Manuscript = { text: () => disk?.text ?? '', show: () => undefined };
  let known = disk?.hash;
  let isDirty = false;
  let isClosed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: Promise<void> | undefined;
  let keeping: ReturnType<typeof setTimeout> | undefined;
  let sent: number | undefined;
  /** Of texts that were sent since the last answer; each may have arrived. */
  let unanswered: number[] = [];

  const keep = (text: string) => {
    isKept.value = keeper.keep({ text, hash: known, sent, at: Date.now() });
  };
  const plan = (ms: number) => {
    if (!isClosed) timer ??= setTimeout(() => void save(), ms);
  };
  const changed = () => {
    isDirty = true;
    mark.raise();
    if (state.value.kind === 'saved') state.value = { kind: 'unsaved' };
    plan(pauseMs);
  };
  /** A server that answers at once needs nothing kept; while it does not, the newest text is, again and again. */
  const keepMeanwhile = () => {
    keeping = setTimeout(() => {
      keep(manuscript.text().toWellFormed());
      keepMeanwhile();
    }, answerMs);
  };

  /** One at a time; what is typed meanwhile is saved by the next. */
  const save = (over: { hash?: string | undefined } = {}, force = false): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    running ??= (async () => {
      if (!isDirty && !force) return;
      const text = manuscript.text().toWellFormed();
      if (conflict.value !== undefined && !force) return keep(text);
      if (state.value.kind === 'offline') keep(text);
      isDirty = false;
      const takenAt = Date.now();
      sent = markOf(text);
      unanswered.push(sent);
      mark.sending(sent, takenAt);
      const isRetry = state.value.kind === 'offline' || state.value.kind === 'closed';
      if (!isRetry) state.value = { kind: 'saving' };
      try {
        const hash = 'hash' in over ? over.hash : known;
        const request = {
          projectId: project,
          documentId: document,
          text,
          ...(hash === undefined ? {} : { hash }),
        };
        const signal = AbortSignal.timeout(patienceMs);
        keepMeanwhile();
        known = (await call('documents:write', { ...request, keep: force }, { signal })).hash;
        conflict.value = undefined;
        unanswered = [];
        keeper.drop();
        mark.saved();
        onSaved();
        state.value = { kind: isDirty ? 'unsaved' : 'saved' };
        if (!isDirty) mark.lower();
      } catch (error) {
        isDirty = true;
        keep(manuscript.text().toWellFormed());
        await refused(error);
      }
    })().finally(() => {
      clearTimeout(keeping);
      running = undefined;
      if (isDirty) plan(state.value.kind === 'unsaved' ? pauseMs : retryMs);
    });
    return running;
  };

  const refused = async (error: unknown): Promise<void> => {
    const code = codeOf(error);
    if (code === 'OFFLINE' || code === 'TIMEOUT') state.value = { kind: 'offline' };
    else if (code === 'UNAUTHENTICATED') state.value = { kind: 'closed' };
    else if (code === 'NOT_FOUND') gone();
    else if (code === 'CHANGED_MEANWHILE') {
      const theirs = await read(project, document).catch((again: unknown) => {
        if (isGone(again)) gone();
        else state.value = { kind: 'offline' };
        return undefined;
      });
      if (theirs === undefined) return;
      if (unanswered.includes(markOf(theirs.text))) {
        // It was written, and the answer never arrived; or another tab has the same words.
        known = theirs.hash;
        state.value = { kind: 'unsaved' };
      } else clash(theirs);
    } else state.value = { kind: 'refused', why: error instanceof Error ? error.message : String(error) };
  };
  const clash = (theirs: OnDisk | undefined) => {
    conflict.value = { theirs, isKept: conflict.value?.isKept ?? false };
    state.value = { kind: 'changed' };
  };
  const gone = () => {
    conflict.value = { theirs: undefined, isKept: false };
    state.value = { kind: 'gone' };
  };

  /** What others did to the file, while nothing waits here. */
  const look = async (): Promise<void> => {
    if (isDirty || running !== undefined || conflict.value !== undefined) return;
    try {
      const known0 = known;
      const asked = { projectId: project, documentId: document, ...(known === undefined ? {} : { known }) };
      const { text, hash } = await call('documents:read', asked);
      if (text === undefined || isDirty || known !== known0 || isClosed) return;
      known = hash;
      manuscript.show(text);
      state.value = { kind: 'saved' };
    } catch (error) {
      if (isDirty || isClosed) return;
      if (isGone(error)) gone();
    }
  };
  const watch = setInterval(() => {
    if (globalThis.document.visibilityState === 'visible') void look();
  }, lookMs);
  const flushKept = () => {
    if (isDirty) keep(manuscript.text().toWellFormed());
    mark.close();
  };
  addEventListener('pagehide', flushKept);

  return {
    state,
    conflict,
    isKept,
    changed,
    look,
    attach: (editor: Manuscript) => {
      manuscript = editor;
    },
    /** Everything typed so far is in the file; false where it could not be written. */
    flush: async (): Promise<boolean> => {
      await running;
      if (isDirty) await save();
      return !isDirty;
    },
    keepMine: async (): Promise<void> => {
      await running;
      await save({ hash: conflict.value?.theirs?.hash }, true);
    },
    takeTheirs: () => {
      const theirs = conflict.value?.theirs;
      if (theirs === undefined) return;
      known = theirs.hash;
      isDirty = false;
      conflict.value = undefined;
      manuscript.show(theirs.text);
      keeper.drop();
      mark.lower();
      state.value = { kind: 'saved' };
    },
    /** Whoever leaves the chapter leaves what is not written in the browser. */
    close: () => {
      flushKept();
      if (isDirty && conflict.value === undefined) void save();
      isClosed = true;
      clearTimeout(timer);
      clearTimeout(keeping);
      clearInterval(watch);
      removeEventListener('pagehide', flushKept);
    },
  };
}
