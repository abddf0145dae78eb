// The sources as a program: every operation in this process, with models that reach a provider of our own or agents on a path.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Model } from '../../src/models/contract/model.js';
import { findModel } from '../../src/models/find-model.js';
import { call } from '../../src/operations/call.js';
import type { OperationContext } from '../../src/operations/operation.js';
import { openStore } from '../../src/store/sqlite/open-store.js';
import { openLoopback } from '../../src/testing/loopback/open-loopback.js';
import type { World } from './drivers.js';
import { makeRepository } from './hard-repository.js';
import { installPlainAgents, type PlainAgents } from './plain-agents.js';
import { type PlainProvider, providerEnvironment } from './plain-provider.js';
import { readRequest } from './read-request.js';

export interface SourcesWorld extends World {
  readonly provider: PlainProvider;
  readonly agents: PlainAgents;
  readonly context: OperationContext;
  close(): Promise<void>;
}

/** The providers of `galley/testing`, which mind their protocols, as the plain one is used. */
export async function openLoopbackProvider(): Promise<PlainProvider> {
  const loopback = await openLoopback({ cache: false });
  return {
    url: loopback.url,
    received() {
      const all = loopback.calls.map(({ path, bytes }) => readRequest(path, bytes));
      loopback.forgetCalls();
      return all;
    },
    say: (words) => loopback.play(words),
    close: () => loopback.close(),
  };
}

export interface SourcesOptions {
  readonly provider?: PlainProvider;
  /** May stand between a desk and its model. */
  readonly around?: (model: Model) => Model;
}

export async function openSources(options: SourcesOptions = {}): Promise<SourcesWorld> {
  const { around = (model: Model) => model } = options;
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'galley-wire-')));
  const folder = join(root, 'work');
  makeRepository(join(folder, 'repository'));
  const provider = options.provider ?? (await openLoopbackProvider());
  const agents = installPlainAgents(join(root, 'bin'));
  const store = await openStore({ path: join(root, 'galley.db'), now: () => 0, newId: randomUUID });
  const environment = {
    ...process.env,
    ...providerEnvironment(provider.url),
    PATH: `${agents.folder}${delimiter}${process.env.PATH}`,
  };
  const context: OperationContext = {
    signal: new AbortController().signal,
    folder,
    debug: false,
    grants: new Set(['read', 'write', 'inspect', 'run']),
    log: () => undefined,
    now: () => 0,
    store: async () => store,
    model: async (name) => around(await findModel(name, { folder, environment })),
  };
  return {
    provider,
    agents,
    context,
    repository: 'repository',
    call: (id, request) => call(id, request, context),
    say(words) {
      provider.say(words);
      agents.say(words);
    },
    received: () => [...provider.received(), ...agents.received()],
    async close() {
      await provider.close();
      await store.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}
