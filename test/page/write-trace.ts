// What passed between a page and its chapter, so that a run that failed can be read: requests with the states they name, and what the
// browser keeps.
import { createHash } from 'node:crypto';
import type { Page } from './open-page.js';

export interface WriteTrace {
  note(words: string): void;
  /** Requests of this page, from now on. */
  follow(page: Page): void;
  /** The last steps, and what the page and its browser hold now. */
  tell(page: Page, inFile: string): Promise<string>;
}

const shown = 80;
const short = (hash: unknown) => (typeof hash === 'string' ? hash.slice(0, 8) : '-');
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
const textOf = (text: string) => `${text.length} characters, ${short(hashOf(text))}, …${text.slice(-30)}`;

export function traceWrites(): WriteTrace {
  const steps: string[] = [];
  const start = performance.now();
  const note = (words: string) => {
    steps.push(`${((performance.now() - start) / 1000).toFixed(3)} ${words}`);
    if (steps.length > shown) steps.shift();
  };
  let asked = 0;
  return {
    note,
    follow: (page) => {
      page.on('request', (request) => {
        const [, operation] = /\/v1\/(documents\/(?:read|write))$/.exec(request.url()) ?? [];
        if (operation === undefined) return;
        asked += 1;
        const nth = asked;
        const { text, hash, known } = (request.postDataJSON() ?? {}) as Record<string, string | undefined>;
        note(
          `#${nth} ${operation} over ${short(hash ?? known)}${text === undefined ? '' : `: ${textOf(text)}`}`,
        );
        const told = async () => {
          const response = await request.response();
          if (response === null) return note(`#${nth} failed: ${request.failure()?.errorText}`);
          const answer = await response.text().catch(() => 'no body');
          note(`#${nth} ${response.status()} ${answer.slice(0, 160)}`);
        };
        told().catch((error: unknown) => note(`#${nth} ${String(error).slice(0, 80)}`));
      });
    },
    tell: async (page, inFile) => {
      const kept = await page.evaluate(keptState).catch((error: unknown) => ({ failed: String(error) }));
      return [...steps, `file: ${textOf(inFile)}`, JSON.stringify(kept, undefined, 1)].join('\n');
    },
  };
}

/** Runs in the page: what a person sees there, and what the browser keeps. */
const keptState = `(async () => {
  const done = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const store = (await done(indexedDB.open('galley.writing'))).transaction('records').objectStore('records');
  const [keys, values] = [await done(store.getAllKeys()), await done(store.getAll())];
  return {
    line: document.querySelector('.save')?.outerHTML,
    clash: document.querySelector('.conflict')?.textContent,
    editor: document.querySelector('.cm-content')?.textContent,
    local: Object.entries(localStorage),
    database: keys.map((key, nth) => [String(key), JSON.stringify(values[nth])]),
  };
})()`;
