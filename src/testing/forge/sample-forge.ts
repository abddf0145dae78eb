// A small repository with one pull request, for tests of forges and of what calls them.
import { type ForgeSearch, findForge } from '../../forges/find-forge.js';
import type { Forge } from '../../forges/forge.js';
import { type ForgeOptions, type LoopbackForge, openForge } from './open-forge.js';

/** Forty lines; the change of the sample is around 10 and 30, so that its diff has two hunks. */
export const before = Array.from({ length: 40 }, (_, at) => `line ${at + 1}\n`).join('');
export const after = before
  .replace('line 10\n', 'line ten\n')
  .replace('line 30\n', 'line thirty\nand one more\n');

export interface SampleForge {
  readonly forge: LoopbackForge;
  readonly base: string;
  readonly head: string;
  /** Of its pull request. */
  readonly number: number;
}

export async function sampleForge(options: Partial<ForgeOptions> = {}): Promise<SampleForge> {
  const forge = await openForge({ kind: 'github', repository: 'acme/widgets', ...options });
  const base = await forge.commit({ branch: 'main', files: { 'a.txt': before, 'gone.txt': 'one\ntwo\n' } });
  const head = await forge.commit({
    branch: 'topic',
    from: 'main',
    files: { 'a.txt': after, 'new.txt': 'first\nsecond\n', 'gone.txt': null },
  });
  const number = await forge.openPull({ head: 'topic', title: 'Ten and thirty', description: 'In words.' });
  return { forge, base, head, number };
}

/** Our own client of a forge; waiting moves the forge's clock and takes no time. */
export async function clientOf(
  forge: LoopbackForge,
  search: Partial<ForgeSearch> & { readonly token?: string } = {},
): Promise<Forge> {
  const { token, ...rest } = search;
  const found = await findForge({
    environment: token === undefined ? forge.env : forge.envOf(token),
    remotes: async () => [],
    keptToken: async () => undefined,
    sleep: async (ms) => forge.advance(ms),
    ...rest,
  });
  return found.forge;
}

export interface AskedForge {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a stranger's JSON.
  readonly body: any;
}

/** One call without a client; the path is below the address of the API. */
export async function askForge(
  { apiUrl }: LoopbackForge,
  asked: { readonly method: string; readonly path: string; readonly body?: unknown; readonly token?: string },
): Promise<AskedForge> {
  const { method, path, body, token = 'loopback-token' } = asked;
  const response = await fetch(`${apiUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'user-agent': 'test' },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = /^[[{n]/.test(text);
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}
