// How much work is a key in the studio, in a chapter of 300,000 Chinese characters with the names of people underlined? Processor time
// of the page's own thread from the key to the picture after it, saving included, at the top, in the middle and at the end.
import { rmSync } from 'node:fs';
import { loadavg } from 'node:os';
import { openProject, removeHome, sharedBrowser } from '../test/page/open-page.js';
import { makeBook, openChapter, untilSaved } from '../test/page/studio-page.js';

const characters = 300_000;
const keysAtEachPlace = 100;
const bar = 16;

const people = Array.from(
  { length: 60 },
  (_, nth) => `${'林苏陈白顾沈'[nth % 6]}${'远青墨遥舟岚雪川云禾'[nth % 10]}`,
);
const sentence = (nth: number) =>
  `${people[nth % people.length]}推开门，看见第${nth}盏灯还亮着，雨声渐渐远了。“你来了。”`;
let prose = '# 长章\n\n';
for (let nth = 0; prose.length < characters; nth += 1) prose += sentence(nth) + (nth % 5 === 4 ? '\n\n' : '');

const cards = Object.fromEntries(
  [...new Set(people)].map((name) => [`设定/${name}.md`, `# ${name}\n\n旧友。\n`]),
);
const folder = makeBook({ '01.md': prose, ...cards });
const opened = await openProject(folder);
const browser = await sharedBrowser();
try {
  const page = await browser.newPage();
  await page.goto(opened.link);
  await page.locator('.studio-list a').first().waitFor();
  await openChapter(page, opened.address, '01.md');
  await page.locator('.ms-name').first().waitFor();
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  const worked = async () => {
    const { metrics } = await cdp.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
  };
  const pictured = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';
  const times: number[] = [];
  for (const place of ['Control+Home', 'Middle', 'Control+End']) {
    await page.locator('.manuscript .cm-content').focus();
    if (place === 'Middle') {
      await page.keyboard.press('Control+Home');
      for (let pages = 0; pages < 60; pages += 1) await page.keyboard.press('PageDown');
    } else await page.keyboard.press(place);
    for (let nth = 0; nth < keysAtEachPlace; nth += 1) {
      const before = await worked();
      await page.keyboard.insertText('夜林远的灯'[nth % 5] ?? '夜');
      await page.evaluate(pictured);
      times.push((await worked()) - before);
    }
  }
  await untilSaved(page);
  const ordered = times.toSorted((a, b) => a - b);
  const at = (share: number) =>
    ordered[Math.min(ordered.length - 1, Math.floor(share * ordered.length))] ?? 0;
  console.log(`load ${loadavg()[0]?.toFixed(1)}; ${prose.length} characters, ${times.length} keys`);
  console.log(
    `processor time a key: p50 ${at(0.5).toFixed(1)} ms, p95 ${at(0.95).toFixed(1)} ms, most ${at(1).toFixed(1)} ms`,
  );
  console.log(at(0.95) < bar ? `within ${bar} ms` : `NOT within ${bar} ms`);
} finally {
  await browser.close();
  await opened.end();
  removeHome(opened);
  rmSync(folder, { recursive: true, force: true });
}
