// Promise: a book of 1.5 million characters comes in, goes out and comes in again in every format within 20 seconds, word for word.
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../src/store/sqlite/open-store.js';
import { wordsOf } from '../src/writing/exchange/book/blocks.js';
import { exportBook, exportFormats } from '../src/writing/exchange/export/export-book.js';
import { gatherBook } from '../src/writing/exchange/export/gather-book.js';
import { importBook } from '../src/writing/exchange/import/import-book.js';
import { longBook } from './peers/long-book.js';
import { type Row, report, timed } from './peers/report.js';

const most = 20_000;
const place = await mkdtemp(join(tmpdir(), 'galley-books-'));
const store = await openStore({ path: join(place, 'galley.db'), now: () => 0 });
const bytes = new TextEncoder().encode(longBook());
const facts = { title: 'book', modified: 0 };

async function bringIn(project: string, name: string, content: Uint8Array) {
  const folder = join(place, project);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await importBook({ files: [{ name, bytes: content }], name, isWritten: true }, { store, project, folder });
}

async function words(project: string): Promise<string> {
  const { chapters } = await gatherBook(store, project, facts);
  return chapters
    .flatMap(({ blocks }) => blocks.map(wordsOf))
    .join('')
    .replace(/\s+/gu, '');
}

/** By the clock and in processor time, which others at work on the machine do not stretch. */
async function spent(work: () => Promise<unknown>): Promise<{ clock: number; processor: number }> {
  const before = process.cpuUsage();
  const clock = await timed(work);
  const { user, system } = process.cpuUsage(before);
  return { clock, processor: (user + system) / 1000 };
}

const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(1);
const rows: Row[] = [];
const first = await spent(() => bringIn('first', 'book.txt', bytes));
const before = await words('first');
for (const format of exportFormats) {
  let made = new Uint8Array();
  const out = await spent(async () => {
    made = Uint8Array.from((await exportBook({ store, project: 'first' }, format, facts)).bytes);
  });
  const again = await spent(() => bringIn(format, `book.${format}`, made));
  const isSame = (await words(format)) === before;
  const processor = first.processor + out.processor + again.processor;
  const clock = first.clock + out.clock + again.clock;
  rows.push({
    promise: `1.5 M characters in, out as ${format}, in again`,
    bar: '< 20 s, word for word',
    measured: `${seconds(processor)} s of processor time (in ${seconds(first.processor)}, out ${seconds(out.processor)}, in ${seconds(again.processor)}), ${seconds(clock)} s by the clock, ${isSame ? 'word for word' : 'words differ'}`,
    reached: processor < most && isSame,
  });
}
report('books', rows);
await store.close();
await rm(place, { recursive: true, force: true });
