// How long does the inspector take in a real browser? To its first picture of a review of five hundred files; from the movement of the
// slider to the new picture, for that review, for one of a page of 64,000 tokens and for a book, around 64,000 tokens; and to draw a receipt of
// ten thousand pieces. Needs Chromium. Milliseconds hold for an idle machine: the load is printed beside them, and what the server's processor
// did meanwhile. `npm run bench -- page-inspector first-picture` measures the first pictures alone.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';

const bin = join(process.cwd(), 'bin/galley.js');
const root = mkdtempSync(join(tmpdir(), 'galley-page-bench-'));
const book = join(root, 'novel');
const env = { ...process.env, HOME: root, LC_ALL: 'C' };
const moves = 60;
const isFirstOnly = process.argv[2] === 'first-picture';
const pieces = 10_000;
const files = 500;
/** Their review is one page of about 64,000 tokens. */
const filesOfPage = 110;
/** Tokens. */
const around = 64_000;

function writeBook(): void {
  mkdirSync(book);
  for (let chapter = 1; chapter <= 300; chapter += 1) {
    const paragraphs = Array.from({ length: 40 }, (_, n) =>
      `第${chapter}夜，林晚把第${n}封信读了又读。`.repeat(4),
    );
    const name = `${String(chapter).padStart(3, '0')}.md`;
    writeFileSync(join(book, name), `# 第${chapter}章\n\n${paragraphs.join('\n\n')}\n`);
  }
  spawnSync(process.execPath, [bin, 'write', 'init'], { cwd: book, env });
  spawnSync(process.execPath, [bin, 'call', 'context:assemble'], {
    ...{ cwd: book, env },
    input: JSON.stringify({
      projectId: 'novel',
      documentId: '250.md',
      cursorPosition: 900,
      skillId: 'continue',
    }),
  });
}

const source = (file: number, change: string) =>
  Array.from(
    { length: 12 },
    (_, n) =>
      `/** Takes the ${n}th step of ${file}. */\nexport function step${file}x${n}(value: number): number {\n  const next = value * ${n} + ${file};${n % 4 === 0 ? change : ''}\n  return next > ${n} ? next : value;\n}\n`,
  ).join('\n');
function changeOf(count: number): string {
  const folder = join(root, `changed-${count}`);
  mkdirSync(join(folder, 'src'), { recursive: true });
  const git = (...args: string[]) =>
    spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: folder, env });
  const write = (change: (file: number) => string) => {
    for (let file = 0; file < count; file += 1)
      writeFileSync(join(folder, `src/file-${file}.ts`), source(file, change(file)));
  };
  write(() => '');
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-qm', 'before');
  write((file) => `\n  if (next === ${file}) return 0;`);
  return folder;
}

async function open(folder: string) {
  const server = spawn(process.execPath, [bin, 'open', '--no-browser', '--port', '0'], { cwd: folder, env });
  const link = await new Promise<string>((resolve) => {
    let said = '';
    server.stderr.setEncoding('utf8').on('data', (part: string) => {
      said += part;
      const found = /(http:\S+\/open\/\S+)\n/.exec(said)?.[1];
      if (found !== undefined) resolve(found);
    });
  });
  return { server, link, address: new URL(link).origin };
}

type Opened = Awaited<ReturnType<typeof open>>;

/** Milliseconds of processor time of the server so far. */
function worked({ server }: Opened): number {
  const fields = readFileSync(`/proc/${server.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

const review = await open(changeOf(files));
const browser = await chromium.launch({
  executablePath: process.env.GALLEY_BROWSER ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
const context = await browser.newContext();
// Lets this browser in without showing anything.
await context.request.get(review.link);

const percentile = (times: readonly number[], share: number) =>
  [...times].sort((a, b) => a - b)[Math.min(Math.floor(times.length * share), times.length - 1)] ?? 0;
const load = () => loadavg()[0]?.toFixed(1);

for (const attempt of ['first', 'again', 'again']) console.log(await firstPicture(attempt));
if (isFirstOnly) await end([review]);
writeBook();
const [novel, pageful] = [await open(book), await open(changeOf(filesOfPage))];
const page = await context.newPage();
for (const { link } of [pageful, novel]) {
  await page.goto(link);
  await page.getByRole('navigation').first().waitFor();
}
const sent = '#/sent?mode=working';
console.log(await slider(page, { opened: pageful, place: sent, name: 'review of a page' }));
console.log(await slider(page, { opened: review, place: sent, name: `review of ${files} files` }));
console.log(
  await slider(page, {
    opened: novel,
    place: '#/sent?document=250.md&skill=continue&cursor=900',
    name: 'book',
  }),
);
console.log(await receipt(page, novel.address));
await end([novel, review, pageful]);

async function end(all: readonly Opened[]): Promise<never> {
  await browser.close();
  for (const { server } of all) server.kill('SIGINT');
  rmSync(root, { recursive: true, force: true });
  process.exit();
}

/** From the address to the picture, in a page of its own. */
async function firstPicture(attempt: string): Promise<string> {
  const shown = await context.newPage();
  const [begun, before] = [performance.now(), worked(review)];
  await shown.goto(`${review.address}/#/sent?mode=working`);
  await shown.waitForSelector('.strip canvas', { timeout: 120_000 });
  const [took, cpu] = [performance.now() - begun, worked(review) - before];
  await shown.waitForSelector('.inspector .strip canvas', { timeout: 120_000 });
  const [all, allCpu] = [performance.now() - begun, worked(review) - before];
  const used = await shown.textContent('.budget figcaption');
  await shown.close();
  return `review of ${files} files, ${attempt}: ${took.toFixed(0)} ms to the picture (server ${cpu} ms), ${all.toFixed(0)} ms to the whole of it (server ${allCpu} ms); ${used}; load ${load()}`;
}

async function slider(
  shown: Page,
  { opened, place, name }: { readonly opened: Opened; readonly place: string; readonly name: string },
): Promise<string> {
  await shown.goto(`${opened.address}/${place}`);
  await shown.waitForSelector('.inspector', { timeout: 120_000 });
  const before = worked(opened);
  const times = (await shown.evaluate(`(async () => {
    const slider = document.querySelector('input[type=range]');
    const caption = () => document.querySelector('.budget figcaption').textContent;
    const times = [];
    const most = Number(slider.dataset.most);
    const middle = Math.round(Math.log(${around} / 200) / Math.log(most / 200) * slider.max);
    // To and fro, by more and more steps of the slider: no two movements in a row end at the same place.
    for (let n = 1; n <= ${moves}; n += 1) {
      const [before, begun] = [caption(), performance.now()];
      slider.value = String(middle + (n % 2 === 0 ? 1 : -1) * Math.ceil(n / 6));
      slider.dispatchEvent(new Event('input', { bubbles: true }));
      while (caption() === before) {
        if (performance.now() - begun > 5000) throw new Error('The slider was moved, and the picture stayed as it was.');
        await new Promise((next) => requestAnimationFrame(next));
      }
      times.push(performance.now() - begun);
    }
    return times;
  })()`)) as number[];
  const used = await shown.textContent('.budget figcaption');
  const cpu = (worked(opened) - before) / moves;
  return `slider, ${name}: server ${cpu.toFixed(0)} ms a step; p50 ${percentile(times, 0.5).toFixed(0)} ms, p95 ${percentile(times, 0.95).toFixed(0)} ms; ${used}; load ${load()}`;
}

/** A receipt of many pieces, served in place of a kept one. */
async function receipt(shown: Page, address: string): Promise<string> {
  const ledger = Array.from({ length: pieces }, (_, n) => ({
    ...{ fragment: `passage:${n}`, source: `source${n % 9}`, layer: 'retrieved', reason: 'it fits' },
    ...{ verdict: n % 4 === 0 ? 'conceded' : 'kept', amount: 10 + (n % 90) },
  }));
  const sum = ledger.reduce((all, { verdict, amount }) => (verdict === 'kept' ? all + amount : all), 0);
  await shown.route('**/v1/receipts/get', async (route) => {
    const answer = await (await route.fetch()).json();
    const value = { ...answer.value, ledger, pages: [], used: { unit: 'tokens', n: sum } };
    await route.fulfill({ json: { ...answer, value } });
  });
  await shown.goto(`${address}/#/runs`);
  await shown.reload();
  const box = shown.getByRole('checkbox').first();
  await box.waitFor();
  const drawn = (await shown.evaluate(`(async () => {
    const begun = performance.now();
    document.querySelector('input[type=checkbox]').click();
    while (document.querySelector('.strip canvas') === null) await new Promise((next) => requestAnimationFrame(next));
    await new Promise((next) => requestAnimationFrame(() => setTimeout(next, 0)));
    return performance.now() - begun;
  })()`)) as number;
  await shown.getByRole('tab', { name: 'Pieces' }).click();
  const longest = (await shown.evaluate(`(async () => {
    const list = document.querySelector('.list');
    let [longest, last] = [0, performance.now()];
    for (let n = 0; n < 120; n += 1) {
      list.scrollTop += 700;
      await new Promise((next) => requestAnimationFrame(next));
      const now = performance.now();
      [longest, last] = [Math.max(longest, now - last), now];
    }
    return longest;
  })()`)) as number;
  return `receipt of ${pieces} pieces: ${drawn.toFixed(0)} ms to the picture, longest frame while scrolling ${longest.toFixed(0)} ms; load ${load()}`;
}
