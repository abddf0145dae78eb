// Which public repositories the measurements use, and where their bare copies lie on this machine.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const mirrorRoot = resolve(process.env.GALLEY_MIRRORS ?? '../.mirror');
export const dataRoot = resolve(process.env.GALLEY_BENCH_DATA ?? '../shared/data');

const names: Record<string, string> = {
  hono: 'honojs+hono',
  trpc: 'trpc+trpc',
  zod: 'colinhacks+zod',
  nitro: 'nitrojs+nitro',
  express: 'expressjs+express',
  flask: 'pallets+flask',
  gin: 'gin-gonic+gin',
  gson: 'google+gson',
  kysely: 'kysely-org+kysely',
  gofr: 'gofr-dev+gofr',
  svelte: 'sveltejs+svelte',
  ollama: 'ollama+ollama',
  cline: 'cline+cline',
  cli: 'cli+cli',
  ripgrep: 'BurntSushi+ripgrep',
  fmt: 'fmtlib+fmt',
  fastify: 'fastify+fastify',
  httpx: 'encode+httpx',
  cobra: 'spf13+cobra',
  sinatra: 'sinatra+sinatra',
  'serde-json': 'serde-rs+json',
  mockito: 'mockito+mockito',
  'typescript-sdk': 'modelcontextprotocol+typescript-sdk',
  'gemini-cli': 'google-gemini+gemini-cli',
};

export function gitDirectory(name: string): string | undefined {
  const folder = names[name];
  if (folder === undefined) return undefined;
  const directory = join(mirrorRoot, folder, 'repo');
  return existsSync(directory) ? directory : undefined;
}
