// Whatever order edits, drafts, applies, undos, restores and snapshots of two processes come in, and wherever one of them dies: the
// chapter is whole, every state can be had again, and no accepted word is lost.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isGalleyError } from '../../src/core/model/error.js';
import { applyDraft, discardDraft, standingOf } from '../../src/writing/drafts/apply-draft.js';
import { look } from '../../src/writing/drafts/change-chapter.js';
import { hashBytes } from '../../src/writing/drafts/chapter-text.js';
import { folderHome } from '../../src/writing/drafts/folder-home.js';
import { restoreVersion, takeSnapshot, undoLast } from '../../src/writing/drafts/history.js';
import type { DraftHome } from '../../src/writing/drafts/home.js';
import { makeDrafts } from '../../src/writing/drafts/make-drafts.js';
import { versionsOf } from '../../src/writing/drafts/steps.js';
import { sweepSize } from '../sweep-size.js';
import { fullDisk, Killed, type Mortal, mortal } from './mortal-disk.js';

const chapter = 'one.md';
let root = '';
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'galley-drafts-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

function dice(seed: number): (most: number) => number {
  let state = seed * 2_654_435_761 + 1;
  return (most) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9) >>> 0;
    return (state >>> 8) % most;
  };
}

interface Process {
  readonly mortal: Mortal;
  readonly home: DraftHome;
}

class Book {
  readonly words: string[] = [];
  readonly accepted: string[] = [];
  readonly reached = { kills: 0, merges: 0, refusals: 0, meanwhile: 0, undos: 0 };
  /** What an editor saved while something else was under way. */
  private saved: string | undefined;
  private made = 0;
  private time = 0;
  processes: Process[];

  constructor(
    readonly folder: string,
    readonly roll: (most: number) => number,
  ) {
    this.processes = [this.begin(), this.begin()];
  }

  begin(): Process {
    const own = mortal();
    return { mortal: own, home: folderHome(this.folder, { disk: own.disk, owner: own.owner }) };
  }

  path = () => join(this.folder, chapter);
  bytes = () => readFile(this.path());
  now = () => {
    this.time += 1;
    return this.time;
  };

  /** Words that stand nowhere else. */
  fresh(): string {
    this.made += 1;
    return this.roll(2) === 0 ? `新句${this.made}号。` : `New sentence ${this.made}x. `;
  }

  /** What an editor does: a sentence changed or added, the file saved. */
  edit = async (): Promise<void> => {
    const raw = (await this.bytes()).toString();
    const stops = [...raw.matchAll(/[。\n]/gu)].map(({ index }) => index + 1);
    const at = stops[this.roll(stops.length)] ?? 0;
    const until = this.roll(2) === 0 ? at : (stops.find((stop) => stop > at) ?? at);
    await writeFile(this.path(), raw.slice(0, at) + this.fresh() + raw.slice(until));
  };

  async draft({ home }: Process): Promise<void> {
    const { text } = home.textOf(await this.bytes(), chapter);
    const stops = [...text.matchAll(/[。\n]/gu)].map(({ index }) => index + 1);
    const start = stops[this.roll(stops.length)] ?? 0;
    const end = stops[Math.min(stops.length - 1, stops.indexOf(start) + this.roll(3))] ?? start;
    const words = this.fresh().trim();
    const recipe = this.roll(3) === 0 ? 'continue' : 'rewrite';
    const selection = { start: Math.min(start, end), end: Math.max(start, end) };
    const place = recipe === 'continue' ? { cursorPosition: start } : { selection };
    await makeDrafts(home, {
      ...{
        documentId: chapter,
        skill: { id: 'polish', recipe },
        model: 'm',
        at: this.now(),
        chapter: text,
        ...place,
      },
      texts: this.roll(6) === 0 ? [words, this.fresh().trim()] : [words],
    });
  }

  async apply({ home }: Process): Promise<void> {
    const drafts = (await home.drafts()).filter(({ isDiscarded }) => !isDiscarded);
    const draft = drafts[this.roll(Math.max(1, drafts.length))];
    if (draft === undefined) return;
    const { pieces } = await standingOf(home, draft, (await home.log()).steps);
    const some = this.roll(3) === 0 && pieces.length > 0 ? { pieces: [1 + this.roll(pieces.length)] } : {};
    const { taken, isMerged } = await applyDraft(home, draft.name, {
      ...some,
      keepVariants: false,
      at: this.now(),
    });
    if (isMerged) this.reached.merges += 1;
    this.accepted.push(...taken.split('\n').filter((line) => line.trim() !== ''));
  }

  async undo({ home }: Process): Promise<void> {
    const before = hashBytes(await this.bytes());
    const { step, isMerged } = await undoLast(home, { documentId: chapter, at: this.now() });
    this.reached.undos += 1;
    if (isMerged || this.saved !== undefined) return;
    expect(before).toBe(step.after);
    expect(hashBytes(await this.bytes())).toBe(step.before);
  }

  async restore({ home }: Process): Promise<void> {
    const versions = versionsOf((await home.log()).steps, chapter);
    const version = versions[this.roll(Math.max(1, versions.length))];
    if (version === undefined) return;
    await restoreVersion(home, chapter, { called: String(version.version), at: this.now() });
    if (this.saved === undefined) expect(hashBytes(await this.bytes())).toBe(version.hash);
  }

  async snapshot({ home }: Process): Promise<void> {
    const name = this.roll(2) === 0 ? `name ${this.now()}` : undefined;
    await takeSnapshot(home, chapter, { name, at: this.now() });
  }

  async discard({ home }: Process): Promise<void> {
    const drafts = await home.drafts();
    const draft = drafts[this.roll(Math.max(1, drafts.length))];
    if (draft !== undefined) await discardDraft(home, draft.name);
  }

  /** One thing that one process does, and perhaps dies of. */
  async step(): Promise<void> {
    const which = this.roll(2);
    const process = this.processes[which] as Process;
    const todo = [
      this.draft,
      this.draft,
      this.apply,
      this.apply,
      this.apply,
      this.undo,
      this.restore,
      this.snapshot,
      this.discard,
    ];
    const work = todo[this.roll(todo.length)] as (process: Process) => Promise<void>;
    if (this.roll(3) === 0) process.mortal.dieAt(1 + this.roll(30), this.roll(11) / 10);
    this.saved = undefined;
    let saving: Promise<void> = Promise.resolve();
    if (this.roll(5) === 0)
      process.mortal.meanwhile(1 + this.roll(20), () => {
        saving = this.save();
        return saving;
      });
    const before = hashBytes(await this.bytes());
    const known = new Set((await this.begin().home.log()).steps.map(({ id }) => id));
    try {
      await work.call(this, process);
    } catch (error) {
      if (isGalleyError(error)) this.reached.refusals += 1;
      else if (!(error instanceof Killed)) throw error;
    }
    // An editor that saves while a process dies beside it still saves.
    await saving;
    await this.checkStep(before, known);
    process.mortal.meanwhile(Number.POSITIVE_INFINITY, async () => {});
    process.mortal.dieAt(Number.POSITIVE_INFINITY, 1);
    if (!process.mortal.isDead) return;
    this.reached.kills += 1;
    this.processes[which] = this.begin();
  }

  async save(): Promise<void> {
    await this.edit();
    this.reached.meanwhile += 1;
    this.saved = hashBytes(await this.bytes());
  }

  /** A step that counts is what stands in the chapter; one that does not left no trace; what an editor saved is not written over. */
  async checkStep(before: string, known: ReadonlySet<string>): Promise<void> {
    const { home } = this.begin();
    await look(home);
    const { steps } = await home.log();
    const now = hashBytes(await this.bytes());
    const last = steps.filter(({ id, kind }) => !known.has(id) && kind !== 'snapshot').at(-1);
    if (this.saved === undefined) expect(now).toBe(last?.after ?? before);
    else expect([now, ...steps.map((step) => step.before)]).toContain(this.saved);
  }

  /** What must hold whenever somebody looks. */
  async check(): Promise<void> {
    const { home } = this.begin();
    await look(home);
    const { steps, open } = await home.log();
    expect(open).toEqual([]);
    const texts = new Map<string, string>();
    for (const { hash } of versionsOf(steps, chapter)) {
      const bytes = await home.kept(hash);
      expect(hashBytes(bytes)).toBe(hash);
      texts.set(hash, home.textOf(bytes, chapter).text);
    }
    for (const words of this.accepted)
      expect([...texts.values()].some((text) => text.includes(words.trim()))).toBe(true);
    for (const draft of await home.drafts()) await standingOf(home, draft, steps);
  }
}

const opening = '# 一\n\n雨停了。林远走进院子。他站了一会儿。\n\n夜深了。没有人说话。灯亮着。\n';

async function openBook(seed: number): Promise<Book> {
  const folder = join(root, String(seed));
  await mkdir(folder, { recursive: true });
  const text = seed % 3 === 0 ? `\ufeff${opening.replaceAll('\n', '\r\n')}` : opening;
  await writeFile(join(folder, chapter), text);
  return new Book(folder, dice(seed));
}

describe('drafts of two processes that may die', () => {
  const count = sweepSize('interleavings of drafts', {
    everyRun: 150,
    nightly: 10_000,
  });

  it(`lose no accepted word and no state, in ${count} interleavings`, { timeout: 3_600_000 }, async () => {
    const reached = { kills: 0, merges: 0, refusals: 0, meanwhile: 0, undos: 0 };
    for (let seed = 1; seed <= count; seed += 1) {
      const book = await openBook(seed);
      try {
        for (let step = 0; step < 8; step += 1) {
          if (book.roll(4) === 0) await book.edit();
          await book.step();
        }
        await book.check();
      } catch (error) {
        throw new Error(`interleaving ${seed}`, { cause: error });
      }
      for (const key of Object.keys(reached) as (keyof typeof reached)[]) reached[key] += book.reached[key];
      await rm(book.folder, { recursive: true });
    }
    for (const times of Object.values(reached)) expect(times).toBeGreaterThan(count / 20);
  });

  it('of both at once wait for each other: what each applied is there', async () => {
    const book = await openBook(1);
    const [left, right] = book.processes as [Process, Process];
    for (const [home, cursorPosition] of [
      [left.home, 9],
      [right.home, 30],
    ] as const) {
      const skill = { id: 'continue', recipe: 'continue' } as const;
      const texts = [`新句${cursorPosition}。`];
      await makeDrafts(home, {
        documentId: chapter,
        skill,
        model: 'm',
        at: 1,
        chapter: opening,
        cursorPosition,
        texts,
      });
    }
    const options = { keepVariants: false, at: 2 };
    await Promise.all([applyDraft(left.home, '1', options), applyDraft(right.home, '2', options)]);
    const text = (await book.bytes()).toString();
    for (const words of ['新句9。', '新句30。']) expect(text).toContain(words);
    await undoLast(left.home, { at: 3 });
    await undoLast(right.home, { at: 4 });
    expect((await book.bytes()).toString()).toBe(opening);
  });

  it('find a full disk at any write: named, the chapter whole, the draft still there', async () => {
    for (let from = 1; from <= 8; from += 1) {
      const book = await openBook(1000 + from * 3 + 1);
      const [process] = book.processes as [Process, Process];
      const skill = { id: 'polish', recipe: 'rewrite' } as const;
      const written = {
        documentId: chapter,
        skill,
        model: 'm',
        at: 1,
        chapter: opening,
        texts: ['新的一章。'],
      };
      await makeDrafts(process.home, written);
      const disk = fullDisk(process.mortal.disk, from);
      const small = folderHome(book.folder, { disk, owner: mortal().owner });
      const before = (await book.bytes()).toString();
      const refusal = await applyDraft(small, '1', { keepVariants: false, at: 2 }).then(
        () => undefined,
        (error: unknown) => error,
      );
      const now = (await book.bytes()).toString();
      if (refusal === undefined) {
        expect(now).toContain('新的一章。');
        continue;
      }
      expect(refusal).toMatchObject({
        code: 'STORE_UNAVAILABLE',
        message: expect.stringContaining('disk is full'),
      });
      const { home } = book.begin();
      await look(home);
      const draft = (await home.drafts())[0] as NonNullable<Awaited<ReturnType<DraftHome['drafts']>>[0]>;
      const { state } = await standingOf(home, draft, (await home.log()).steps);
      expect([state, now.includes('新的一章。')]).toEqual(
        now === before ? ['open', false] : ['applied', true],
      );
      if (state === 'open') await applyDraft(home, '1', { keepVariants: false, at: 3 });
      expect((await book.bytes()).toString()).toContain('新的一章。');
    }
  });

  it('of a chapter of five megabytes in one paragraph are applied and undone', async () => {
    const book = await openBook(9001);
    const long = '这一句话很长很长。'.repeat(190_000);
    await writeFile(book.path(), long);
    const { home } = book.begin();
    const selection = { start: 900_000, end: 900_009 };
    const skill = { id: 'polish', recipe: 'rewrite' } as const;
    await makeDrafts(home, {
      documentId: chapter,
      skill,
      model: 'm',
      at: 1,
      chapter: long,
      selection,
      texts: ['短。'],
    });
    await applyDraft(home, '1', { keepVariants: false, at: 2 });
    expect((await book.bytes()).toString()).toBe(`${long.slice(0, 900_000)}短。${long.slice(900_009)}`);
    await undoLast(home, { at: 3 });
    expect((await book.bytes()).toString() === long).toBe(true);
  });

  it('are read from a log that was cut off at any byte', async () => {
    const book = await openBook(9002);
    const { home } = book.begin();
    for (const name of ['a', 'b']) await takeSnapshot(home, chapter, { name, at: 1 });
    const path = join(book.folder, '.galley', 'history', 'log.jsonl');
    const whole = await readFile(path);
    const first = whole.indexOf(0x0a) + 1;
    for (let length = first; length <= whole.length; length += length < whole.length - 4 ? 4 : 1) {
      await writeFile(path, whole.subarray(0, length));
      const kept = (await home.log()).steps.map(({ name }) => name);
      expect(kept).toEqual(length >= whole.length - 1 ? ['a', 'b'] : ['a']);
      await takeSnapshot(home, chapter, { name: 'c', at: 2 });
      expect((await home.log()).steps.map(({ name }) => name)).toEqual([...kept, 'c']);
    }
  });
});
