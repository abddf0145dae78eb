// galley open: the page of this folder in the browser, on this machine and for this person alone.
import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { sessionHomes } from '../../../agents/sessions/session-homes.js';
import { GalleyError, isGalleyError } from '../../../core/model/error.js';
import { ReviewLooks } from '../../../review/look/review-looks.js';
import { listedTokens } from '../../http/access/token-sources.js';
import { type HttpServer, startHttpServer } from '../../http/http-server.js';
import { defaultLimits, type ServeOptions } from '../../http/serve-options.js';
import { localForge } from '../../local-forge.js';
import { localAnswers, localEmbeddings, localModels, localPrices } from '../../local-models.js';
import { localTickets } from '../../local-tickets.js';
import type { PageHome } from '../../page/page-home.js';
import { sharedStore } from '../../shared-store.js';
import { shellLog } from '../shell/local-context.js';
import { wholeNumber } from '../shell/read-input.js';
import { say } from '../terminal/talk.js';
import { word } from '../words/word.js';
import { localPage, showPage, topLevelOf } from './local-page.js';
import { readChangeAhead } from './read-change-ahead.js';
import { untilTold } from './until-told.js';

export interface OpenOptions {
  readonly port?: string;
  readonly browser?: boolean;
  readonly store?: string;
}

/** How many ports are tried before it is given up. */
const mostPorts = 20;

/** `view`: the part of the page to land on, such as `review`. */
export async function openCommand(named: string | undefined, options: OpenOptions, view = ''): Promise<void> {
  const folder = await realpath(resolve(named ?? '.')).catch((cause: unknown) => {
    throw new GalleyError('FILE_UNREADABLE', 'There is no such folder to open.', { cause });
  });
  const shared = sharedStore(folder, { path: options.store });
  const page = localPage(folder, shared, options.store);
  const browser = options.browser !== false;
  const port = options.port === undefined ? await page.home.port() : wholeNumber(options.port, '--port');
  const running = await runningPage(port, page.home);
  if (running !== undefined) {
    await showPage(page, { address: running, view, browser });
    return;
  }
  const top = await topLevelOf(folder);
  const closing = new AbortController();
  const looks = new ReviewLooks();
  const server = await startOnAFreePort(port, options.port !== undefined, (free) =>
    startHttpServer({
      ...{ host: '127.0.0.1', port: free, roots: top === undefined ? [folder] : [folder, top] },
      // Nobody has a token: whoever comes without the cookie is refused.
      tokens: listedTokens([]),
      ...{ allowHosts: [], allowOrigins: [], debug: true, log: shellLog, now: () => Date.now() },
      store: shared.store,
      model: localModels({ folder }),
      prices: localPrices,
      answers: localAnswers(folder),
      forge: localForge(closing.signal),
      tickets: localTickets(),
      looks,
      sessions: sessionHomes(process.env),
      embeddings: localEmbeddings(),
      page: page.door,
      limits: { ...defaultLimits, patienceMs: 10_000 },
    } satisfies ServeOptions),
  );
  const ahead =
    top === undefined ? undefined : readChangeAhead({ folder, view, looks, signal: closing.signal });
  await page.home.remember(Number(new URL(server.address).port), Date.now());
  await showPage(page, { address: server.address, view, browser });
  say(`${word('open.ends')}\n`);
  await untilTold(() => server.cancel());
  closing.abort();
  await server.close();
  await ahead;
  await looks.close();
  await shared.close();
}

/** The address of this project's page, if it is open already. */
async function runningPage(port: number, { id }: PageHome): Promise<string | undefined> {
  if (port === 0) return undefined;
  const address = `http://127.0.0.1:${port}`;
  try {
    const answer = await fetch(`${address}/page/id`, { signal: AbortSignal.timeout(2000) });
    const { galley } = Object(await answer.json()) as { galley?: unknown };
    return galley === id ? address : undefined;
  } catch {
    return undefined;
  }
}

async function startOnAFreePort(
  port: number,
  isAsked: boolean,
  start: (port: number) => Promise<HttpServer>,
): Promise<HttpServer> {
  for (let tried = 0; ; tried += 1) {
    try {
      return await start(port === 0 ? 0 : port + tried);
    } catch (error) {
      const isTaken = isGalleyError(error) && error.details?.kind === 'EADDRINUSE';
      if (!isTaken || isAsked || tried + 1 === mostPorts) throw error;
    }
  }
}
