// galley serve: listens until it is told to end, finishes what it began, and closes the store last.

import { realpathSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { stringify } from 'yaml';
import * as z from 'zod';
import { parseInput } from '../../../core/model/input.js';
import { forgeTitles } from '../../../forges/known-hosts.js';
import { ReviewLooks } from '../../../review/look/review-looks.js';
import { isDatabaseAddress } from '../../../store/check-store-path.js';
import { nameOfFolder } from '../../../writing/folder/project-folder.js';
import { allowedSessions } from '../../allowed-sessions.js';
import { grantNames, newToken, type TokenSource } from '../../http/access/access-tokens.js';
import { isLoopback } from '../../http/access/browser-guard.js';
import { eitherSource, tokensOfFile, tokensOfStore } from '../../http/access/token-sources.js';
import type { DoorRoute } from '../../http/door-route.js';
import { type HttpServer, startHttpServer } from '../../http/http-server.js';
import { defaultLimits } from '../../http/serve-options.js';
import { readTlsMaterial } from '../../http/tls-material.js';
import { startTraceExport } from '../../http/trace-export.js';
import { kindsWithoutLogin } from '../../local-forge.js';
import { localAnswers, localEmbeddings, localModels, localPrices } from '../../local-models.js';
import { isThere, type SharedStore, sharedStore, storePath } from '../../shared-store.js';
import { startLocalWorker } from '../../worker/local-worker.js';
import { shellLog } from '../shell/local-context.js';
import { word } from '../words/word.js';
import { localPage, showPage } from './local-page.js';
import { untilTold } from './until-told.js';

const count = (least: number, most: number) => z.coerce.number().int().min(least).max(most);

const serveFlags = z.object({
  host: z.string().min(1),
  port: count(0, 65_535),
  root: z.array(z.string()),
  store: z.string().optional(),
  tokens: z.string().optional(),
  tlsCert: z.string().optional(),
  tlsKey: z.string().optional(),
  newToken: z.boolean().optional(),
  project: z.array(z.string().min(1)),
  grant: z.array(z.enum(grantNames)),
  allowHost: z.array(z.string()),
  allowOrigin: z.array(z.string().regex(/^https?:\/\/[^/]+$/)),
  maxBody: count(1, 1024 ** 3).default(defaultLimits.bodyBytes),
  atOnce: count(1, 10_000).default(defaultLimits.atOnce),
  patience: count(0, 3_600_000).default(defaultLimits.patienceMs),
  rate: count(1, 1_000_000).default(defaultLimits.perSecond),
  grace: count(0, 86_400).default(defaultLimits.graceMs / 1000),
  drain: count(0, 3600).optional(),
  openai: z.boolean().optional(),
  openaiProject: z.string().min(1).optional(),
  openaiBudget: count(0, 100_000_000).optional(),
  openaiCode: count(200, 200_000).optional(),
  webhooks: z.boolean().optional(),
  webhookRepos: z.array(z.string().regex(/^[\w.-]+(\/[\w.-]+)*\/(\*|[\w.-]+)$/)),
  jobs: count(0, 1000).optional(),
  debug: z.boolean().optional(),
  open: z.boolean().optional(),
});

type Flags = z.output<typeof serveFlags>;

export async function serveCommand(options: unknown): Promise<void> {
  const flags = parseInput(serveFlags, options);
  if (flags.newToken === true) {
    printNewToken(flags);
    return;
  }
  const roots = flags.root.length === 0 ? [process.cwd()] : flags.root;
  const folder = roots[0] ?? process.cwd();
  const tls = await readTlsMaterial({ cert: flags.tlsCert, key: flags.tlsKey });
  const traces = await startTraceExport(process.env, (line) => process.stderr.write(`galley: ${line}\n`));
  const { store, close } = sharedStore(folder, { path: flags.store });
  const tokens = await tokensFor(flags, { folder, store });
  const page = flags.open === true ? localPage(realpathSync(folder), { store }, flags.store) : undefined;
  const looks = page === undefined ? undefined : new ReviewLooks();
  const server = await startHttpServer({
    host: flags.host,
    port: flags.port,
    roots,
    tokens,
    tls,
    allowHosts: flags.allowHost,
    allowOrigins: flags.allowOrigin,
    debug: flags.debug === true || process.env.GALLEY_DEBUG === '1',
    log: shellLog,
    now: () => Date.now(),
    store,
    model: localModels({ folder, isConfined: true }),
    prices: localPrices,
    answers: localAnswers(folder),
    sessions: allowedSessions(),
    embeddings: localEmbeddings(),
    looks,
    page: page?.door,
    doors: await doorsOf(flags, { folder, store }),
    limits: {
      ...defaultLimits,
      bodyBytes: flags.maxBody,
      allBodyBytes: Math.max(defaultLimits.allBodyBytes, flags.maxBody * 4),
      atOnce: flags.atOnce,
      patienceMs: flags.patience,
      perSecond: flags.rate,
      graceMs: flags.grace * 1000,
    },
  });
  const path = storePath(folder, flags.store);
  const atOnce = flags.jobs ?? (isDatabaseAddress(path) ? 0 : 2);
  const worker =
    atOnce === 0
      ? undefined
      : await startLocalWorker({ roots, store, storePath: path, atOnce, log: shellLog });
  process.stderr.write(`galley: listening on ${server.address}\n`);
  if (tls === undefined && !isLoopback(flags.host)) process.stderr.write(`galley: ${word('serve.clear')}\n`);
  // Whom it asks may take seconds to answer.
  if (flags.webhooks === true && worker !== undefined) void tellMissingLogins();
  if (page !== undefined) await showPage(page, { address: server.address, view: '', browser: true });
  const signal = await untilTold(() => server.cancel());
  await Promise.all([drained(server, { signal, ...flags }), worker?.drain()]);
  const [, isSent] = await Promise.all([close(), traces?.close(), looks?.close()]);
  // What is still being sent to a collector that does not answer would keep the process for seconds.
  if (isSent === false) process.exit();
}

/** Long enough for load balancers that ask every few seconds; nobody balances what only this machine reaches. */
const usualDrain = 5;

/** Who presses Ctrl-C waits for the prompt; who sends SIGTERM has to tell others first that calls go elsewhere. */
async function drained(
  server: HttpServer,
  { signal, host, drain = isLoopback(host) ? 0 : usualDrain }: Drain,
): Promise<void> {
  if (signal === 'SIGTERM' && drain > 0) {
    server.leave();
    await setTimeout(drain * 1000);
  }
  await server.close();
}

type Drain = Pick<Flags, 'host' | 'drain'> & { readonly signal: NodeJS.Signals };

/**
 * Tokens of a file count beside those of the store. Whoever made a token once has a server that asks for one, even when all are
 * revoked: it never falls open again. A store that is not there has none, and is not made for asking.
 */
async function tokensFor(
  { tokens, store: named }: Flags,
  { folder, store }: { readonly folder: string; readonly store: SharedStore['store'] },
): Promise<TokenSource | undefined> {
  const asked = tokens ?? process.env.GALLEY_TOKENS ?? '';
  const ofStore = tokensOfStore(store);
  if (asked !== '' && asked !== 'store') return eitherSource(await tokensOfFile(asked), ofStore);
  const path = storePath(folder, named);
  const held = isThere(path) || asked === 'store' ? (await (await store()).tokens.list()).length : 0;
  if (held > 0) process.stderr.write(`galley: ${word('serve.asks', { n: held })}\n`);
  else if (asked === 'store') {
    const command = 'galley token create';
    process.stderr.write(`galley: ${word('serve.no-token-yet', { command })}\n`);
  }
  return held > 0 || asked === 'store' ? ofStore : undefined;
}

/** A delivery would be taken, and its review fail where nobody looks. One secret for all hosts is meant for those where there is a login. */
async function tellMissingLogins(): Promise<void> {
  const { webhookSecrets } = await import('../../webhooks/webhook-proof.js');
  const kinds = [...webhookSecrets(process.env).keys()];
  const missing = await kindsWithoutLogin(kinds);
  const isShared = Boolean(process.env.GALLEY_WEBHOOK_SECRET);
  if (missing.length === 0 || (isShared && missing.length < kinds.length)) return;
  const hosts = missing.map((kind) => forgeTitles[kind]).join(', ');
  const variable = missing.length === 1 ? `${missing[0]!.toUpperCase()}_TOKEN` : 'GALLEY_FORGE_TOKEN';
  process.stderr.write(`galley: ${word('serve.no-login', { hosts, variable })}\n`);
}

/** Off unless asked for, and loaded only then. */
async function doorsOf(
  { openai, openaiProject, openaiBudget, openaiCode, webhooks, webhookRepos }: Flags,
  { folder, store }: { readonly folder: string; readonly store: SharedStore['store'] },
): Promise<(readonly DoorRoute[])[]> {
  const doors: (readonly DoorRoute[])[] = [];
  if (openai === true) {
    const { openAiDoor } = await import('../../openai/openai-door.js');
    const here = openaiCode === undefined ? undefined : nameOfFolder(realpathSync(folder));
    doors.push(openAiDoor({ project: openaiProject, budget: openaiBudget, code: openaiCode, here }));
  }
  if (webhooks === true) {
    const { webhookDoor } = await import('../../webhooks/webhook-door.js');
    const { webhookSecrets } = await import('../../webhooks/webhook-proof.js');
    const secrets = webhookSecrets(process.env);
    doors.push(webhookDoor({ store, repositories: webhookRepos, secrets }));
  }
  return doors;
}

function printNewToken({ project, grant }: Flags): void {
  const { token, hash } = newToken();
  const entry = {
    hash,
    projects: project.length === 0 ? '*' : project,
    grants: grant.length === 0 ? ['read'] : grant,
  };
  process.stderr.write('galley: this token is shown once; add the entry to the file given with --tokens\n');
  process.stdout.write(`${token}\n\n${stringify({ tokens: [entry] }, { lineWidth: 0 })}`);
}
