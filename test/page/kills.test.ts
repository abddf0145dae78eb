// Server and browser are killed in turn while somebody types, at moments nobody chose: what was typed more than a second before is in
// the file, and where anything may be missing the page says so.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sweepSize } from '../sweep-size.js';
import { browserProgram, launchMortal, openProject, removeHome } from './open-page.js';
import { makeBook, openChapter, toTheEnd, untilSaved } from './studio-page.js';
import { traceWrites } from './write-trace.js';

/** What the last keys of a page may cost. */
const mostMs = 1000;

describe.skipIf(browserProgram === undefined)('a chapter that is being written', () => {
  it('loses no more than the last second, whichever of server and browser is killed', async () => {
    const kills = sweepSize('servers and browsers killed while somebody types', {
      ...{ everyRun: 10, nightly: 200 },
    });
    const folder = makeBook({ '01.md': '' });
    const profile = mkdtempSync(join(tmpdir(), 'galley-profile-'));
    const inFile = () => readFileSync(join(folder, '01.md'), 'utf8');
    let opened = await openProject(folder);
    let browser = await launchMortal(profile);
    await browser.page.goto(opened.link);
    const trace = traceWrites();
    trace.follow(browser.page);
    await openChapter(browser.page, opened.address, '01.md');
    await toTheEnd(browser.page);
    const explained = async (work: Promise<unknown>) => {
      try {
        await work;
      } catch (error) {
        throw new Error(`${String(error)}\n${await trace.tell(browser.page, inFile())}`);
      }
    };
    let typed = '';
    let random = 11;
    const next = (below: number) => {
      random = (random * 48271) % 2147483647;
      return random % below;
    };
    for (let nth = 0; nth < kills; nth += 1) {
      const words = `Sentence ${nth} of the many that are written here. `;
      const cut = 1 + next(words.length);
      const pauses = next(60);
      const keys: number[] = [];
      for (const key of words.slice(0, cut)) {
        await browser.page.keyboard.type(key, { delay: pauses });
        keys.push(performance.now());
      }
      if (nth % 2 === 0) {
        trace.note(`kill ${nth}: server`);
        opened.child.kill('SIGKILL');
        await browser.page.keyboard.type(words.slice(cut), { delay: pauses });
        typed += words;
        // All of it may have been saved before.
        await browser.page.locator('.save:is([data-state=offline], [data-state=saved])').waitFor();
        opened = await openProject(folder, { home: opened.home });
        trace.note('server again');
        await explained(untilSaved(browser.page).then(() => expect(inFile(), `kill ${nth}`).toBe(typed)));
      } else {
        const killedAt = performance.now();
        trace.note(`kill ${nth}: browser`);
        await browser.kill();
        const old = keys.filter((at) => at < killedAt - mostMs).length;
        browser = await launchMortal(profile);
        trace.follow(browser.page);
        await browser.page.goto(opened.link).catch(() => undefined);
        await openChapter(browser.page, opened.address, '01.md');
        await explained(untilSaved(browser.page));
        const found = inFile();
        expect(`${typed}${words.slice(0, cut)}`.startsWith(found), `kill ${nth}`).toBe(true);
        expect(found.length, `kill ${nth}`).toBeGreaterThanOrEqual(typed.length + old);
        if (found.length < typed.length + cut)
          await browser.page.locator('.save').getByText('may be missing').waitFor();
        typed = found;
        await toTheEnd(browser.page);
      }
    }
    await browser.kill();
    await opened.end();
    removeHome(opened);
    for (const each of [folder, profile]) rmSync(each, { recursive: true, force: true });
  }, 3_600_000);
});
